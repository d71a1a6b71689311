package org.gramspect.cup;

import java.io.IOException;
import java.io.InputStream;
import org.gramspect.isolation.IsolatedLoader;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** The package of the CUP runtime that a class is made for, which may be renamed. */
final class RuntimePackage {
    private static final String USUAL = "java_cup.runtime";

    private RuntimePackage() {}

    /** {@link java_cup.runtime.Access}, defined in a package of a user's loader. */
    static CupRuntime access(IsolatedLoader loader, String packageName) {
        String file = "/java_cup/runtime/Access.class";
        try (InputStream stream = RuntimePackage.class.getResourceAsStream(file)) {
            ClassReader reader = new ClassReader(stream.readAllBytes());
            ClassWriter writer = new ClassWriter(0);
            reader.accept(new ClassRemapper(writer, new Remapper(Opcodes.ASM9) {
                @Override
                public String map(String name) {
                    return name.startsWith(USUAL.replace('.', '/') + "/")
                            ? (packageName + name.substring(USUAL.length())).replace('.', '/')
                            : name;
                }
            }), 0);
            return (CupRuntime) loader.define(writer.toByteArray())
                    .getDeclaredConstructor().newInstance();
        } catch (IOException | ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The package of the {@code lr_parser} or {@code Scanner} that a class extends; null if none. */
    static String of(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getSimpleName().equals("lr_parser")) {
                return c.getPackageName();
            }
            for (Class<?> each : c.getInterfaces()) {
                if (each.getSimpleName().equals("Scanner") && hasNextToken(each)) {
                    return each.getPackageName();
                }
            }
        }
        return null;
    }

    private static boolean hasNextToken(Class<?> type) {
        try {
            return type.getMethod("next_token").getReturnType().getSimpleName().equals("Symbol");
        } catch (NoSuchMethodException other) {
            return false;
        }
    }
}
