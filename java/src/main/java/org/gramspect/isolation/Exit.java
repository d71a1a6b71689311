package org.gramspect.isolation;

/**
 * Thrown where user code asks the JVM to end. Calls of {@code System.exit} and the like are rewritten to
 * calls of the methods here.
 */
public final class Exit extends Error {
    private static final long serialVersionUID = 1L;

    /** The last request to end, kept because user code may catch every Throwable. */
    private static volatile Exit requested;

    private final int status;

    private Exit(int status) {
        super("System.exit(" + status + ")", null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }

    /** Stands for {@code System.exit(status)}. */
    public static void exit(int status) {
        Exit exit = new Exit(status);
        requested = exit;
        throw exit;
    }

    /** Stands for {@code runtime.exit(status)} and {@code runtime.halt(status)}. */
    public static void exit(Runtime runtime, int status) {
        exit(status);
    }

    /** The request since the last call, or null. */
    static Exit takeRequested() {
        Exit exit = requested;
        requested = null;
        return exit;
    }
}
