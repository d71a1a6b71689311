package org.gramspect.compiling;

import java.net.URL;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.gramspect.isolation.IsolatedLoader;

/**
 * The classes of a generator, apart from all others.
 *
 * <p>They are used again after a run without complaint, with their static fields as at first. After one
 * that failed or complained they are loaded anew.
 */
public final class ToolClasses {
    private static final String OWN = "org.gramspect.";

    private final URL[] places;
    private final Predicate<String> shared;
    private IsolatedLoader idle;

    /**
     * @param apart the package of those of gramspect's classes that are loaded with the generator's; null
     *     if there are none
     * @param samples a class of each place that the classes are in
     */
    public ToolClasses(String apart, Class<?>... samples) {
        places = Stream.of(samples)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .distinct()
                .toArray(URL[]::new);
        shared = name -> name.startsWith(OWN) && (apart == null || !name.startsWith(apart));
    }

    /** A loader that nobody else uses. */
    public synchronized IsolatedLoader take() {
        IsolatedLoader taken = idle;
        idle = null;
        return taken == null ? new IsolatedLoader(places, null, shared) : taken;
    }

    /** Keeps a loader for the next run. */
    public synchronized void giveBack(IsolatedLoader used) {
        used.restoreStatics();
        idle = used;
    }
}
