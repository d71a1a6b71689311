package org.gramspect.cup;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.gramspect.compiling.ToolClasses;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;

/** Runs CUP on grammars. */
public final class Generator {
    private static final String APART = "org.gramspect.cup.generator.";

    /**
     * What CUP made of a grammar, null if there were errors; what it said; and how it failed, null if it
     * did not.
     */
    public record Result(Generated generated, String messages, String failure) {}

    private Generator() {}

    /** Runs CUP on the text of a grammar. */
    public static Result generate(String text) throws Exception {
        IsolatedLoader loader =
                new ToolClasses(APART, Generator.class, java_cup.version.class).take();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        return Guard.quietly(loader, () -> {
            Outcome<Generated> outcome = Guard.call(() -> {
                System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
                return generation(loader, text).call();
            });
            return new Result(outcome.value(), said.toString(StandardCharsets.UTF_8),
                    outcome.returned() ? null : outcome.reason());
        });
    }

    @SuppressWarnings("unchecked")
    private static Callable<Generated> generation(IsolatedLoader loader, String text)
            throws ReflectiveOperationException {
        return (Callable<Generated>) loader.loadClass(APART + "Generation")
                .getConstructor(String.class).newInstance(text);
    }
}
