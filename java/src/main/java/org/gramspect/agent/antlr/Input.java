package org.gramspect.agent.antlr;

import static org.gramspect.antlr.Reflection.call;

import java.util.ArrayList;
import java.util.List;

/** What a parser of some runtime reads. */
final class Input {
    private static final int END_OF_FILE = -1;

    private final Object parser;
    private final Object stream;
    private final Object source;

    Input(Object parser) throws ReflectiveOperationException {
        this.parser = parser;
        this.stream = call(parser, "getTokenStream");
        this.source = call(stream, "getTokenSource");
    }

    /** The index of the next token. */
    int index() throws ReflectiveOperationException {
        return (int) call(stream, "index");
    }

    /** The index of the next token, 0 if the parser has seen none before it. */
    int start() throws ReflectiveOperationException {
        int index = index();
        return index > 0 && keepsTokens() && allHidden(index) ? 0 : Math.max(index, 0);
    }

    private boolean allHidden(int end) throws ReflectiveOperationException {
        for (int index = 0; index < end; index++) {
            if ((int) call(call(stream, "get", index), "getChannel") == 0) {
                return false;
            }
        }
        return true;
    }

    /** The next token. */
    Object next() throws ReflectiveOperationException {
        return call(stream, "LT", 1);
    }

    /** Whether there is no next token. */
    boolean isAtEnd() throws ReflectiveOperationException {
        return (int) call(stream, "LA", 1) == END_OF_FILE;
    }

    /** The stream of characters, or null. */
    Object characters() throws ReflectiveOperationException {
        return call(source, "getInputStream");
    }

    /** The whole text, or null if it is not kept. */
    String text() throws ReflectiveOperationException {
        Object characters = characters();
        boolean kept = characters != null
                && characters.getClass().getMethod("toString").getDeclaringClass() != Object.class;
        return kept ? characters.toString() : null;
    }

    private boolean keepsTokens() {
        try {
            stream.getClass().getMethod("getTokens");
            return true;
        } catch (NoSuchMethodException unbuffered) {
            return false;
        }
    }

    /** The tokens from an index on that the parser may see, as far as they were read; null if not kept. */
    List<Token> tokens(int first) throws ReflectiveOperationException {
        if (!keepsTokens()) {
            return null;
        }
        List<Token> found = new ArrayList<>();
        for (Object each : (List<?>) call(stream, "getTokens")) {
            Token token = Token.of(each);
            if (token.index >= first && token.channel == 0) {
                found.add(token);
            }
        }
        return found;
    }

    /** The first error of the lexer, or null. */
    LexicalErrors.Place lexicalError() {
        return LexicalErrors.of(source);
    }

    /** Whether this is the fast way of ANTLR's two, after which programs try the other one. */
    boolean isFirstTry() throws ReflectiveOperationException {
        Object simulator = call(parser, "getInterpreter");
        return call(simulator, "getPredictionMode").toString().equals("SLL");
    }

    /** A token; line and column are from 1. */
    record Token(int type, int index, int channel, int character, int line, int column) {
        static Token of(Object token) throws ReflectiveOperationException {
            return new Token((int) call(token, "getType"), (int) call(token, "getTokenIndex"),
                    (int) call(token, "getChannel"), (int) call(token, "getStartIndex"),
                    (int) call(token, "getLine"), 1 + (int) call(token, "getCharPositionInLine"));
        }
    }
}
