package org.gramspect.javacc;

import org.gramspect.isolation.ClassRewriter;
import org.gramspect.javacc.ParserOutline.Production;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes a generated parser call its {@link Recording} while it is loaded.
 *
 * <p>Productions report that they are entered and left, and the sites in them that they are reached;
 * what decides between alternatives, the methods that look ahead included, is not touched.
 */
public final class Instrumenter implements ClassRewriter {
    static final String FIELD = "$gramspect";

    private static final String RECORDING = Type.getInternalName(Recording.class);
    private static final String FIELD_TYPE = Type.getDescriptor(Recording.class);

    private final ParserOutline outline;

    /**
     * By production and candidate: the number of the site, or 0 if it is not recorded; null if the
     * production is not.
     */
    private final int[][] sites;
    private final int observer;

    Instrumenter(ParserOutline outline, int[][] sites, Observer observer) {
        this.outline = outline;
        this.sites = sites;
        this.observer = observer.number;
    }

    /** Records everything. */
    public Instrumenter(ParserOutline outline, Observer observer) {
        this(outline, outline.sites(), observer);
    }

    @Override
    public ClassVisitor rewrite(String className, ClassVisitor next) {
        return className.replace('.', '/').equals(outline.className) ? new Parser(next) : next;
    }

    private final class Parser extends ClassVisitor {
        private boolean hasFrames;
        private boolean hasInitializer;

        Parser(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature,
                String superName, String[] interfaces) {
            hasFrames = (version & 0xffff) >= Opcodes.V1_6;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor,
                String signature, String[] exceptions) {
            MethodVisitor next =
                    super.visitMethod(access, name, descriptor, signature, exceptions);
            int production = outline.production(outline.className, name, descriptor);
            if (production >= 0 && sites[production] != null) {
                return new ProductionHooks(next, production, hasFrames);
            } else if (name.equals("<init>") && !outline.isStatic) {
                return new ConstructorHooks(next);
            } else if (name.equals("<clinit>") && outline.isStatic) {
                hasInitializer = true;
                return new InitializerHooks(next);
            } else if (name.equals(Calls.CONSUME)) {
                return new ErrorHook(next);
            } else if (name.equals(Calls.NEXT)) {
                return new SkipHook(next);
            } else if (name.equals(Calls.RENEW)) {
                return new RenewalHook(next);
            }
            return next;
        }

        @Override
        public void visitEnd() {
            int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC
                    | (outline.isStatic ? Opcodes.ACC_STATIC : 0);
            if (outline.isStatic && !hasInitializer) {
                MethodVisitor code =
                        visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
                code.visitCode();
                code.visitInsn(Opcodes.RETURN);
                code.visitMaxs(0, 0);
                code.visitEnd();
            }
            super.visitField(access, FIELD, FIELD_TYPE, null, null).visitEnd();
            super.visitEnd();
        }
    }

    /** Code that calls the recording of a parser. */
    private class Hooks extends MethodVisitor {
        Hooks(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        void loadRecording() {
            if (outline.isStatic) {
                mv.visitFieldInsn(Opcodes.GETSTATIC, outline.className, FIELD, FIELD_TYPE);
            } else {
                mv.visitVarInsn(Opcodes.ALOAD, 0);
                mv.visitFieldInsn(Opcodes.GETFIELD, outline.className, FIELD, FIELD_TYPE);
            }
        }

        void createRecording() {
            push(observer);
            mv.visitMethodInsn(
                    Opcodes.INVOKESTATIC, RECORDING, "create", "(I)" + FIELD_TYPE, false);
        }

        void loadParser() {
            if (outline.isStatic) {
                mv.visitInsn(Opcodes.ACONST_NULL);
            } else {
                mv.visitVarInsn(Opcodes.ALOAD, 0);
            }
        }

        void call(String method, String descriptor) {
            mv.visitMethodInsn(Opcodes.INVOKEVIRTUAL, RECORDING, method, descriptor, false);
        }

        /** The token on the stack is one that Java code has consumed. */
        void reportSkipped() {
            mv.visitInsn(Opcodes.DUP);
            loadRecording();
            mv.visitInsn(Opcodes.SWAP);
            call("skipped", "(Ljava/lang/Object;)V");
        }

        void push(int number) {
            if (number <= 5) {
                mv.visitInsn(Opcodes.ICONST_0 + number);
            } else if (number <= Byte.MAX_VALUE) {
                mv.visitIntInsn(Opcodes.BIPUSH, number);
            } else if (number <= Short.MAX_VALUE) {
                mv.visitIntInsn(Opcodes.SIPUSH, number);
            } else {
                mv.visitLdcInsn(number);
            }
        }
    }

