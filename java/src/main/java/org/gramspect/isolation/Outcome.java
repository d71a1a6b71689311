package org.gramspect.isolation;

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

    /** A Throwable on one line, by its own class and message, not the user's {@code toString}. */
    public static String described(Throwable thrown) {
        String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable broken) {
            message = null;
        }
        String name = thrown.getClass().getName();
        return message == null || message.isBlank()
                ? name
                : name + ": " + String.join(" ", message.strip().split("\\s+"));
    }
}
