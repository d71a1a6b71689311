package org.gramspect.compiling;

import org.gramspect.isolation.Outcome;

/** Something that the user can mend; the message says what. */
public final class UserProblem extends Exception {
    public static final String CLASSPATH =
            "give the jars and folders of all classes with --option classpath=...";

    private static final long serialVersionUID = 1L;

    public UserProblem(String message) {
        super(message);
    }

    /** Why a class cannot be loaded or initialized. */
    public static UserProblem of(String className, Outcome<?> outcome) {
        Throwable thrown = outcome.thrown();
        if (thrown instanceof NoClassDefFoundError || thrown instanceof ClassNotFoundException) {
            String missing = String.valueOf(thrown.getMessage()).replace('/', '.');
            return new UserProblem(className + " needs the class " + missing
                    + ", which is not there; " + CLASSPATH);
        } else if (thrown instanceof ExceptionInInitializerError) {
            return new UserProblem(className + " cannot be used: a static initializer raised "
                    + Outcome.described(thrown));
        } else if (thrown instanceof LinkageError && thrown.getMessage() != null) {
            return new UserProblem(String.valueOf(thrown.getMessage()));
        }
        return new UserProblem(className + " " + outcome.reason());
    }
}
