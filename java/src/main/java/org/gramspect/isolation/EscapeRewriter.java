package org.gramspect.isolation;

import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Keeps user code from ending the JVM, and from keeping it alive. Calls that end the JVM throw {@link
 * Exit}; threads that user code starts are daemons, as the thread that runs it is.
 */
final class EscapeRewriter extends ClassVisitor {
    private static final String EXIT = Type.getInternalName(Exit.class);
    private static final String THREADS = Type.getInternalName(Threads.class);
    private static final String FACTORY = "Ljava/util/concurrent/ThreadFactory;";

    /**
     * Methods of {@code Executors} whose threads are no daemons; each has a variant with a thread factory
     * as last parameter.
     */
    private static final Set<String> EXECUTORS = Set.of("newCachedThreadPool",
            "newFixedThreadPool", "newScheduledThreadPool", "newSingleThreadExecutor",
            "newSingleThreadScheduledExecutor");

    EscapeRewriter(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Calls(super.visitMethod(access, name, descriptor, signature, exceptions));
    }

    private static final class Calls extends MethodVisitor {
        Calls(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String type, boolean inInterface) {
            switch (owner) {
                case "java/lang/System" -> {
                    if (name.equals("exit")) {
                        call(EXIT, "exit", type);
                        return;
                    }
                }
                case "java/lang/Runtime" -> {
                    if (name.equals("exit") || name.equals("halt")) {
                        call(EXIT, "exit", "(Ljava/lang/Runtime;I)V");
                        return;
                    }
                }
                case "java/lang/Thread" -> {
                    if (name.equals("setDaemon")) {
                        call(THREADS, "setDaemon", "(Ljava/lang/Thread;Z)V");
                        return;
                    }
                }
                case "java/util/concurrent/Executors" -> {
                    if (EXECUTORS.contains(name) && !type.contains(FACTORY)) {
                        call(THREADS, "factory", "()" + FACTORY);
                        super.visitMethodInsn(
                                opcode, owner, name, type.replace(")", FACTORY + ")"), inInterface);
                        return;
                    }
                }
                default -> { }
            }
            super.visitMethodInsn(opcode, owner, name, type, inInterface);
        }

        private void call(String owner, String name, String type) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, type, false);
        }
    }
}
