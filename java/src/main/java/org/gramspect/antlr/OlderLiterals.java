package org.gramspect.antlr;

import static org.antlr.v4.parse.ANTLRParser.LEXER_CHAR_SET;
import static org.antlr.v4.parse.ANTLRParser.STRING_LITERAL;

import java.util.function.BiConsumer;
import org.antlr.runtime.Token;
import org.antlr.v4.misc.EscapeSequenceParsing;
import org.antlr.v4.tool.ast.GrammarAST;

/**
 * Literals and sets of characters with escapes that the tool does not know, in a syntax tree: the
 * backslash is left out, so that {@code '\<'} is {@code '<'}. Earlier releases read them without a
 * word, each in another way; later ones read nothing at all in their place.
 */
final class OlderLiterals {
    private OlderLiterals() {}

    /**
     * Rewrites the texts of the nodes; the positions of their tokens stay. Sets of characters that are
     * rewritten are reported to {@code complain}; literals have been reported by the tool's own lexer.
     */
    static void rewrite(GrammarAST node, BiConsumer<Token, String> complain) {
        boolean isSet = node.getType() == LEXER_CHAR_SET;
        if (isSet || node.getType() == STRING_LITERAL) {
            String written = node.getText();
            String known = withKnownEscapes(written, isSet);
            if (!known.equals(written)) {
                node.token.setText(known);
                if (isSet) {
                    complain.accept(node.token, "in " + written);
                }
            }
        }
        for (GrammarAST child : Trees.children(node)) {
            rewrite(child, complain);
        }
    }

    private static String withKnownEscapes(String text, boolean isSet) {
        StringBuilder known = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 >= text.length() - 1) {
                known.append(c);
                continue;
            }
            EscapeSequenceParsing.Result escape = EscapeSequenceParsing.parseEscape(text, i);
            boolean isKnown = switch (text.charAt(i + 1)) {
                case '\'' -> !isSet;
                case ']', '-', 'p', 'P' ->
                    isSet && escape.type != EscapeSequenceParsing.Result.Type.INVALID;
                default -> escape.type != EscapeSequenceParsing.Result.Type.INVALID;
            };
            if (isKnown) {
                known.append(c).append(text.charAt(i + 1));
                i++;
            }
        }
        return known.toString();
    }
}
