package org.gramspect.jflex;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java_cup.runtime.Symbol;

/** The runtime of CUP that comes with gramspect, for users who bring none. */
final class OwnRuntime {
    private static final String PACKAGE = "java_cup/runtime/";
    private static final String CLASS = ".class";

    /** What gramspect puts into that package besides. */
    private static final String FOREIGN = PACKAGE + "Access" + CLASS;

    private static Map<String, byte[]> classes;

    private OwnRuntime() {}

    /** The class files by the names of the classes. */
    static synchronized Map<String, byte[]> classes() throws IOException {
        if (classes == null) {
            Map<String, byte[]> found = new HashMap<>();
            try (JarFile jar = new JarFile(jar())) {
                for (ZipEntry entry : jar.stream().filter(e -> isWanted(e.getName())).toList()) {
                    String name = entry.getName().replace('/', '.');
                    try (InputStream stream = jar.getInputStream(entry)) {
                        found.put(name.substring(0, name.length() - CLASS.length()), stream.readAllBytes());
                    }
                }
            }
            classes = found;
        }
        return classes;
    }

    /** Writes the class files below a folder, for a compiler. */
    static void write(Path folder) throws IOException {
        Files.createDirectories(folder.resolve(PACKAGE));
        for (Map.Entry<String, byte[]> entry : classes().entrySet()) {
            Files.write(folder.resolve(entry.getKey().replace('.', '/') + CLASS), entry.getValue());
        }
    }

    private static boolean isWanted(String name) {
        return name.startsWith(PACKAGE) && name.endsWith(CLASS) && !name.equals(FOREIGN);
    }

    private static File jar() {
        try {
            return new File(Symbol.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
