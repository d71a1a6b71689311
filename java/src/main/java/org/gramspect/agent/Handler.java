package org.gramspect.agent;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What is added to the end of a method: a handler for exceptions that leave it. */
public final class Handler {
    private Handler() {
    }

    /**
     * Begins a handler, after all other code, for what is thrown from {@code start} on; the
     * exception is on the stack then.
     */
    public static void begin(MethodVisitor mv, Label start, boolean hasFrames, String className) {
        Label end = new Label();
        mv.visitLabel(end);
        mv.visitTryCatchBlock(start, end, end, null);
        if (hasFrames) {
            mv.visitFrame(Opcodes.F_FULL, 1, new Object[] {className}, 1,
                    new Object[] {"java/lang/Throwable"});
        }
    }
}
