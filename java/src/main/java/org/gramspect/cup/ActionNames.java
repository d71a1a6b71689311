package org.gramspect.cup;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The names of non-terminals in the code that runs a parser's actions: every action makes the symbol of its
 * left-hand side by {@code newSymbol("name", number, ...)}.
 */
final class ActionNames {
    /**
     * CUP's own start symbol, whose name is left out: in some versions another non-terminal has its number.
     */
    private static final String START = "$START";

    private ActionNames() {}

    /** The names by number; null where they are not found. */
    static String[] of(ClassLoader loader, Class<?> parser, int nonterminals) {
        String[] names = new String[nonterminals];
        try {
            Field actions = parser.getDeclaredField("action_obj");
            String file = actions.getType().getName().replace('.', '/') + ".class";
            try (InputStream stream = loader.getResourceAsStream(file)) {
                if (stream != null) {
                    new ClassReader(stream.readAllBytes()).accept(
                            visitor(names), ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
                }
            }
        } catch (NoSuchFieldException | IOException | RuntimeException unknown) {
            // A parser can be used without the names of its non-terminals.
        }
        return names;
    }

    private static ClassVisitor visitor(String[] names) {
        return new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String type,
                    String signature, String[] exceptions) {
                return new Calls(names);
            }
        };
    }

    /** Looks for a string followed by a number, and then a call of {@code newSymbol}. */
    private static final class Calls extends MethodVisitor {
        private final String[] names;
        private String string;
        private String name;
        private int number;

        Calls(String[] names) {
            super(Opcodes.ASM9);
            this.names = names;
        }

        private void constant(int value) {
            if (string != null) {
                name = string;
                number = value;
            }
            string = null;
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof Integer constant) {
                constant(constant);
            } else {
                string = value instanceof String text ? text : null;
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.ICONST_0 && opcode <= Opcodes.ICONST_5) {
                constant(opcode - Opcodes.ICONST_0);
            } else {
                string = null;
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            constant(operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            string = null;
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String called, String type, boolean inInterface) {
            string = null;
            boolean known = name != null && number < names.length && !name.equals(START);
            if (called.equals("newSymbol") && known) {
                names[number] = name;
                name = null;
            }
        }
    }
}
