package org.gramspect.cup;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.gramspect.isolation.ClassRewriter;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Parsers that override {@code parse()}: what they do before and after CUP's own loop runs as they wrote it,
 * and where they call that of the runtime, {@link Engine} runs in its place.
 *
 * <p>For this the loops in the runtime's {@code lr_parser} are changed as it is loaded: they come here first.
 * Parsers that are not under observation go on to the originals.
 */
public final class OwnParse {
    private static final String BASE = ".lr_parser";
    private static final Set<String> LOOPS = Set.of("parse", "debug_parse");
    private static final String ORIGINAL = "gramspect$";
    private static final ThreadLocal<OwnParse> RUNNING = new ThreadLocal<>();

    /** Ends a user's {@code parse()} when the verdict is there; no {@code catch (Exception)} takes it. */
    private static final class Stop extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final Object parser;
    private final Callable<Engine.End> loop;
    private final Supplier<Object> result;
    private Engine.End end;

    private OwnParse(Object parser, Callable<Engine.End> loop, Supplier<Object> result) {
        this.parser = parser;
        this.loop = loop;
        this.result = result;
    }

    /**
     * Lets a parser parse, with a loop in place of CUP's.
     *
     * @param result what the loop returns to the parser if it has accepted; null if it does not return
     * @return how the loop ended; null if the parser never came to it
     * @throws Exception what the loop or, after it has accepted, the parser throws
     */
    static Engine.End run(Object parser, Callable<Engine.End> loop, Supplier<Object> result)
            throws Exception {
        OwnParse outer = RUNNING.get();
        OwnParse own = new OwnParse(parser, loop, result);
        RUNNING.set(own);
        try {
            Method parse = parser.getClass().getMethod("parse");
            parse.setAccessible(true);
            unwrapped(() -> parse.invoke(parser));
        } catch (Stop verdict) {
            return own.end;
        } catch (Exception | Error thrown) {
            if (own.end == null || own.end == Engine.End.ACCEPTED) {
                throw thrown;
            }
        } finally {
            RUNNING.set(outer);
        }
        return own.end;
    }

    /** What the loop of that name in {@code lr_parser} does; it is called from rewritten code. */
    public static Object parse(Object parser, String name) throws Exception {
        OwnParse own = RUNNING.get();
        if (own == null || own.parser != parser) {
            Class<?> base = parser.getClass();
            while (!base.getName().endsWith(BASE)) {
                base = base.getSuperclass();
            }
            Method original = base.getDeclaredMethod(ORIGINAL + name);
            original.setAccessible(true);
            return unwrapped(() -> original.invoke(parser));
        }
        own.end = own.loop.call();
        Object result = own.end == Engine.End.ACCEPTED ? own.result.get() : null;
        if (result == null) {
            throw new Stop();
        }
        return result;
    }

    private static Object unwrapped(Callable<Object> call) throws Exception {
        try {
            return call.call();
        } catch (InvocationTargetException wrapped) {
            if (wrapped.getCause() instanceof Exception problem) {
                throw problem;
            }
            throw (Error) wrapped.getCause();
        }
    }

    /** Sends {@code parse()} of each runtime's {@code lr_parser} here; the original gets another name. */
    static final ClassRewriter REWRITER = (name, next) -> name.endsWith(BASE) ? rewriter(next) : next;

    private static ClassVisitor rewriter(ClassVisitor next) {
        return new ClassVisitor(Opcodes.ASM9, next) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String type, String generic, String[] thrown) {
                if (!LOOPS.contains(name) || !type.startsWith("()L")) {
                    return super.visitMethod(access, name, type, generic, thrown);
                }
                MethodVisitor code = super.visitMethod(access, name, type, generic, thrown);
                code.visitCode();
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitLdcInsn(name);
                code.visitMethodInsn(Opcodes.INVOKESTATIC, OwnParse.class.getName().replace('.', '/'),
                        "parse", "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;", false);
                code.visitTypeInsn(Opcodes.CHECKCAST, type.substring(3, type.length() - 1));
                code.visitInsn(Opcodes.ARETURN);
                code.visitMaxs(0, 0);
                code.visitEnd();
                return super.visitMethod(
                        access | Opcodes.ACC_FINAL, ORIGINAL + name, type, generic, thrown);
            }
        };
    }
}
