package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.LexerNoViableAltException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.tool.LexerGrammar;

/** The grammar's own lexer, interpreted. */
public final class TextLexer {
    /** So many tokens in a row without a character, and the lexer is taken to be in a loop. */
    private static final int EMPTY_TOKENS = 10_000;

    enum Letters { AS_THEY_ARE, UPPER, LOWER }

    /**
     * The tokens that the parser sees, the end of the input last, and the first lexical error: the
     * number of tokens before it (-1: there is none), where it is (column from 1) and its text.
     */
    record Tokens(List<Token> tokens, int error, int line, int column, String message) {}

    /**
     * Where the lexer died: what it had read of a token, the character that nothing could read
     * (-1: the end of the input), and the token rules that it has to do with.
     */
    public record Death(String read, int character, LexerSuspects.Suspect[] suspects) {}

    private final LexerInterpreter lexer;
    private final Letters letters;
    private final FirstError listener = new FirstError();

    TextLexer(LexerGrammar grammar, Letters letters) {
        this.lexer = grammar.createLexerInterpreter(CharStreams.fromString(""));
        this.letters = letters;
        lexer.removeErrorListeners();
        lexer.addErrorListener(listener);
    }

    Tokens tokens(String text) {
        CharStream stream = CharStreams.fromString(text);
        lexer.setInputStream(letters == Letters.AS_THEY_ARE
                ? stream
                : new CaseChangingStream(stream, letters == Letters.UPPER));
        List<Token> tokens = new ArrayList<>();
        listener.begin(tokens);
        int empty = 0;
        Token token;
        do {
            int before = stream.index();
            token = lexer.nextToken();
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                tokens.add(token);
            }
            empty = stream.index() == before ? empty + 1 : 0;
            if (empty > EMPTY_TOKENS) {
                throw new IllegalStateException("the lexer makes empty tokens for ever at line "
                        + token.getLine() + ", column " + (token.getCharPositionInLine() + 1));
            }
        } while (token.getType() != Token.EOF);
        return new Tokens(tokens, listener.error, listener.line, listener.column, listener.message);
    }

    /** What is known about the first lexical error of a text, if there is one. */
    Death death(String text, LexerSuspects suspects) {
        listener.watch(lexer, suspects);
        try {
            tokens(text);
            return listener.death;
        } finally {
            listener.watch(null, null);
        }
    }

    private static final class FirstError extends BaseErrorListener {
        private List<Token> tokens;
        private int error;
        private int line;
        private int column;
        private String message;

        private LexerInterpreter watched;
        private LexerSuspects suspects;
        private Death death;

        void watch(LexerInterpreter lexer, LexerSuspects suspects) {
            this.watched = lexer;
            this.suspects = suspects;
        }

        void begin(List<Token> tokens) {
            this.tokens = tokens;
            error = -1;
            message = null;
            death = null;
        }

        @Override
        public void syntaxError(Recognizer<?, ?> lexer, Object symbol, int line, int column,
                String message, RecognitionException problem) {
            if (error < 0) {
                error = tokens.size();
                this.line = line;
                this.column = column + 1;
                this.message = message;
                if (watched != null && problem instanceof LexerNoViableAltException stuck) {
                    death = death(stuck);
                }
            }
        }

        private Death death(LexerNoViableAltException stuck) {
            CharStream input = watched.getInputStream();
            int first = stuck.getStartIndex();
            int last = input.index() - 1;
            int character = input.LA(1);
            boolean fresh = last < first;
            List<LexerSuspects.Suspect> found = fresh
                    ? suspects.naming(character, watched.getATN())
                    : suspects.waiting(stuck.getDeadEndConfigs(), watched._mode, watched.getATN());
            String read = fresh ? "" : input.getText(Interval.of(first, last));
            return new Death(read, character, found.toArray(LexerSuspects.Suspect[]::new));
        }
    }
}
