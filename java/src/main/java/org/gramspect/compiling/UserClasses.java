package org.gramspect.compiling;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gramspect.isolation.ClassRewriter;
import org.gramspect.isolation.IsolatedLoader;

/** Where the classes of a user are: jars and folders, and what has been compiled just now. */
public final class UserClasses {
    private final MemoryClasses compiled = new MemoryClasses();
    private final String[] paths;
    private final URL[] urls;
    private boolean areGenerated;

    public UserClasses(String[] paths) {
        this.paths = paths;
        List<URL> all = new ArrayList<>(List.of(compiled.url()));
        for (String path : paths) {
            try {
                all.add(new File(path).toURI().toURL());
            } catch (MalformedURLException impossible) {
                throw new IllegalArgumentException(path, impossible);
            }
        }
        urls = all.toArray(URL[]::new);
    }

    /** Adds the classes of a parser that has been generated just now. */
    public void addGenerated(Map<String, byte[]> classes) {
        add(classes);
        areGenerated = true;
    }

    public void add(Map<String, byte[]> classes) {
        compiled.putAll(classes);
    }

    public boolean areGenerated() {
        return areGenerated;
    }

    /** The paths as javac and java want them. */
    public String path() {
        return String.join(File.pathSeparator, paths);
    }

    /** The same with the classes that have been compiled just now, which are written to a folder. */
    public String path(Path folder) throws IOException {
        compiled.writeTo(folder);
        return String.join(File.pathSeparator, folder.toString(), path());
    }

    public IsolatedLoader loader(ClassRewriter rewriter) {
        return new IsolatedLoader(urls, rewriter);
    }

    /** The class file of a class, or null. */
    public byte[] bytes(String className) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            URL place = loader.findResource(className.replace('.', '/') + ".class");
            if (place == null) {
                return null;
            }
            try (InputStream stream = place.openStream()) {
                return stream.readAllBytes();
            }
        }
    }
}
