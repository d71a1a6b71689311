package org.gramspect.antlr;

import static org.antlr.v4.parse.ANTLRParser.ALT;
import static org.antlr.v4.parse.ANTLRParser.BLOCK;
import static org.antlr.v4.parse.ANTLRParser.CLOSURE;
import static org.antlr.v4.parse.ANTLRParser.NOT;
import static org.antlr.v4.parse.ANTLRParser.OPTIONAL;
import static org.antlr.v4.parse.ANTLRParser.POSITIVE_CLOSURE;
import static org.antlr.v4.parse.ANTLRParser.RULE_REF;
import static org.antlr.v4.parse.ANTLRParser.SET;
import static org.antlr.v4.parse.ANTLRParser.STRING_LITERAL;
import static org.antlr.v4.parse.ANTLRParser.TOKEN_REF;
import static org.antlr.v4.parse.ANTLRParser.WILDCARD;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.analysis.LeftRecursiveRuleAltInfo;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LeftRecursiveRule;
import org.antlr.v4.tool.Rule;
import org.antlr.v4.tool.ast.GrammarAST;

/**
 * Which element of the user's rules each ATN state stands before.
 *
 * <p>The tool rewrites rules before it makes their ATN: a left-recursive rule becomes a loop over operators, and
 * alternatives that are single tokens become one set. Neither changes the order of what is left of an
 * alternative, so elements and states are matched by counting.
 */
final class ElementStates {
    static final int NONE = -1;

    private final Grammar grammar;
    private final int[] ofState;
    private final Map<Integer, int[]> ofSet = new HashMap<>();

    /** The place of an element: a state, and for a member of a set its token type (else 0). */
    private record Leaf(int state, int type) {}

    ElementStates(Grammar grammar) {
        this.grammar = grammar;
        this.ofState = new int[grammar.atn.states.size()];
        Arrays.fill(ofState, NONE);
    }

    /** The element before which the parser is when it leaves a state over a token, or NONE. */
    int element(int state, int token) {
        int element = ofState[state];
        if (element != NONE) {
            return element;
        }
        int[] members = ofSet.get(state);
        return members == null ? NONE : members[token - Token.EOF];
    }

    /** Adds a rule; `ranges` are the elements of its alternatives as the user wrote them. */
    void addRule(Rule rule, List<int[]> ranges) {
        if (rule instanceof LeftRecursiveRule recursive && recursive.recPrimaryAlts != null) {
            for (LeftRecursiveRuleAltInfo primary : recursive.recPrimaryAlts) {
                int[] range = ranges.get(primary.altNum - 1);
                match(rule, leaves(primary.altAST), range[0], range[1]);
            }
            for (LeftRecursiveRuleAltInfo operator : recursive.recOpAlts.values()) {
                int[] range = ranges.get(operator.altNum - 1);
                match(rule, leaves(operator.altAST), range[0] + 1, range[1]);
            }
        } else if (!ranges.isEmpty()) {
            int last = ranges.get(ranges.size() - 1)[1];
            match(rule, leaves(rule.ast), ranges.get(0)[0], last);
        }
    }

    private void match(Rule rule, List<Leaf> leaves, int first, int last) {
        if (leaves.size() != last - first) {
            throw new IllegalStateException(String.format(
                    "the rule %s has %d elements, its automaton %d",
                    rule.name, last - first, leaves.size()));
        }
        int element = first;
        for (Leaf leaf : leaves) {
            if (leaf.type == 0) {
                ofState[leaf.state] = element;
            } else {
                int[] members = ofSet.computeIfAbsent(leaf.state, state -> emptySet());
                int place = leaf.type - Token.EOF;
                members[place] = members[place] == NONE ? element : members[place];
            }
            element++;
        }
    }

    private int[] emptySet() {
        int[] members = new int[grammar.getMaxTokenType() + 1 - Token.EOF];
        Arrays.fill(members, NONE);
        return members;
    }

    private List<Leaf> leaves(GrammarAST tree) {
        List<Leaf> found = new ArrayList<>();
        if (tree.getType() == ALT) {
            collect(tree, found);
        } else {
            Trees.alternatives(tree).forEach(alternative -> collect(alternative, found));
        }
        return found;
    }

    private void collect(GrammarAST node, List<Leaf> found) {
        switch (node.getType()) {
            case ALT -> Trees.children(node).forEach(c -> collect(Trees.unlabelled(c), found));
            case BLOCK -> Trees.alternatives(node).forEach(a -> collect(a, found));
            case OPTIONAL, CLOSURE, POSITIVE_CLOSURE ->
                collect((GrammarAST) node.getChild(0), found);
            case TOKEN_REF, STRING_LITERAL, RULE_REF ->
                found.add(new Leaf(node.atnState.stateNumber, 0));
            case WILDCARD -> collectAllowed(node, node, found);
            case NOT -> collectAllowed(node, (GrammarAST) node.getChild(0), found);
            case SET -> {
                for (GrammarAST member : Trees.children(node)) {
                    int type = grammar.getTokenType(member.getText());
                    found.add(new Leaf(node.atnState.stateNumber, type));
                }
            }
            default -> { } // actions, predicates, options: they are no elements
        }
    }

    private void collectAllowed(GrammarAST node, GrammarAST placed, List<Leaf> found) {
        for (int type : Trees.allowedTokens(node, grammar)) {
            found.add(new Leaf(placed.atnState.stateNumber, type));
        }
    }
}
