package org.gramspect.javacc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;

/**
 * Runs JavaCC, and JJTree before it for a .jjt file, and compiles what they generate.
 *
 * <p>The tools write to a temporary folder, which is removed; the classes stay in memory.
 */
final class Generator {
    private static final Pattern PACKAGE =
            Pattern.compile("^\\s*package\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);

    /**
     * The classes of the tools, which are used again after a run without complaint, with their static
     * fields as at first. After one that failed or complained they are loaded anew.
     */
    private static final class Tools {
        private static IsolatedLoader idle;

        static synchronized IsolatedLoader take() throws IOException {
            IsolatedLoader taken = idle;
            idle = null;
            if (taken == null) {
                URL place = Generator.class.getResource("/org/javacc/parser/Main.class");
                URL jar = ((JarURLConnection) place.openConnection()).getJarFileURL();
                taken = new IsolatedLoader(new URL[] {jar}, null);
            }
            return taken;
        }

        static synchronized void giveBack(IsolatedLoader used) {
            used.restoreStatics();
            idle = used;
        }
    }

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
            Path folder = Files.createTempDirectory("gramspect-javacc");
            try {
                return generate(folder);
            } finally {
                remove(folder);
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

    private boolean generate(Path folder) throws IOException, UserProblem {
        copyCompanions(folder);
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
        Map<String, String> sources = sources(folder);
        parserClass = sources.keySet().stream()
                .filter(s -> s.equals(name) || s.endsWith("." + name)).findFirst().orElse(null);
        if (parserClass == null) {
            return false;
        }
        String root = root(parserClass);
        Compiler.Result result = new Compiler(classes.path(), root).compile(sources);
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
            for (Path file : listed(from)) {
                if (file.toString().endsWith(".java")) {
                    Files.copy(file, folder.resolve(file.getFileName()),
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /** Runs a tool, and returns the name of the parser, or null if the tool complains. */
    private String run(String mainClass, String method, Path folder, Path source)
            throws UserProblem, IOException {
        IsolatedLoader loader = Tools.take();
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
            Tools.giveBack(loader);
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

    /** The generated files by the names of their classes. */
    private static Map<String, String> sources(Path folder) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Path file : listed(folder)) {
            String name = file.getFileName().toString();
            if (name.endsWith(".java")) {
                String text = Files.readString(file, StandardCharsets.UTF_8);
                Matcher found = PACKAGE.matcher(text);
                String home = found.find() ? found.group(1) + "." : "";
                sources.put(home + name.substring(0, name.length() - ".java".length()), text);
            }
        }
        return sources;
    }

    /** The folder from which the package of a class is found, if its home is that of the package. */
    private String root(String className) {
        Path root = home;
        String[] packages = className.split("\\.");
        for (int i = packages.length - 2; i >= 0; i--) {
            if (root == null || root.getFileName() == null
                    || !root.getFileName().toString().equals(packages[i])) {
                return "";
            }
            root = root.getParent();
        }
        return root == null ? "" : root.toString();
    }

    private static List<Path> listed(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> found = Files.list(folder)) {
            found.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
        return files;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
