package org.gramspect.compiling;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A temporary folder of Java sources, which is removed when it is closed; and folders of users. */
public final class SourceFolder implements AutoCloseable {
    private static final Pattern PACKAGE =
            Pattern.compile("^\\s*package\\s+(\\w+(?:\\.\\w+)*)\\s*;", Pattern.MULTILINE);
    private static final String JAVA = ".java";

    private final Path path;

    public SourceFolder(String prefix) throws IOException {
        path = Files.createTempDirectory(prefix);
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> found = Files.walk(path)) {
            for (Path each : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    /** The sources in it by the names of their classes. */
    public Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Path file : javaFiles(path)) {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            sources.put(className(file, text), text);
        }
        return sources;
    }

    /** Writes sources, given by the names of their classes, to the folders of their packages. */
    public void write(Map<String, String> sources) throws IOException {
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = path.resolve(source.getKey().replace('.', '/') + JAVA);
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
        }
    }

    /** The Java files with classes in a folder, in order. */
    public static List<Path> javaFiles(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> found = Files.list(folder)) {
            found.filter(each -> each.toString().endsWith(JAVA) && Files.isRegularFile(each))
                    .filter(each -> !each.getFileName().toString().contains("-")) // module-info
                    .sorted().forEach(files::add);
        }
        return files;
    }

    /** The class of a source file with a text. */
    public static String className(Path file, String text) {
        String name = file.getFileName().toString();
        Matcher found = PACKAGE.matcher(text);
        String home = found.find() ? found.group(1) + "." : "";
        return home + name.substring(0, name.length() - JAVA.length());
    }

    /**
     * The folder from which the package of a class is found.
     *
     * @param home the folder of the package
     * @return nothing if it cannot be that of the package
     */
    public static String root(Path home, String className) {
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
}
