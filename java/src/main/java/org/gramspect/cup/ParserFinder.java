package org.gramspect.cup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/** The CUP parsers and scanners in a jar, found without loading a class. */
public final class ParserFinder {
    /** Names of classes that are not abstract: subclasses of lr_parser, and what implements Scanner. */
    public record Found(String[] parsers, String[] scanners) {}

    private record Header(String name, int access, String superName, List<String> interfaces) {}

    private static final int MAJOR_VERSION = 7;

    private final Map<String, Header> classes = new HashMap<>();

    private ParserFinder() {}

    /** Looks through a jar. */
    public static Found find(String jar) throws IOException {
        ParserFinder finder = new ParserFinder();
        try (ZipFile archive = new ZipFile(jar)) {
            for (var entries = archive.entries(); entries.hasMoreElements();) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")
                        && !entry.getName().startsWith("META-INF/")) {
                    try (InputStream stream = archive.getInputStream(entry)) {
                        finder.add(stream.readAllBytes());
                    }
                }
            }
        }
        return finder.found();
    }

    /** Looks through a folder of classes. */
    public static Found findInFolder(String folder) throws IOException {
        ParserFinder finder = new ParserFinder();
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                finder.add(Files.readAllBytes(file));
            }
        }
        return finder.found();
    }

    private Found found() {
        // A runtime may be in any package: it is where the ancestors of the parsers are.
        Set<String> runtimes = new TreeSet<>();
        String[] parsers = those(name -> {
            boolean ancestor = name.endsWith("/lr_parser");
            if (ancestor) {
                runtimes.add(name.substring(0, name.lastIndexOf('/')));
            }
            return ancestor;
        });
        String[] scanners = those(name -> name.endsWith("/runtime/Scanner")
                || name.endsWith("/Scanner")
                        && runtimes.contains(name.substring(0, name.lastIndexOf('/'))));
        return new Found(parsers, scanners);
    }

    private void add(byte[] bytes) {
        if (bytes.length > MAJOR_VERSION && (bytes[MAJOR_VERSION] & 0xff) > Opcodes.V17) {
            bytes[MAJOR_VERSION] = Opcodes.V17; // ASM refuses versions that it does not know yet
        }
        try {
            ClassReader reader = new ClassReader(bytes);
            classes.put(reader.getClassName(), new Header(reader.getClassName(),
                    reader.getAccess(), reader.getSuperName(), List.of(reader.getInterfaces())));
        } catch (RuntimeException noClass) {
            // Loading it will report what is wrong with it.
        }
    }

    /** The concrete classes below a class or interface of a CUP runtime. */
    private String[] those(Predicate<String> ancestor) {
        List<String> found = new ArrayList<>();
        for (Header header : classes.values()) {
            boolean concrete =
                    (header.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0;
            if (concrete && isBelow(header, ancestor)) {
                found.add(header.name.replace('/', '.'));
            }
        }
        found.sort(null);
        return found.toArray(String[]::new);
    }

    private boolean isBelow(Header header, Predicate<String> ancestor) {
        if (header == null) {
            return false;
        }
        List<String> parents = new ArrayList<>(header.interfaces);
        if (header.superName != null) {
            parents.add(header.superName);
        }
        return parents.stream().anyMatch(parent ->
                ancestor.test(parent) || isBelow(classes.get(parent), ancestor));
    }
}
