package org.gramspect.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;

/**
 * Finds the classes that are to report what they do while they are loaded: the parsers of the
 * sessions, and the lexers of ANTLR and the loop of CUP in runtimes of any package.
 *
 * <p>It names no class of ASM, which is loaded when there is something to change: most of what the
 * agent would cost a short program is loading classes.
 */
final class Rewriting implements ClassFileTransformer {
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
            ProtectionDomain domain, byte[] code) {
        if (name == null || redefined != null) {
            return null;
        }
        Session session = Session.ofClass(name);
        if (session != null) {
            byte[] parser = parser(session, loader, code);
            if (parser != null) {
                return parser;
            }
        }
        boolean isLexer = name.endsWith("/v4/runtime/Lexer");
        boolean isLoop = name.endsWith("/lr_parser");
        return (isLexer || isLoop) && Agent.isSeenBy(loader) ? runtime(isLexer, code) : null;
    }

    private static byte[] parser(Session session, ClassLoader loader, byte[] code) {
        try {
            if (!Agent.isSeenBy(loader)) {
                throw new IllegalArgumentException("its class loader does not see the agent");
            }
            return Rewriters.parser(session, loader, code);
        } catch (RuntimeException | Error problem) {
            Agent.complain(session.parser() + " is not recorded: " + problem.getMessage());
            return null;
        }
    }

    private static byte[] runtime(boolean isLexer, byte[] code) {
        try {
            return isLexer ? Rewriters.lexer(code) : Rewriters.loop(code);
        } catch (RuntimeException | Error problem) {
            Agent.complain((isLexer ? "errors of lexers" : "parsers of CUP")
                    + " are not recorded: " + problem.getMessage());
            return null;
        }
    }
}
