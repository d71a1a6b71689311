package org.gramspect.compiling;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Class files in memory, which a class loader takes like a folder of them. */
public final class MemoryClasses {
    private final Map<String, byte[]> files = new HashMap<>();

    /** Adds a class by its binary name. */
    void put(String className, byte[] bytes) {
        files.put("/" + className.replace('.', '/') + ".class", bytes);
    }

    void putAll(Map<String, byte[]> classes) {
        classes.forEach(this::put);
    }

    /** Writes all class files to the folders of their packages below another one. */
    void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey().substring(1));
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    URL url() {
        try {
            return new URL(null, "memory:/", new Handler());
        } catch (MalformedURLException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private final class Handler extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            byte[] bytes = files.get(url.getPath());
            if (bytes == null) {
                throw new FileNotFoundException(url.getPath());
            }
            return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(bytes);
                }
            };
        }
    }
}
