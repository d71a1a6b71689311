package org.gramspect.agent.cup;

import org.gramspect.agent.Handler;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Makes the loop of CUP's runtime, whatever its package is called, report to a {@link ParserWatch}. */
public final class RuntimeRewriter extends ClassVisitor {
    private static final String FIELD = "$gramspect";
    private static final String WATCH = Type.getInternalName(ParserWatch.class);
    private static final String WATCH_TYPE = "L" + WATCH + ";";

    private String className;
    private boolean hasFrames;

    public RuntimeRewriter(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature,
            String superName, String[] interfaces) {
        className = name;
        hasFrames = (version & 0xffff) >= Opcodes.V1_6;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor,
            String signature, String[] exceptions) {
        MethodVisitor next =
                super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean isLoop = (name.equals("parse") || name.equals("debug_parse"))
                && descriptor.startsWith("()L");
        return isLoop ? new Loop(next) : next;
    }

    @Override
    public void visitEnd() {
        super.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC,
                FIELD, WATCH_TYPE, null, null).visitEnd();
        super.visitEnd();
    }

    private final class Loop extends MethodVisitor {
        private final Label start = new Label();

        Loop(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private void tell(String method, String told) {
            mv.visitVarInsn(Opcodes.ALOAD, 0);
            mv.visitFieldInsn(Opcodes.GETFIELD, className, FIELD, WATCH_TYPE);
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, WATCH, method,
                    "(" + told + WATCH_TYPE + ")V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            mv.visitVarInsn(Opcodes.ALOAD, 0);
            mv.visitInsn(Opcodes.DUP);
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, WATCH, "begin",
                    "(Ljava/lang/Object;)" + WATCH_TYPE, false);
            mv.visitFieldInsn(Opcodes.PUTFIELD, className, FIELD, WATCH_TYPE);
            mv.visitLabel(start);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name,
                String descriptor, boolean inInterface) {
            boolean scans = name.equals("scan") && descriptor.startsWith("()");
            if (scans) {
                tell("scans", "");
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, inInterface);
            if (scans) {
                mv.visitInsn(Opcodes.DUP);
                tell("scanned", "Ljava/lang/Object;");
            } else if (name.equals("get_action")) {
                mv.visitInsn(Opcodes.DUP);
                tell("acts", "I");
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                mv.visitInsn(Opcodes.ACONST_NULL);
                tell("ends", "Ljava/lang/Throwable;");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            Handler.begin(mv, start, hasFrames, className);
            mv.visitInsn(Opcodes.DUP);
            tell("ends", "Ljava/lang/Throwable;");
            mv.visitInsn(Opcodes.ATHROW);
            super.visitMaxs(maxStack, maxLocals);
        }
    }
}
