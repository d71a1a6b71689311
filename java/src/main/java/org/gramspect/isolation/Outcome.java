package org.gramspect.isolation;

import java.util.function.Supplier;

/**
 * How a call of user code ended.
 *
 * @param kind what happened
 * @param value what it returned, if it did
 * @param thrown what it threw, if it did not
 * @param tainted whether its classes should be loaded anew before they are used again: it was stopped
 *     where nothing expects it, or threads of it are still running
 */
public record Outcome<T>(Kind kind, T value, Throwable thrown, boolean tainted) {
    public enum Kind { RETURNED, THREW, EXITED, STACK_OVERFLOW, OUT_OF_MEMORY }

    /** Causes may go in a circle. */
    private static final int MOST_CAUSES = 20;

    public boolean returned() {
        return kind == Kind.RETURNED;
    }

    /** Why it did not return, on one line. */
    public String reason() {
        return switch (kind) {
            case RETURNED -> "";
            case THREW -> "raised " + described(thrown);
            case EXITED -> "called " + thrown.getMessage();
            case STACK_OVERFLOW -> "needs a deeper stack than there is";
            case OUT_OF_MEMORY -> "needs more memory than the JVM has";
        };
    }

    /**
     * A Throwable on one line, by its own class and message, not the user's {@code toString}. Of one that
     * has no words but those of its cause, the cause is described.
     */
    public static String described(Throwable thrown) {
        for (int depth = 0; depth < MOST_CAUSES && saysNothing(thrown); depth++) {
            thrown = cause(thrown);
        }
        String message = message(thrown);
        String name = thrown.getClass().getName();
        return message == null || message.isBlank()
                ? name
                : name + ": " + String.join(" ", message.strip().split("\\s+"));
    }

    private static boolean saysNothing(Throwable thrown) {
        Throwable cause = cause(thrown);
        if (cause == null) {
            return false;
        }
        String message = message(thrown);
        return message == null || message.isBlank() || message.equals(text(cause));
    }

    private static String message(Throwable thrown) {
        return orNull(thrown::getMessage);
    }

    private static String text(Throwable thrown) {
        return orNull(thrown::toString);
    }

    /** The cause, or null, also if the user's own method fails. */
    public static Throwable cause(Throwable thrown) {
        return orNull(thrown::getCause);
    }

    /** What a method of a user's exception returns; null if it throws. */
    private static <R> R orNull(Supplier<R> method) {
        try {
            return method.get();
        } catch (Throwable broken) {
            return null;
        }
    }
}
