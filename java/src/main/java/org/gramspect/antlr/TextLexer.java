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
     * Where the lexer could not go on: what it had read of a token, the character that no rule could read
     * (-1: the end of the input), and the token rules that may be to blame.
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
     * The code of lexer rules that a text depends on and that is not run: the actions of its tokens,
     * and the rules whose predicates, if they were false, would make other tokens of it.
     */
    List<Skipped> skippedCode(String text) {
        List<Skipped> found = new ArrayList<>();
        Tokens taken = tokens(text);
        Set<String> predicates = lexer.predicatesMet();
        lexer.actionsMet().forEach(rule -> found.add(new Skipped("action", rule)));
        for (String rule : predicates) {
            if (!sameTokens(taken, tokensWithout(rule, text))) {
                found.add(new Skipped("predicate", rule));
            }
        }
        return found;
    }

    /** The tokens if the predicates of a rule are false; null if the lexer comes to no end then. */
    private Tokens tokensWithout(String rule, String text) {
        lexer.deny(rule);
        try {
            return tokens(text);
        } catch (IllegalStateException endless) {
            return null;
        } finally {
            lexer.deny(null);
        }
    }

    private static boolean sameTokens(Tokens one, Tokens other) {
        if (other == null || one.error != other.error || one.tokens.size() != other.tokens.size()) {
            return false;
        }
        for (int i = 0; i < one.tokens.size(); i++) {
            Token here = one.tokens.get(i);
            Token there = other.tokens.get(i);
            if (here.getType() != there.getType()
                    || here.getStartIndex() != there.getStartIndex()
                    || here.getStopIndex() != there.getStopIndex()) {
                return false;
            }
        }
        return true;
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
