package org.gramspect.javacc;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.gramspect.compiling.UserClasses;
import org.gramspect.compiling.UserProblem;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/** A generated parser class: what it consists of, and runners for it. */
public final class LoadedParser {
    final UserClasses classes;
    final ParserOutline outline;
    final String className;
    private final List<String> kindNames = new ArrayList<>();
    private String[] images = {};
    private long[] deliverable;

    private LoadedParser(UserClasses classes, ParserOutline outline, String className) {
        this.classes = classes;
        this.outline = outline;
        this.className = className;
    }

    /** Reads a class; nothing of it runs but the initializers of its constants. */
    static LoadedParser of(UserClasses classes, String className) throws UserProblem {
        byte[] bytes;
        try {
            bytes = classes.bytes(className);
        } catch (IOException unreadable) {
            throw new UserProblem("cannot be read (" + unreadable.getMessage() + ")");
        }
        if (bytes == null) {
            throw new UserProblem("there is no class " + className + "; " + UserProblem.CLASSPATH);
        }
        ParserOutline outline;
        try {
            outline = ParserOutline.read(bytes);
        } catch (RuntimeException malformed) {
            throw new UserProblem(className + " is no class file, or is of a Java newer than "
                    + Runtime.version().feature());
        }
        if (outline == null) {
            throw new UserProblem(className + " is no parser that JavaCC has generated");
        }
        LoadedParser parser = new LoadedParser(classes, outline, className);
        parser.readTokens();
        return parser;
    }

    /**
     * Puts static fields back: all of them if the parser has been compiled just now, else those of its
     * package; libraries are used to being called again and again.
     */
    void restoreStatics(IsolatedLoader loader) {
        if (classes.areGenerated()) {
            loader.restoreStatics();
        } else {
            loader.restoreStatics(className.substring(0, Math.max(0, className.lastIndexOf('.'))));
        }
    }

    /** The token kinds: the interface that the parser implements, and the lexer's bit set of kinds. */
    private void readTokens() throws UserProblem {
        IsolatedLoader loader = classes.loader(null);
        Outcome<Void> outcome;
        try {
            outcome = Guard.quietly(loader, () -> Guard.call(() -> {
                Class<?> parser = Class.forName(className, false, loader);
                Class<?> constants = constants(parser);
                if (constants != null) {
                    images = (String[]) field(constants, "tokenImage").get(null);
                    readNames(classes.bytes(constants.getName()));
                }
                Class<?> lexer = parser.getDeclaredField("token_source").getType();
                Field kinds = field(lexer, "jjtoToken");
                deliverable = kinds == null ? null : (long[]) kinds.get(null);
                return null;
            }));
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        if (!outcome.returned()) {
            throw UserProblem.of(className, outcome);
        }
    }

    private static Class<?> constants(Class<?> parser) {
        for (Class<?> type = parser; type != null; type = type.getSuperclass()) {
            for (Class<?> candidate : type.getInterfaces()) {
                if (field(candidate, "tokenImage") != null) {
                    return candidate;
                }
            }
        }
        return null;
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException missing) {
            return null;
        }
    }

    /** Kinds come first, in ascending order; the lexical states after them start at 0 again. */
    private void readNames(byte[] constants) {
        new ClassReader(constants).accept(new ClassVisitor(Opcodes.ASM9) {
            private int last = -1;

            @Override
            public FieldVisitor visitField(
                    int access, String name, String descriptor, String signature, Object value) {
                if (value instanceof Integer kind) {
                    if (kind > last) {
                        while (kindNames.size() < kind) {
                            kindNames.add("");
                        }
                        kindNames.add(name);
                        last = kind;
                    } else {
                        last = Integer.MAX_VALUE;
                    }
                }
                return null;
            }
        }, ClassReader.SKIP_CODE);
    }

    public String className() {
        return className;
    }

    /** The file that the class was compiled from, as the compiler has noted it, or "". */
    public String sourceFile() {
        return outline.sourceFile == null ? "" : outline.sourceFile;
    }

    public String[] productions() {
        return outline.productions.stream().map(ParserOutline.Production::name)
                .toArray(String[]::new);
    }

    /** {@link ParserOutline#numbers}. */
    public int[] outline() {
        return outline.numbers();
    }

    /** {@link ParserOutline#digests}. */
    public int[] digests() {
        return outline.digests();
    }

    /** The names of the token kinds, "" for those without one. */
    public String[] kindNames() {
        return kindNames.toArray(String[]::new);
    }

    /** What generated code calls the kinds: literals in quotes, names in angle brackets. */
    public String[] images() {
        return images;
    }

    /** The kinds that the lexer can deliver, as bits; empty if that is not known. */
    public long[] deliverable() {
        return deliverable == null ? new long[0] : deliverable;
    }

    /**
     * A runner.
     *
     * @param unrecorded pairs of production and site (from 1): sites that are not recorded; productions
     *     that are not recorded at all have the site 0
     * @param start the production to start with
     * @param call Java code that runs the parser on the String {@code text}; null: the parser is made by a
     *     constructor of its own, and the start production called
     * @param allowTrailing whether the start production need not consume everything
     */
    public Runner runner(int[] unrecorded, int start, String call, boolean allowTrailing)
            throws UserProblem {
        if (call != null) {
            classes.add(Calling.compile(call, className, classes));
        }
        return new Runner(this, sites(unrecorded), start, call != null, allowTrailing);
    }

    private int[][] sites(int[] unrecorded) {
        int[][] numbers = outline.sites();
        for (int i = 0; i < unrecorded.length; i += 2) {
            int production = unrecorded[i];
            if (unrecorded[i + 1] == 0) {
                numbers[production] = null;
                continue;
            }
            int candidate = outline.productions.get(production).sites()
                    .get(unrecorded[i + 1] - 1).candidate();
            numbers[production][candidate] = 0;
        }
        return numbers;
    }
}
