package org.gramspect.agent;

import org.gramspect.agent.antlr.LexerRewriter;
import org.gramspect.agent.antlr.ParserRewriter;
import org.gramspect.agent.cup.RuntimeRewriter;
import org.gramspect.agent.javacc.Recordings;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes classes report what they do. */
final class Rewriters {
    private Rewriters() {}

    /** The parser class of a session; null if it may stay as it is. */
    static byte[] parser(Session session, ClassLoader loader, byte[] code) {
        ClassReader reader = new ClassReader(code);
        Features features = new Features();
        reader.accept(features, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        if (features.isCup) {
            return null; // its runtime is rewritten
        } else if (!features.isAntlr && !features.isJavacc) {
            throw new IllegalArgumentException(
                    "no parser that ANTLR 4, JavaCC or CUP has generated");
        }
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        return through(reader, writer, features.isAntlr
                ? new ParserRewriter(writer, session)
                : Recordings.rewriter(session, loader, code, writer));
    }

    /** The lexer of a runtime of ANTLR. */
    static byte[] lexer(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        return through(reader, writer, new LexerRewriter(writer));
    }

    /** The class with the loop of a runtime of CUP. */
    static byte[] loop(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        return through(reader, writer, new RuntimeRewriter(writer));
    }

    private static byte[] through(ClassReader reader, ClassWriter writer, ClassVisitor change) {
        reader.accept(change, 0);
        return writer.toByteArray();
    }

    /** What tells the classes of the parser generators apart. */
    private static final class Features extends ClassVisitor {
        boolean isAntlr;
        boolean isCup;
        boolean isJavacc;

        Features() {
            super(Opcodes.ASM9);
        }

        @Override
        public FieldVisitor visitField(int access, String name,
                String descriptor, String signature, Object value) {
            isAntlr |= name.equals("_ATN");
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor,
                String signature, String[] exceptions) {
            isCup |= name.equals("production_table");
            isJavacc |= name.equals("jj_consume_token");
            return null;
        }
    }
}
