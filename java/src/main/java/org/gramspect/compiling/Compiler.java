package org.gramspect.compiling;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles Java in memory. */
public final class Compiler {
    /**
     * The first error of a compilation: the file, line and column (from 1; 0: unknown), the text of the
     * line, and what is wrong.
     */
    public record Problem(String file, int line, int column, String source, String text) {}

    /**
     * What became of a compilation.
     *
     * @param classes the classes by their binary names; none if there is a problem
     * @param problem the first error, or null
     * @param faulty the names of all files with errors
     */
    public record Result(Map<String, byte[]> classes, Problem problem, Set<String> faulty) {}

    private final JavaCompiler javac;
    private final String classPath;
    private final String sourcePath;

    /**
     * @param classPath compiled classes that the sources need
     * @param sourcePath the root of sources that they need; may be empty
     */
    public Compiler(String classPath, String sourcePath) throws UserProblem {
        this.classPath = classPath;
        this.sourcePath = sourcePath;
        javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new UserProblem("this needs a Java compiler, and the Java in "
                    + System.getProperty("java.home") + " has none; install a JDK (17 or newer) and set"
                    + " JAVA_HOME to it");
        }
    }

    /** Compiles sources, which are given by the names of their classes. */
    public Result compile(Map<String, String> sources) {
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Map<String, byte[]> compiled = new HashMap<>();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, text) -> files.add(new SourceFile(name, text)));
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-g"));
        options.addAll(List.of("-classpath", classPath));
        options.addAll(List.of("-sourcepath", sourcePath));
        try (JavaFileManager manager = new Output(
                javac.getStandardFileManager(problems, Locale.ROOT, StandardCharsets.UTF_8),
                compiled)) {
            javac.getTask(null, manager, problems, options, null, files).call();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        Problem first = null;
        Set<String> faulty = new HashSet<>();
        for (Diagnostic<? extends JavaFileObject> found : problems.getDiagnostics()) {
            if (found.getKind() == Diagnostic.Kind.ERROR) {
                Problem problem = problem(found);
                first = first == null ? problem : first;
                faulty.add(problem.file());
            }
        }
        return new Result(first == null ? compiled : Map.of(), first, faulty);
    }

    private static Problem problem(Diagnostic<? extends JavaFileObject> found) {
        String text = String.join(" ", found.getMessage(Locale.ROOT).strip().split("\\s+"));
        if (found.getSource() == null) {
            return new Problem("", 0, 0, "", text);
        }
        int line = (int) Math.max(0, found.getLineNumber());
        String name = found.getSource().getName();
        String file = name.substring(name.lastIndexOf('/') + 1);
        int column = (int) Math.max(0, found.getColumnNumber());
        return new Problem(file, line, column, line(found.getSource(), line), text);
    }

    private static String line(JavaFileObject source, int line) {
        try {
            return source.getCharContent(true).toString().split("\n", -1)[line - 1];
        } catch (IOException | ArrayIndexOutOfBoundsException unknown) {
            return "";
        }
    }

    private static final class SourceFile extends SimpleJavaFileObject {
        private final String text;

        SourceFile(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + Kind.SOURCE.extension),
                    Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class ClassFile extends SimpleJavaFileObject {
        private final String className;
        private final Map<String, byte[]> compiled;

        ClassFile(String className, Map<String, byte[]> compiled) {
            super(URI.create("memory:///" + className.replace('.', '/') + Kind.CLASS.extension),
                    Kind.CLASS);
            this.className = className;
            this.compiled = compiled;
        }

        @Override
        public OutputStream openOutputStream() {
            return new ByteArrayOutputStream() {
                @Override
                public void close() {
                    compiled.put(className, toByteArray());
                }
            };
        }
    }

    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> compiled;

        Output(JavaFileManager files, Map<String, byte[]> compiled) {
            super(files);
            this.compiled = compiled;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String className,
                JavaFileObject.Kind kind, FileObject sibling) {
            return new ClassFile(className, compiled);
        }
    }
}
