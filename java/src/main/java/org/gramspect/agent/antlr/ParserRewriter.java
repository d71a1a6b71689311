package org.gramspect.agent.antlr;

import org.gramspect.agent.Handler;
import org.gramspect.agent.Session;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes a parser that ANTLR has generated report to a {@link ParserWatch}: the rules that it enters and
 * leaves, the states that it passes, the tokens that it consumes, and its errors.
 */
public final class ParserRewriter extends ClassVisitor {
    private static final String FIELD = "$gramspect";
    private static final String WATCH = Type.getInternalName(ParserWatch.class);
    private static final String WATCH_TYPE = "L" + WATCH + ";";

    private static final String CONSUME = "consume";
    private static final String NOTIFY = "notifyErrorListeners";

    private final int session;
    private String className;
    private String superName;
    private boolean hasFrames;

    /** The package of the runtime, which may be a copy under another name. */
    private String runtime;
    private boolean consumesItself;
    private boolean notifiesItself;

    public ParserRewriter(ClassVisitor next, Session session) {
        super(Opcodes.ASM9, next);
        this.session = session.number();
    }

    @Override
    public void visit(int version, int access, String name, String signature,
            String superName, String[] interfaces) {
        this.className = name;
        this.superName = superName;
        this.hasFrames = (version & 0xffff) >= Opcodes.V1_6;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        if ((access & Opcodes.ACC_STATIC) != 0) {
            return next;
        } else if (name.equals("<init>")) {
            return new Constructor(next);
        } else if (name.equals(CONSUME) && descriptor.startsWith("()L")) {
            consumesItself = true;
            return new Consuming(next, descriptor);
        } else if (name.equals(NOTIFY) && Type.getArgumentTypes(descriptor).length == 3) {
            notifiesItself = true;
            return new Notifying(next);
        }
        return new Code(next);
    }

    @Override
    public void visitEnd() {
        super.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC,
                FIELD, WATCH_TYPE, null, null).visitEnd();
        if (runtime == null) {
            throw new IllegalArgumentException("it has no rules");
        }
        if (!consumesItself) {
            override(CONSUME, "()L" + runtime + "Token;", Opcodes.ARETURN);
        }
        if (!notifiesItself) {
            override(NOTIFY, "(L" + runtime + "Token;Ljava/lang/String;L" + runtime
                    + "RecognitionException;)V", Opcodes.RETURN);
        }
        super.visitEnd();
    }

    /** Adds a method that calls that of the superclass; it is rewritten like one that was there. */
    private void override(String name, String descriptor, int leave) {
        MethodVisitor code = visitMethod(Opcodes.ACC_PUBLIC, name, descriptor, null, null);
        code.visitCode();
        for (int i = 0; i <= Type.getArgumentTypes(descriptor).length; i++) {
            code.visitVarInsn(Opcodes.ALOAD, i);
        }
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, superName, name, descriptor, false);
        code.visitInsn(leave);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** Code that calls the watch of the parser; whatever it tells is on the stack. */
    private class Hooks extends MethodVisitor {
        Hooks(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        void tell(String method, String told) {
            mv.visitVarInsn(Opcodes.ALOAD, 0);
            mv.visitFieldInsn(Opcodes.GETFIELD, className, FIELD, WATCH_TYPE);
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, WATCH, method,
                    "(" + told + WATCH_TYPE + ")V", false);
        }
    }

    private final class Constructor extends Hooks {
        Constructor(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                mv.visitVarInsn(Opcodes.ALOAD, 0);
                mv.visitInsn(Opcodes.DUP);
                mv.visitLdcInsn(session);
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, WATCH, "create",
                        "(Ljava/lang/Object;I)" + WATCH_TYPE, false);
                mv.visitFieldInsn(Opcodes.PUTFIELD, className, FIELD, WATCH_TYPE);
            }
            super.visitInsn(opcode);
        }
    }

    private final class Consuming extends Hooks {
        private final String token;

        Consuming(MethodVisitor next, String descriptor) {
            super(next);
            token = Type.getReturnType(descriptor).getInternalName();
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                mv.visitInsn(Opcodes.DUP);
                mv.visitMethodInsn(Opcodes.INVOKEINTERFACE, token, "getType", "()I", true);
                tell("consumed", "I");
            }
            super.visitInsn(opcode);
        }
    }

    private final class Notifying extends Hooks {
        Notifying(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            mv.visitVarInsn(Opcodes.ALOAD, 1);
            mv.visitVarInsn(Opcodes.ALOAD, 2);
            tell("failed", "Ljava/lang/Object;Ljava/lang/String;");
        }
    }

    /** The method of a rule, or any other. */
    private final class Code extends Hooks {
        private Label start;

        Code(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean inInterface) {
            if (name.equals("setState") && descriptor.equals("(I)V")) {
                mv.visitInsn(Opcodes.DUP);
                tell("passes", "I");
            } else if (start == null && name.equals("enterRule") && descriptor.endsWith(";II)V")) {
                mv.visitInsn(Opcodes.DUP); // context, state, rule
                entered(descriptor);
            } else if (start == null && name.equals("enterRecursionRule")
                    && descriptor.endsWith(";III)V")) {
                mv.visitInsn(Opcodes.DUP2); // context, state, rule, precedence
                mv.visitInsn(Opcodes.POP);
                entered(descriptor);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, inInterface);
        }

        private void entered(String descriptor) {
            String context = Type.getArgumentTypes(descriptor)[0].getInternalName();
            runtime = context.substring(0, context.lastIndexOf('/') + 1);
            tell("enters", "I");
            start = new Label();
            mv.visitLabel(start);
        }

        @Override
        public void visitInsn(int opcode) {
            if (start != null && opcode == Opcodes.ARETURN) {
                tell("leaves", "");
            }
            super.visitInsn(opcode);
        }

        /** Adds, after all other code, a handler for exceptions that leave the rule. */
        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            if (start != null) {
                Handler.begin(mv, start, hasFrames, className);
                mv.visitInsn(Opcodes.DUP);
                tell("abandons", "Ljava/lang/Throwable;");
                mv.visitInsn(Opcodes.ATHROW);
            }
            super.visitMaxs(maxStack, maxLocals);
        }
    }
}
