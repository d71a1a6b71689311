package org.gramspect.jflex;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java_cup.runtime.Symbol;
import jflex.generator.LexGenerator;
import org.gramspect.compiling.Compiler;
import org.gramspect.compiling.SourceFolder;
import org.gramspect.compiling.ToolClasses;
import org.gramspect.compiling.UserClasses;
import org.gramspect.compiling.UserProblem;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;

/** Runs JFlex on specifications, and compiles the scanners. All that is written is removed again. */
public final class ScannerMaker {
    private static final String APART = "org.gramspect.jflex.generator.";
    private static final ToolClasses TOOLS =
            new ToolClasses(APART, ScannerMaker.class, LexGenerator.class, Symbol.class);
    private static final String BYTE_ORDER_MARK = "\ufeff";

    /**
     * What became of a specification.
     *
     * @param classes the scanner's and the user's; null if there is no scanner
     * @param scanner the name of its class
     * @param printed what JFlex has printed
     * @param error why there is no scanner, if JFlex has not printed it; else null
     * @param problem what the Java compiler says of the scanner or of a class that it needs; or null
     */
    public record Result(UserClasses classes, String scanner, String printed, String error,
            Compiler.Problem problem) {}

    private final Path specification;
    private final String encoding;
    private final UserClasses classes;
    private final Map<String, String> beside;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private ScannerMaker(Path specification, String encoding, UserClasses classes,
            Map<String, String> beside) {
        this.specification = specification;
        this.encoding = encoding;
        this.classes = classes;
        this.beside = beside;
    }

    /**
     * Makes a scanner.
     *
     * @param encoding that of the specification
     * @param classPath the user's jars and folders of classes
     * @param home the folder of its package, from which Java sources are found
     * @param names the classes that are compiled with it
     * @param texts their sources
     */
    public static Result make(String specification, String encoding, String[] classPath, String home,
            String[] names, String[] texts) {
        Map<String, String> beside = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            beside.put(names[i], texts[i]);
        }
        ScannerMaker maker = new ScannerMaker(Path.of(specification).toAbsolutePath(), encoding,
                new UserClasses(classPath), beside);
        try (SourceFolder folder = new SourceFolder("gramspect-jflex")) {
            return maker.make(folder, Path.of(home).toAbsolutePath());
        } catch (IOException failed) {
            return maker.failed("cannot be processed (" + failed.getMessage() + ")");
        } catch (UserProblem problem) {
            return maker.failed(problem.getMessage());
        }
    }

    private Result failed(String error) {
        return new Result(null, "", printed.toString(StandardCharsets.UTF_8), error, null);
    }

    private Result make(SourceFolder folder, Path home) throws IOException, UserProblem {
        Outcome<String> outcome = generate(folder.path());
        if (!outcome.returned()) {
            return failed(printed.size() > 0 ? null : "JFlex " + outcome.reason());
        }
        Path file = Path.of(outcome.value());
        String text = Files.readString(file, Charset.forName(encoding)).replace(BYTE_ORDER_MARK, "");
        String scanner = SourceFolder.className(file, text);
        Map<String, String> sources = new HashMap<>(beside);
        sources.put(scanner, text);
        String classPath = path(classes.path(), runtime(folder.path()));
        String sourcePath = sourcePath(folder.path(), home, scanner);
        Compiler compiler = new Compiler(classPath, sourcePath);
        Compiler.Result compiled = compiler.compile(sources);
        if (compiled.problem() != null) {
            sources.put(scanner, OlderScanner.counted(text));
            compiled = compiler.compile(sources);
        }
        if (compiled.problem() != null && compiled.problem().text().contains("InputStream")) {
            sources.put(scanner, OlderScanner.withConstructor(sources.get(scanner)));
            compiled = compiler.compile(sources);
        }
        if (compiled.problem() != null) {
            return new Result(null, scanner, printed.toString(StandardCharsets.UTF_8), null,
                    compiled.problem());
        }
        classes.addGenerated(compiled.classes());
        return new Result(classes, scanner, printed.toString(StandardCharsets.UTF_8), null, null);
    }

    private Outcome<String> generate(Path folder) throws IOException {
        IsolatedLoader loader = TOOLS.take();
        String skeleton = WatchedSkeleton.text();
        Outcome<String> outcome;
        try {
            outcome = Guard.quietly(loader, () -> Guard.call(() -> {
                System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
                System.setErr(System.out);
                return generation(loader, folder, skeleton).call();
            }));
        } catch (RuntimeException cancelled) {
            throw cancelled;
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        if (outcome.returned()) {
            TOOLS.giveBack(loader);
        }
        return outcome;
    }

    @SuppressWarnings("unchecked")
    private Callable<String> generation(IsolatedLoader loader, Path folder, String skeleton)
            throws ReflectiveOperationException {
        return (Callable<String>) loader.loadClass(APART + "Generation")
                .getConstructor(File.class, Charset.class, Path.class, String.class, OutputStream.class)
                .newInstance(specification.toFile(), Charset.forName(encoding), folder, skeleton, printed);
    }

    /**
     * The runtime that comes with CUP, in a folder for the compiler and among the user's classes; an empty
     * text if the user brings one.
     */
    private String runtime(Path folder) throws IOException {
        if (classes.bytes("java_cup.runtime.Symbol") != null) {
            return "";
        }
        Path place = folder.resolve("runtime");
        OwnRuntime.write(place);
        classes.add(OwnRuntime.classes());
        return place.toString();
    }

    /**
     * Where Java sources of the user are: below the root of the package, if the home is that of the
     * package; those beside the specification and in its home in folders of their packages.
     */
    private String sourcePath(Path folder, Path home, String scanner) throws IOException {
        Path copies = folder.resolve("sources");
        Files.createDirectories(copies);
        for (Path from : List.of(home, specification.getParent())) {
            for (Path file : SourceFolder.javaFiles(from)) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                String name = SourceFolder.className(file, text);
                Path copy = copies.resolve(name.replace('.', '/') + ".java");
                Files.createDirectories(copy.getParent());
                Files.write(copy, Files.readAllBytes(file));
            }
        }
        return path(copies.toString(), SourceFolder.root(home, scanner));
    }

    private static String path(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
