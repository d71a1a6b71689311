package org.gramspect.isolation;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes a class report itself to {@link StaticState} when it has been initialized, if it has static
 * fields that may change.
 */
final class StaticStateRewriter extends ClassVisitor {
    private static final String STATE = Type.getInternalName(StaticState.class);

    private boolean isInterface;
    private boolean hasState;
    private boolean hasInitializer;

    StaticStateRewriter(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName,
            String[] interfaces) {
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public FieldVisitor visitField(
            int access, String name, String descriptor, String signature, Object value) {
        boolean constant = (access & Opcodes.ACC_FINAL) != 0 && descriptor.length() == 1;
        hasState |= (access & Opcodes.ACC_STATIC) != 0 && !constant;
        return super.visitField(access, name, descriptor, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        if (isInterface || !name.equals("<clinit>")) {
            return next;
        }
        hasInitializer = true;
        return new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.RETURN) {
                    report(this);
                }
                super.visitInsn(opcode);
            }
        };
    }

    @Override
    public void visitEnd() {
        if (hasState && !hasInitializer && !isInterface) {
            MethodVisitor initializer =
                    super.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
            initializer.visitCode();
            report(initializer);
            initializer.visitInsn(Opcodes.RETURN);
            initializer.visitMaxs(0, 0);
            initializer.visitEnd();
        }
        super.visitEnd();
    }

    private static void report(MethodVisitor code) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, STATE, "initialized", "()V", false);
    }
}
