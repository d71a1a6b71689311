package org.gramspect.javacc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.gramspect.compiling.Compiler;
import org.gramspect.compiling.SourceFolder;
import org.gramspect.compiling.ToolClasses;
import org.gramspect.compiling.UserClasses;
import org.gramspect.compiling.UserProblem;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;

/**
 * Runs JavaCC, and JJTree before it for a .jjt file, and compiles what they generate.
 *
 * <p>The tools write to a temporary folder, which is removed; the classes stay in memory.
 */
final class Generator {
    private static final ToolClasses TOOLS =
            new ToolClasses(null, org.javacc.parser.Main.class);

    /** The output of the tools. */
    private final StringBuilder printed = new StringBuilder();

    private final Path grammar;
    private final Path home;
    private final UserClasses classes;
    private String parserClass;
    private Compiler.Problem problem;

    Generator(Path grammar, Path home, UserClasses classes) {
        this.grammar = grammar;
        this.home = home;
        this.classes = classes;
    }

    /** Generates and compiles; returns whether there is a parser then. */
    boolean run() throws UserProblem {
        try {
            try (SourceFolder folder = new SourceFolder("gramspect-javacc")) {
                return generate(folder);
            }
        } catch (IOException | UncheckedIOException failed) {
            throw new UserProblem("cannot be processed (" + failed.getMessage() + ")");
        }
    }

    String printed() {
        return printed.toString();
    }

    String parserClass() {
        return parserClass;
    }

    Compiler.Problem problem() {
        return problem;
    }

    private boolean generate(SourceFolder generated) throws IOException, UserProblem {
        Path folder = generated.path();
        copyCompanions(folder);
        Map<String, String> companions = generated.sources();
        Path source = grammar;
        if (grammar.toString().endsWith(".jjt")) {
            String name = grammar.getFileName().toString();
            source = folder.resolve(name.substring(0, name.length() - 1));
            run("org.javacc.jjtree.JJTree", "main", folder, grammar);
            if (!Files.exists(source)) {
                return false;
            }
        }
        String name = run("org.javacc.parser.Main", "mainProgram", folder, source);
        if (name == null) {
            return false;
        }
        Map<String, String> sources = generated.sources();
        parserClass = sources.keySet().stream()
                .filter(s -> s.equals(name) || s.endsWith("." + name)).findFirst().orElse(null);
        if (parserClass == null) {
            return false;
        }
        String root = SourceFolder.root(home, parserClass);
        Compiler.Result result =
                new Companions(companions, classes.path(), root).compile(sources, parserClass);
        problem = result.problem();
        classes.addGenerated(result.classes());
        return problem == null;
    }

    /**
     * Java files beside the grammar, or in its home: JavaCC leaves those of its classes alone that are there already, as
     * users adapt them (Token.java), and generates parsers, lexers and constants anew.
     */
    private void copyCompanions(Path folder) throws IOException {
        for (Path from : List.of(home, grammar.toAbsolutePath().getParent())) {
            for (Path file : SourceFolder.javaFiles(from)) {
                Files.copy(file, folder.resolve(file.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Runs a tool, and returns the name of the parser, or null if the tool complains. */
    private String run(String mainClass, String method, Path folder, Path source)
            throws UserProblem, IOException {
        IsolatedLoader loader = TOOLS.take();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String[] arguments = {"-OUTPUT_DIRECTORY=" + folder, source.toString()};
        Outcome<String> outcome;
        try {
            outcome = Guard.quietly(loader, () -> Guard.call(() -> {
                PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
                System.setOut(stream);
                System.setErr(stream);
                return main(loader, mainClass, method, arguments) == 0 ? parserName(loader) : null;
            }));
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        printed.append(bytes.toString(StandardCharsets.UTF_8));
        if (!outcome.returned()) {
            throw new UserProblem("JavaCC " + outcome.reason());
        }
        if (outcome.value() != null) {
            TOOLS.giveBack(loader);
        }
        return outcome.value();
    }

    /** Calls the main method of a tool, which is one of an object or of the class; its status. */
    private static int main(ClassLoader loader, String mainClass, String method, String[] arguments)
            throws Exception {
        Class<?> tool = Class.forName(mainClass, true, loader);
        Method main = tool.getMethod(method, String[].class);
        boolean isStatic = Modifier.isStatic(main.getModifiers());
        Object object = isStatic ? null : tool.getConstructor().newInstance();
        return (Integer) Reflection.call(() -> main.invoke(object, (Object) arguments));
    }

    private static String parserName(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> globals = Class.forName("org.javacc.parser.JavaCCGlobals", true, loader);
        return (String) globals.getField("cu_name").get(null);
    }
}
