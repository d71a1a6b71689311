package org.gramspect.cup;

import org.gramspect.isolation.Outcome;

/** Why a user's classes cannot be used, in a message for the user. */
final class LoadProblem extends Exception {
    private static final long serialVersionUID = 1L;

    LoadProblem(String message) {
        super(message);
    }

    /** Something that a class needs is missing; the loader tells what of it is there. */
    static LoadProblem needs(String name, NoClassDefFoundError problem, ClassLoader loader) {
        String missing = missingClass(problem);
        if (missing.endsWith("lr_parser") || missing.contains("cup.runtime")) {
            String packageName = missing.substring(0, Math.max(0, missing.lastIndexOf('.')));
            return has(loader, packageName + ".lr_parser")
                    ? new LoadProblem("the CUP runtime on the classpath (" + packageName
                            + ") is older than the parser: it has no "
                            + missing.substring(packageName.length() + 1)
                            + "; add the one that the parser was generated for before it")
                    : noRuntime("that the parser was generated for", packageName);
        }
        return new LoadProblem("the class " + name + " needs " + missing
                + ", which is not on the classpath; add its jar");
    }

    static LoadProblem noRuntime(String which, String packageName) {
        return new LoadProblem("the CUP runtime " + which + " (" + packageName
                + ") is not on the classpath; add its jar, such as java-cup-runtime");
    }

    static LoadProblem of(String name, Throwable problem) {
        if (problem instanceof UnsupportedClassVersionError) {
            return new LoadProblem(problem.getMessage() + "; set JAVA_HOME to a newer one");
        } else if (problem instanceof ExceptionInInitializerError && problem.getCause() != null) {
            return of(name, problem.getCause());
        }
        return new LoadProblem(
                "the class " + name + " cannot be used: " + Outcome.described(problem));
    }

    private static boolean has(ClassLoader loader, String name) {
        try {
            loader.loadClass(name);
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    private static String missingClass(NoClassDefFoundError problem) {
        String message = String.valueOf(problem.getMessage());
        return message.replace('/', '.');
    }
}
