package org.gramspect.isolation;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;

/**
 * Loads user classes from jars and folders, apart from everything else in the JVM.
 *
 * <p>They see the JDK and each other. A class that the JDK keeps to itself does not hide one of that name
 * in a jar (old jars of JAXP have what became part of the JDK). Of gramspect's own classes they see those
 * that instrumented code calls. What they load is rewritten on the way, nothing on disk is: {@code System.exit} throws {@link
 * Exit}, static fields can be put back, and a {@link ClassRewriter} may do more.
 */
public final class IsolatedLoader extends URLClassLoader {
    private static final String OWN = "org.gramspect.";
    private static final int VERSION_OFFSET = 6;
    private static final int MAJOR_OF_JAVA_0 = 44;

    /** The packages of the JDK that no other module may use, such as {@code com.sun.org.apache.xalan.internal}. */
    private static final Set<String> CONCEALED = ModuleLayer.boot().modules().stream()
            .flatMap(module -> module.getPackages().stream().filter(name -> !module.isExported(name)))
            .collect(Collectors.toUnmodifiableSet());

    private final ClassRewriter rewriter;
    private final Predicate<String> shared;
    private final StaticState state = new StaticState();

    static {
        registerAsParallelCapable();
    }

    /**
     * @param urls jars, and folders (with a slash at the end) of classes
     * @param rewriter what it does to classes besides; null for nothing
     */
    public IsolatedLoader(URL[] urls, ClassRewriter rewriter) {
        this(urls, rewriter, name -> name.startsWith(OWN));
    }

    /**
     * @param shared the names of the classes that come from gramspect's own loader; to load some of its
     *     classes apart, leave them out and give the place that they are in
     */
    public IsolatedLoader(URL[] urls, ClassRewriter rewriter, Predicate<String> shared) {
        super("gramspect-isolated", urls, ClassLoader.getPlatformClassLoader());
        this.rewriter = rewriter;
        this.shared = shared;
    }

    /** A loader of the jars and folders with these paths. */
    public static IsolatedLoader of(String[] paths, ClassRewriter rewriter) {
        URL[] urls = new URL[paths.length];
        for (int i = 0; i < paths.length; i++) {
            try {
                urls[i] = new File(paths[i]).toURI().toURL();
            } catch (MalformedURLException impossible) {
                throw new IllegalArgumentException(paths[i], impossible);
            }
        }
        return new IsolatedLoader(urls, rewriter);
    }

    /** Adds a class of gramspect's to those of the user, as it is. */
    public Class<?> define(byte[] classFile) {
        return defineClass(null, classFile, 0, classFile.length);
    }

    /** Gives the static fields of all initialized classes the values they had then. */
    public void restoreStatics() {
        state.restore();
    }

    /** The same for the classes of one package: for large libraries, of which a part is used. */
    public void restoreStatics(String packageName) {
        state.restore(packageName);
    }

    StaticState staticState() {
        return state;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (shared.test(name)) {
            return IsolatedLoader.class.getClassLoader().loadClass(name);
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0 && CONCEALED.contains(name.substring(0, dot)) && hasOwn(name)) {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
        return super.loadClass(name, resolve);
    }

    private boolean hasOwn(String name) {
        return findResource(fileOf(name)) != null;
    }

    private static String fileOf(String name) {
        return name.replace('.', '/') + ".class";
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        URL place = findResource(fileOf(name));
        if (place == null) {
            throw new ClassNotFoundException(name);
        }
        byte[] original;
        try (InputStream stream = place.openStream()) {
            original = stream.readAllBytes();
        } catch (IOException problem) {
            throw new ClassNotFoundException(name, problem);
        }
        byte[] bytes = rewritten(name, original);
        definePackageOf(name);
        return defineClass(name, bytes, 0, bytes.length,
                new CodeSource(place, (Certificate[]) null));
    }

    private byte[] rewritten(String name, byte[] original) {
        checkVersion(name, original);
        ClassReader reader;
        try {
            reader = new ClassReader(original);
        } catch (RuntimeException malformed) {
            throw new ClassFormatError(name + " is no class file");
        }
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        ClassVisitor visitor = new EscapeRewriter(new StaticStateRewriter(writer));
        reader.accept(rewriter == null ? visitor : rewriter.rewrite(name, visitor), 0);
        return writer.toByteArray();
    }

    /**
     * Throws an error that names versions of Java; the JVM's own names versions of class files, which few
     * know.
     */
    private static void checkVersion(String name, byte[] bytes) {
        if (bytes.length < VERSION_OFFSET + 2) {
            throw new ClassFormatError(name + " is no class file");
        }
        int major = (bytes[VERSION_OFFSET] & 0xff) << 8 | bytes[VERSION_OFFSET + 1] & 0xff;
        int needed = major - MAJOR_OF_JAVA_0;
        int present = Runtime.version().feature();
        if (needed > present) {
            throw new UnsupportedClassVersionError(
                    name + " was compiled for Java " + needed + ", this is Java " + present);
        }
    }

    private void definePackageOf(String className) {
        int dot = className.lastIndexOf('.');
        if (dot > 0 && getDefinedPackage(className.substring(0, dot)) == null) {
            try {
                definePackage(className.substring(0, dot), null, null, null, null, null, null, null);
            } catch (IllegalArgumentException definedMeanwhile) {
                // by another thread
            }
        }
    }
}
