package org.gramspect.isolation;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Makes user code throw {@link Exit} where it would end the JVM. */
final class ExitRewriter extends ClassVisitor {
    private static final String EXIT = Type.getInternalName(Exit.class);

    ExitRewriter(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        return new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitMethodInsn(
                    int opcode, String owner, String called, String type, boolean inInterface) {
                if (owner.equals("java/lang/System") && called.equals("exit")) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, EXIT, "exit", "(I)V", false);
                } else if (owner.equals("java/lang/Runtime")
                        && (called.equals("exit") || called.equals("halt"))) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, EXIT, "exit",
                            "(Ljava/lang/Runtime;I)V", false);
                } else {
                    super.visitMethodInsn(opcode, owner, called, type, inInterface);
                }
            }
        };
    }
}
