package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.LexerNoViableAltException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.tool.LexerGrammar;

/** The grammar's own lexer, interpreted. */
public final class TextLexer {
    enum Letters { AS_THEY_ARE, UPPER, LOWER }

    /**
     * The tokens that the parser sees, the end of the input last, and the first lexical error: the
     * number of tokens before it (-1: there is none), where it is (column from 1) and its text.
     */
    record Tokens(List<Token> tokens, int error, int line, int column, String message) {}

    /** Code of the target language in a rule that an interpreter does not run. */
    public record Skipped(String kind, String rule) {}

    /**
     * Where the lexer died: what it had read of a token, the character that nothing could read
     * (-1: the end of the input), and the token rules that it has to do with.
     */
    public record Death(String read, int character, LexerSuspects.Suspect[] suspects) {}

    private final ActingLexer lexer;
    private final Letters letters;
    private final FirstError listener = new FirstError();

    TextLexer(LexerGrammar grammar, LexerActions actions, Letters letters) {
        this.lexer = new ActingLexer(grammar, actions);
        this.letters = letters;
        lexer.removeErrorListeners();
        lexer.addErrorListener(listener);
    }

    Tokens tokens(String text) {
        CharStream stream = CharStreams.fromString(text);
        lexer.begin(letters == Letters.AS_THEY_ARE
                ? stream
                : new CaseChangingStream(stream, letters == Letters.UPPER));
        List<Token> tokens = new ArrayList<>();
        listener.begin(tokens);
        Token token;
        do {
            token = lexer.nextToken();
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                tokens.add(token);
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

    /**
     * The code of lexer rules that the last text met and that was not run, as "action" or
     * "predicate" and the name of the rule.
     */
    Set<Skipped> skippedCode() {
        return lexer.skippedCode();
    }

    private static final class FirstError extends BaseErrorListener {
        private List<Token> tokens;
        private int error;
        private int line;
        private int column;
        private String message;

        private ActingLexer watched;
        private LexerSuspects suspects;
        private Death death;

        void watch(ActingLexer lexer, LexerSuspects suspects) {
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
