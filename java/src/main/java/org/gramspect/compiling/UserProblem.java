package org.gramspect.compiling;

import java.util.Set;
import java.util.regex.Pattern;
import org.gramspect.isolation.Outcome;

/** Something that the user can mend; the message says what. */
public final class UserProblem extends Exception {
    public static final String CLASSPATH =
            "give the jars and folders of all classes with --option classpath=...";

    private static final Set<Class<?>> MISSING =
            Set.of(NoClassDefFoundError.class, ClassNotFoundException.class);

    /** The message of these is the name of the class, or says why one that is there cannot be used. */
    private static final Pattern CLASS_NAME = Pattern.compile("[^\\s()]+");

    /** Causes may go in a circle. */
    private static final int MOST_CAUSES = 20;

    private static final long serialVersionUID = 1L;

    public UserProblem(String message) {
        super(message);
    }

    /**
     * What to do if code has ended because a class is missing; null if it has not.
     *
     * @param who who needs the class
     */
    public static String ofMissingClass(String who, Outcome<?> outcome) {
        Throwable thrown = outcome.thrown();
        for (int depth = 0; thrown != null && depth < MOST_CAUSES; depth++) {
            String name = MISSING.contains(thrown.getClass()) ? thrown.getMessage() : null;
            if (name != null && CLASS_NAME.matcher(name).matches()) {
                return who + " needs the class " + name.replace('/', '.') + ", which is not there; "
                        + CLASSPATH;
            }
            thrown = Outcome.cause(thrown);
        }
        return null;
    }

    /** Why a class cannot be loaded or initialized. */
    public static UserProblem of(String className, Outcome<?> outcome) {
        Throwable thrown = outcome.thrown();
        String missing = ofMissingClass(className, outcome);
        if (missing != null) {
            return new UserProblem(missing);
        } else if (thrown instanceof ExceptionInInitializerError) {
            return new UserProblem(className + " cannot be used: a static initializer raised "
                    + Outcome.described(thrown));
        } else if (thrown instanceof LinkageError && thrown.getMessage() != null) {
            return new UserProblem(String.valueOf(thrown.getMessage()));
        }
        return new UserProblem(className + " " + outcome.reason());
    }
}
