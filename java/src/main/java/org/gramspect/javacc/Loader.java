package org.gramspect.javacc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gramspect.compiling.Compiler;
import org.gramspect.compiling.UserClasses;
import org.gramspect.compiling.UserProblem;

/**
 * The entry point for Python: generates parsers from grammar files, and loads those that are classes
 * already.
 */
public final class Loader {
    /**
     * What became of loading.
     *
     * @param parser the parser, or null
     * @param printed what JavaCC and JJTree have printed
     * @param error why there is no parser, if the tools have not printed it; else ""
     * @param file the generated file with an error of the Java compiler, or ""
     * @param line its line there
     * @param source the text of that line
     */
    public record Result(LoadedParser parser, String printed, String error, String file,
            int line, String source) {}

    private Loader() {}

    /** Generates and compiles the parser of a .jj or .jjt file, which is in its folder. */
    public static Result generate(String grammar, String[] classPath) {
        Path home = Path.of(grammar).toAbsolutePath().getParent();
        return generate(grammar, classPath, home.toString());
    }

    /**
     * Generates and compiles the parser of a .jj or .jjt file.
     *
     * @param home the folder of its package, from which other classes of the project are found
     */
    public static Result generate(String grammar, String[] classPath, String home) {
        UserClasses classes = new UserClasses(classPath);
        Generator generator =
                new Generator(Path.of(grammar), Path.of(home).toAbsolutePath(), classes);
        try {
            LoadedParser parser = generator.run()
                    ? LoadedParser.of(classes, generator.parserClass())
                    : null;
            Compiler.Problem problem = generator.problem();
            return problem == null
                    ? result(parser, generator, "")
                    : new Result(null, generator.printed(), problem.text(), problem.file(),
                            problem.line(), problem.source().strip());
        } catch (UserProblem problem) {
            return result(null, generator, problem.getMessage());
        }
    }

    /** Generates and compiles the parser of a grammar that is given as text. */
    public static Result build(String text) throws IOException {
        Path folder = Files.createTempDirectory("gramspect-javacc");
        Path grammar = folder.resolve("Built.jj");
        try {
            Files.writeString(grammar, text);
            return generate(grammar.toString(), new String[0]);
        } finally {
            Files.deleteIfExists(grammar);
            Files.deleteIfExists(folder);
        }
    }

    private static Result result(LoadedParser parser, Generator generator, String error) {
        return new Result(parser, generator.printed(), error, "", 0, "");
    }

    /** Loads a parser class from jars and folders. */
    public static Result load(String className, String[] classPath) {
        try {
            LoadedParser parser = LoadedParser.of(new UserClasses(classPath), className);
            return new Result(parser, "", "", "", 0, "");
        } catch (UserProblem problem) {
            return new Result(null, "", problem.getMessage(), "", 0, "");
        }
    }
}
