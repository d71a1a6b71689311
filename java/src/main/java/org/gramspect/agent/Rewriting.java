package org.gramspect.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.gramspect.agent.antlr.ParserRewriter;
import org.gramspect.agent.javacc.Recordings;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes the parser class of a session report what it does. */
final class Rewriting implements ClassFileTransformer {
    private final Session session;
    private final String className;

    Rewriting(Session session) {
        this.session = session;
        this.className = session.parser().replace('.', '/');
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
            ProtectionDomain domain, byte[] code) {
        if (!className.equals(name) || redefined != null) {
            return null;
        }
        try {
            if (!Agent.isSeenBy(loader)) {
                throw new IllegalArgumentException("its class loader does not see the agent");
            }
            return rewritten(loader, code);
        } catch (RuntimeException | Error problem) {
            Agent.complain(session.parser() + " is not recorded: " + problem.getMessage());
            return null;
        }
    }

    /** The class as it should be; null if it may stay as it is. */
    private byte[] rewritten(ClassLoader loader, byte[] code) {
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
        reader.accept(features.isAntlr
                ? new ParserRewriter(writer, session)
                : Recordings.rewriter(session, loader, code, writer), 0);
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
