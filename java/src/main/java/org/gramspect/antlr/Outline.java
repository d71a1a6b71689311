package org.gramspect.antlr;

import static org.antlr.v4.parse.ANTLRParser.BLOCK;
import static org.antlr.v4.parse.ANTLRParser.CLOSURE;
import static org.antlr.v4.parse.ANTLRParser.NOT;
import static org.antlr.v4.parse.ANTLRParser.OPTIONAL;
import static org.antlr.v4.parse.ANTLRParser.POSITIVE_CLOSURE;
import static org.antlr.v4.parse.ANTLRParser.RULE_REF;
import static org.antlr.v4.parse.ANTLRParser.STRING_LITERAL;
import static org.antlr.v4.parse.ANTLRParser.TOKEN_REF;
import static org.antlr.v4.parse.ANTLRParser.WILDCARD;

import java.util.ArrayList;
import java.util.List;
import org.antlr.runtime.Token;
import org.antlr.runtime.TokenStream;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.ast.GrammarAST;
import org.gramspect.buffers.Numbers;

/**
 * The parser rules as the user wrote them, flattened: a sequence of nodes of {@link #WIDTH} numbers
 * each, {@code code, argument, file, line, column, end line, end column}. What has parts is followed by them and
 * by {@link #END}. The *elements*, which consume input or call a rule, are numbered in this order.
 */
final class Outline {
    static final int WIDTH = 7;

    static final int END = 0;
    /** The argument is the rule's index; the span is that of its name. Contains alternatives. */
    static final int RULE = 1;
    static final int ALTERNATIVE = 2;
    /** A token by its name; the argument is its type. An element. */
    static final int NAMED_TOKEN = 3;
    /** A token by its text. An element. */
    static final int LITERAL_TOKEN = 4;
    /** A call of the rule whose index is the argument. An element. */
    static final int CALL = 5;
    /** Any token, or any but some. Contains the tokens that it allows, one element for each. */
    static final int SET = 6;
    static final int GROUP = 8;
    static final int OPTION = 9;
    static final int STAR = 10;
    static final int PLUS = 11;

    private final Grammar grammar;
    private final Numbers nodes = new Numbers();
    private int file;
    private TokenStream tokens;
    private int elements;

    Outline(Grammar grammar) {
        this.grammar = grammar;
    }

    /** Adds a rule; for each of its alternatives the first element and after the last one. */
    List<int[]> addRule(int index, GrammarAST rule, int file, TokenStream tokens) {
        this.file = file;
        this.tokens = tokens;
        List<int[]> ranges = new ArrayList<>();
        node(RULE, index, Trees.span(((GrammarAST) rule.getChild(0)).getToken()));
        for (GrammarAST alternative : Trees.alternatives(rule)) {
            int first = elements;
            alternative(alternative);
            ranges.add(new int[] {first, elements});
        }
        end();
        return ranges;
    }

    int[] toArray() {
        return nodes.toArray();
    }

    int elements() {
        return elements;
    }

    private void node(int code, int argument, int[] span) {
        nodes.addAll(code, argument, file);
        nodes.addAll(span);
    }

    private void end() {
        nodes.addAll(new int[WIDTH]);
    }

    private void alternative(GrammarAST alternative) {
        List<GrammarAST> parts = Trees.children(alternative).stream()
                .map(Trees::unlabelled)
                .filter(Outline::isElementOrBlock)
                .toList();
        node(ALTERNATIVE, 0, alternativeSpan(alternative, parts));
        parts.forEach(this::part);
        end();
    }

    private int[] alternativeSpan(GrammarAST alternative, List<GrammarAST> parts) {
        if (!parts.isEmpty()) {
            int[] first = span(parts.get(0));
            int[] last = span(parts.get(parts.size() - 1));
            return new int[] {first[0], first[1], last[2], last[3]};
        }
        Token following = tokens.get(alternative.getTokenStartIndex());
        int line = following.getLine();
        int column = Trees.column(following);
        return new int[] {line, column, line, column};
    }

    private static boolean isElementOrBlock(GrammarAST node) {
        return switch (node.getType()) {
            case TOKEN_REF, STRING_LITERAL, RULE_REF, WILDCARD, NOT, BLOCK, OPTIONAL, CLOSURE,
                    POSITIVE_CLOSURE -> true;
            default -> false;
        };
    }

    private int[] span(GrammarAST node) {
        return switch (node.getType()) {
            case TOKEN_REF, STRING_LITERAL, RULE_REF, WILDCARD -> Trees.span(node.getToken());
            default -> {
                int[] first = Trees.span(tokens.get(node.getTokenStartIndex()));
                int[] last = Trees.span(tokens.get(node.getTokenStopIndex()));
                yield new int[] {first[0], first[1], last[2], last[3]};
            }
        };
    }

    private void part(GrammarAST node) {
        switch (node.getType()) {
            case TOKEN_REF, STRING_LITERAL -> {
                int code = node.getType() == TOKEN_REF ? NAMED_TOKEN : LITERAL_TOKEN;
                node(code, grammar.getTokenType(node.getText()), span(node));
                elements++;
            }
            case RULE_REF -> {
                node(CALL, grammar.getRule(node.getText()).index, span(node));
                elements++;
            }
            case WILDCARD, NOT -> {
                node(SET, 0, span(node));
                for (int type : Trees.allowedTokens(node, grammar)) {
                    node(NAMED_TOKEN, type, span(node));
                    elements++;
                }
                end();
            }
            case BLOCK -> block(GROUP, node, node);
            case OPTIONAL -> block(OPTION, node, (GrammarAST) node.getChild(0));
            case CLOSURE -> block(STAR, node, (GrammarAST) node.getChild(0));
            case POSITIVE_CLOSURE -> block(PLUS, node, (GrammarAST) node.getChild(0));
            default -> throw new IllegalStateException("not a part: " + node.toStringTree());
        }
    }

    private void block(int code, GrammarAST node, GrammarAST block) {
        node(code, 0, span(node));
        Trees.alternatives(block).forEach(this::alternative);
        end();
    }
}
