package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.antlr.runtime.CharStream;
import org.antlr.runtime.CommonToken;
import org.antlr.runtime.Token;
import org.antlr.v4.parse.ANTLRParser;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.ast.GrammarAST;

/** The meaning of the tool's syntax trees. */
final class Trees {
    private Trees() {}

    static List<GrammarAST> children(GrammarAST node) {
        List<GrammarAST> found = new ArrayList<>();
        for (int i = 0; i < node.getChildCount(); i++) {
            found.add((GrammarAST) node.getChild(i));
        }
        return found;
    }

    /** The alternatives of a rule or block. */
    static List<GrammarAST> alternatives(GrammarAST node) {
        GrammarAST block = node.getType() == ANTLRParser.RULE
                ? (GrammarAST) node.getFirstChildWithType(ANTLRParser.BLOCK)
                : node;
        return children(block).stream().filter(c -> c.getType() == ANTLRParser.ALT).toList();
    }

    /** An element without its label. */
    static GrammarAST unlabelled(GrammarAST node) {
        boolean labelled = node.getType() == ANTLRParser.ASSIGN
                || node.getType() == ANTLRParser.PLUS_ASSIGN;
        return labelled ? (GrammarAST) node.getChild(1) : node;
    }

    /** The types of the tokens that a wildcard or a negated set matches, ascending. */
    static int[] allowedTokens(GrammarAST node, Grammar grammar) {
        Set<Integer> excluded = node.getType() == ANTLRParser.WILDCARD
                ? Set.of()
                : children((GrammarAST) node.getChild(0)).stream()
                        .map(member -> grammar.getTokenType(member.getText()))
                        .collect(Collectors.toSet());
        return IntStream.rangeClosed(1, grammar.getMaxTokenType())
                .filter(type -> !excluded.contains(type))
                .toArray();
    }

    /**
     * Line and column of the start and of the exclusive end of a token, from 1, in code points. The
     * tool counts columns in UTF-16 units.
     */
    static int[] span(Token token) {
        int column = column(token);
        String text = written(token);
        int end = column + text.codePointCount(0, text.length());
        return new int[] {token.getLine(), column, token.getLine(), end};
    }

    /** The text of a token as it is in the file; literals may have been rewritten for the tool. */
    private static String written(Token token) {
        CharStream input = token.getInputStream();
        return input != null && token instanceof CommonToken placed
                ? input.substring(placed.getStartIndex(), placed.getStopIndex())
                : token.getText();
    }

    static int column(Token token) {
        int units = token.getCharPositionInLine();
        CharStream input = token.getInputStream();
        if (units <= 0 || input == null || !(token instanceof CommonToken placed)) {
            return units + 1;
        }
        int start = placed.getStartIndex();
        String before = input.substring(start - units, start - 1);
        return before.codePointCount(0, before.length()) + 1;
    }
}
