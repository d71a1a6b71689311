package org.gramspect.isolation;

import java.util.concurrent.CancellationException;

/** Whether what runs in this JVM should stop: the time for it is up. */
public final class Cancellation {
    private static volatile boolean wanted;

    private Cancellation() {}

    /** Called from a thread of its own while others run. */
    public static void set(boolean stop) {
        wanted = stop;
    }

    /** Ends what calls this if it should stop. */
    public static void check() {
        if (wanted) {
            throw new CancellationException("the time was up");
        }
    }
}
