package org.gramspect.agent.antlr;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Makes the lexers of ANTLR's runtime, whatever its package is called, report to {@link LexicalErrors}. */
public final class LexerRewriter extends ClassVisitor {
    private static final String ERRORS = Type.getInternalName(LexicalErrors.class);

    public LexerRewriter(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor,
            String signature, String[] exceptions) {
        MethodVisitor next =
                super.visitMethod(access, name, descriptor, signature, exceptions);
        if (name.equals("reset")) {
            return new Resetting(next);
        }
        return name.equals("nextToken") ? new Reading(next) : next;
    }

    private static final class Resetting extends MethodVisitor {
        Resetting(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            mv.visitVarInsn(Opcodes.ALOAD, 0);
            mv.visitMethodInsn(
                    Opcodes.INVOKESTATIC, ERRORS, "forget", "(Ljava/lang/Object;)V", false);
        }
    }

    /** In nextToken: before the listeners hear of an error. */
    private static final class Reading extends MethodVisitor {
        Reading(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean inInterface) {
            if (name.equals("notifyListeners")) { // this, error
                mv.visitInsn(Opcodes.DUP2);
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, ERRORS, "note",
                        "(Ljava/lang/Object;Ljava/lang/Object;)V", false);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, inInterface);
        }
    }
}
