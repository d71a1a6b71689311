package org.gramspect.javacc;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.gramspect.compiling.Compiler;
import org.gramspect.compiling.SourceFolder;
import org.gramspect.compiling.UserProblem;

/**
 * The Java files beside a grammar, which are compiled with what JavaCC generates.
 *
 * <p>Code may load one of them by its name only, so all are compiled if that is possible. Those that
 * cannot be are left to the Java compiler, which takes what is needed: a test of the parser, say, may
 * need a library that is not there.
 */
final class Companions {
    private final Map<String, String> texts;
    private final String classPath;
    private final String root;

    /**
     * @param texts the files by the names of their classes
     * @param root the folder from which other classes of the project are found; may be empty
     */
    Companions(Map<String, String> texts, String classPath, String root) {
        this.texts = texts;
        this.classPath = classPath;
        this.root = root;
    }

    /**
     * Compiles a parser.
     *
     * @param sources what was generated, and the files that JavaCC has left alone
     * @param parser the class that is needed in any case
     */
    Compiler.Result compile(Map<String, String> sources, String parser)
            throws IOException, UserProblem {
        Map<String, String> given = new TreeMap<>(sources);
        Set<String> own = new TreeSet<>(sources.keySet());
        own.removeIf(name -> name.equals(parser) || !sources.get(name).equals(texts.get(name)));
        try (SourceFolder folder = new SourceFolder("gramspect-beside")) {
            folder.write(texts);
            String place = folder.path().toString();
            Compiler compiler = new Compiler(
                    classPath, root.isEmpty() ? place : place + File.pathSeparator + root);
            Compiler.Result result = compiler.compile(given);
            while (result.problem() != null && !own.isEmpty()) {
                given.keySet().removeAll(toLeave(own, result));
                own.retainAll(given.keySet());
                result = compiler.compile(given);
            }
            return result;
        }
    }

    /** Those with errors; all, if the errors are elsewhere. */
    private static Set<String> toLeave(Set<String> own, Compiler.Result result) {
        Set<String> faulty = new TreeSet<>(own);
        faulty.removeIf(name -> !result.faulty().contains(
                name.substring(name.lastIndexOf('.') + 1) + ".java"));
        return faulty.isEmpty() ? own : faulty;
    }
}
