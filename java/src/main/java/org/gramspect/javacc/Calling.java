package org.gramspect.javacc;

import java.io.IOException;
import java.util.Map;
import org.gramspect.compiling.Compiler;
import org.gramspect.compiling.SourceFolder;
import org.gramspect.compiling.UserClasses;
import org.gramspect.compiling.UserProblem;

/** The user's own way to run a parser: Java code, compiled in the package of the parser. */
final class Calling {
    static final String CLASS = "GramspectCall";
    static final String METHOD = "call";

    private Calling() {}

    /** The name of the class that holds the call for a parser. */
    static String className(String parser) {
        return parser.substring(0, parser.lastIndexOf('.') + 1) + CLASS;
    }

    static Map<String, byte[]> compile(String call, String parser, UserClasses classes)
            throws UserProblem {
        String home = parser.substring(0, Math.max(0, parser.lastIndexOf('.')));
        String source = (home.isEmpty() ? "" : "package " + home + ";\n")
                + "public class " + CLASS + " {\n"
                + "public static void " + METHOD + "(String text) throws Throwable {\n"
                + call + "\n;}}\n";
        Compiler.Result result = compile(Map.of(className(parser), source), classes);
        if (result.problem() != null) {
            throw new UserProblem("the call does not compile: " + result.problem().text());
        }
        return result.classes();
    }

    private static Compiler.Result compile(Map<String, String> sources, UserClasses classes)
            throws UserProblem {
        try (SourceFolder folder = new SourceFolder("gramspect-call")) {
            return new Compiler(classes.path(folder.path()), "").compile(sources);
        } catch (IOException failed) {
            throw new UserProblem("the call cannot be compiled (" + failed.getMessage() + ")");
        }
    }
}
