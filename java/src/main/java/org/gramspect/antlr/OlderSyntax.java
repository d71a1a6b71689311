package org.gramspect.antlr;

import static org.antlr.v4.parse.ANTLRLexer.ASSIGN;
import static org.antlr.v4.parse.ANTLRLexer.COLON;
import static org.antlr.v4.parse.ANTLRLexer.COMMA;
import static org.antlr.v4.parse.ANTLRLexer.GT;
import static org.antlr.v4.parse.ANTLRLexer.LPAREN;
import static org.antlr.v4.parse.ANTLRLexer.LT;
import static org.antlr.v4.parse.ANTLRLexer.OPTIONS;
import static org.antlr.v4.parse.ANTLRLexer.PLUS_ASSIGN;
import static org.antlr.v4.parse.ANTLRLexer.RBRACE;
import static org.antlr.v4.parse.ANTLRLexer.RPAREN;
import static org.antlr.v4.parse.ANTLRLexer.SEMI;
import static org.antlr.v4.parse.ANTLRLexer.TOKENS_SPEC;

import java.util.List;
import org.antlr.runtime.ANTLRStringStream;
import org.antlr.runtime.CommonToken;
import org.antlr.runtime.CommonTokenStream;
import org.antlr.runtime.Token;
import org.antlr.v4.parse.ANTLRLexer;
import org.antlr.v4.parse.ANTLRParser;
import org.antlr.v4.tool.Grammar;

/**
 * What ANTLR 3 wrote and ANTLR 4 accepted with a warning until 4.12, written as 4.13 reads it.
 *
 * <p>Characters are replaced one by one, so all positions stay as they are: {@code tokens { A; B; }}
 * gets commas, labels in lexer rules and the arrows of syntactic and gated predicates become blanks.
 */
final class OlderSyntax {
    /** The codes of the messages that the tool had for these until 4.12. */
    private static final int LEXER_LABEL = 201;
    private static final int TOKENS_SYNTAX = 202;
    private static final int GATED_SEMPRED = 204;
    private static final int SYNPRED = 205;

    private final StringBuilder text;
    private final List<? extends Token> tokens;
    private final Messages messages;

    private OlderSyntax(String text, Messages messages) {
        this.text = new StringBuilder(text);
        this.messages = messages;
        ANTLRLexer lexer = new QuietLexer(text);
        CommonTokenStream stream = new CommonTokenStream(lexer);
        lexer.tokens = stream; // it looks back at them to tell sets of characters from arguments
        stream.fill();
        this.tokens = stream.getTokens().stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .toList();
    }

    /** The text as the present release reads it; the same if there is nothing older in it. */
    static String modernized(String text, Messages messages) {
        OlderSyntax older = new OlderSyntax(text, messages);
        older.rewrite();
        return older.text.toString();
    }

    private void rewrite() {
        boolean inLexerRule = false;
        for (int i = 0; i < tokens.size(); i++) {
            switch (type(i)) {
                case COLON -> inLexerRule |= i > 0 && Grammar.isTokenName(tokens.get(i - 1).getText());
                case SEMI -> inLexerRule = false;
                case TOKENS_SPEC -> i = tokensSpec(i);
                case OPTIONS -> i = next(i, RBRACE);
                case GT -> arrow(i);
                case ASSIGN, PLUS_ASSIGN -> {
                    if (inLexerRule && isLabel(i)) {
                        messages.tolerated(tokens.get(i - 1), LEXER_LABEL,
                                "labels in lexer rules are not supported in ANTLR 4; left out");
                        blank(i - 1, i);
                    }
                }
                default -> { }
            }
        }
    }

    /** Makes commas of the semicolons but the last; returns the index of the closing brace. */
    private int tokensSpec(int first) {
        int last = next(first, RBRACE);
        boolean found = false;
        for (int i = first; i < last; i++) {
            if (type(i) == SEMI) {
                text.setCharAt(start(i), i == last - 1 ? ' ' : ',');
                found = true;
            }
        }
        if (found) {
            messages.tolerated(tokens.get(first), TOKENS_SYNTAX,
                    "tokens { A; B; } is tokens { A, B } since ANTLR 4");
        }
        return last;
    }

    /**
     * Takes out the arrow of a gated predicate, or a whole syntactic predicate, if {@code end} ends its
     * arrow {@code =>}.
     */
    private void arrow(int end) {
        if (end < 2 || type(end - 1) != ASSIGN || start(end - 1) != start(end) - 1) {
            return;
        }
        if (type(end - 2) == ANTLRParser.SEMPRED) {
            messages.tolerated(tokens.get(end - 1), GATED_SEMPRED,
                    "gated predicates {...}?=> are plain ones, {...}?, in ANTLR 4");
            blank(end - 1, end);
        } else if (type(end - 2) == RPAREN) {
            messages.tolerated(tokens.get(end - 1), SYNPRED,
                    "syntactic predicates (...)=> are not needed in ANTLR 4; left out");
            blank(opening(end - 2), end);
        }
    }

    private boolean isLabel(int place) {
        int before = place >= 2 ? type(place - 2) : LT;
        boolean isName = place >= 1 && tokens.get(place - 1).getText().matches("\\w+");
        boolean isOption = before == LT || before == COMMA;
        return isName && !isOption && place + 1 < tokens.size() && type(place + 1) != GT;
    }

    /** The parenthesis that a closing one belongs to. */
    private int opening(int closing) {
        int open = 0;
        for (int i = closing; i >= 0; i--) {
            open += type(i) == RPAREN ? 1 : type(i) == LPAREN ? -1 : 0;
            if (open == 0) {
                return i;
            }
        }
        return closing;
    }

    private int next(int from, int type) {
        int i = from;
        while (i < tokens.size() - 1 && type(i) != type) {
            i++;
        }
        return i;
    }

    private int type(int place) {
        return tokens.get(place).getType();
    }

    private int start(int place) {
        return ((CommonToken) tokens.get(place)).getStartIndex();
    }

    private void blank(int first, int last) {
        int end = ((CommonToken) tokens.get(last)).getStopIndex();
        for (int i = start(first); i <= end; i++) {
            if (!Character.isWhitespace(text.charAt(i))) {
                text.setCharAt(i, ' ');
            }
        }
    }

    /** Errors of the text are reported when it is parsed. */
    private static final class QuietLexer extends ANTLRLexer {
        QuietLexer(String text) {
            super(new ANTLRStringStream(text));
        }

        @Override
        public void emitErrorMessage(String message) {}
    }
}
