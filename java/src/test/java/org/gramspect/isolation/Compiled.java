package org.gramspect.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Classes compiled for a test. */
final class Compiled {
    private Compiled() {}

    /** Compiles a class without package into a folder and loads it in a loader of its own. */
    static IsolatedLoader loader(Path folder, String name, String source)
            throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", folder.toString(), file.toString());
        if (status != 0) {
            throw new IllegalArgumentException(source);
        }
        return IsolatedLoader.of(new String[] {folder.toString()}, null);
    }
}