    private final class ConstructorHooks extends Hooks {
        ConstructorHooks(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                mv.visitVarInsn(Opcodes.ALOAD, 0);
                createRecording();
                mv.visitFieldInsn(Opcodes.PUTFIELD, outline.className, FIELD, FIELD_TYPE);
            }
            super.visitInsn(opcode);
        }
    }

    /** Before anything else of a static parser. */
    private final class InitializerHooks extends Hooks {
        InitializerHooks(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            createRecording();
            mv.visitFieldInsn(Opcodes.PUTSTATIC, outline.className, FIELD, FIELD_TYPE);
        }
    }

    private final class ErrorHook extends Hooks {
        ErrorHook(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ATHROW) {
                mv.visitInsn(Opcodes.DUP);
                loadRecording();
                mv.visitInsn(Opcodes.SWAP);
                loadParser();
                call("failed", "(Ljava/lang/Throwable;Ljava/lang/Object;)V");
            }
            super.visitInsn(opcode);
        }
    }

    /** In getNextToken, which Java code calls. */
    private final class SkipHook extends Hooks {
        SkipHook(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                reportSkipped();
            }
            super.visitInsn(opcode);
        }
    }

    /** Before a parser is given another text. */
    private final class RenewalHook extends Hooks {
        RenewalHook(MethodVisitor next) {
            super(next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            loadRecording();
            mv.visitMethodInsn(
                    Opcodes.INVOKESTATIC, RECORDING, "renew", "(" + FIELD_TYPE + ")V", false);
        }
    }

    private final class ProductionHooks extends Hooks {
        private final int number;
        private final boolean hasFrames;
        private final Production production;
        private final Label start = new Label();
        private int candidate;

        ProductionHooks(MethodVisitor next, int number, boolean hasFrames) {
            super(next);
            this.number = number;
            this.hasFrames = hasFrames;
            this.production = outline.productions.get(number);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            loadRecording();
            push(number);
            loadParser();
            call("enter", "(ILjava/lang/Object;)V");
            mv.visitLabel(start);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean inInterface) {
            boolean calls = outline.production(owner, name, descriptor) >= 0;
            boolean consumes = Calls.consumes(outline.className, owner, name);
            int site = calls || consumes ? sites[number][candidate++] : 0;
            if (site > 0 && calls) {
                report("at", site);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, inInterface);
            if (site > 0 && consumes) {
                report("consumed", site);
            } else if (name.equals(Calls.CONSUME) && consumes) {
                reportSkipped();
            }
        }

        private void report(String method, int site) {
            loadRecording();
            push(site);
            call(method, "(I)V");
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                loadRecording();
                call("exit", "()V");
            }
            super.visitInsn(opcode);
        }

        /** Adds, after all other code, a handler for exceptions that leave the production. */
        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            Label end = new Label();
            mv.visitLabel(end);
            mv.visitTryCatchBlock(start, end, end, null);
            if (hasFrames) {
                Object[] locals =
                        production.isStatic() ? new Object[0] : new Object[] {outline.className};
                mv.visitFrame(Opcodes.F_FULL, locals.length, locals, 1,
                        new Object[] {"java/lang/Throwable"});
            }
            mv.visitInsn(Opcodes.DUP);
            loadRecording();
            mv.visitInsn(Opcodes.SWAP);
            call("abandon", "(Ljava/lang/Throwable;)V");
            mv.visitInsn(Opcodes.ATHROW);
            super.visitMaxs(maxStack, maxLocals);
        }
    }
}
