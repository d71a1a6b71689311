package org.gramspect.antlr;

import static org.antlr.v4.parse.ANTLRParser.LEXER_CHAR_SET;
import static org.antlr.v4.parse.ANTLRParser.NOT;
import static org.antlr.v4.parse.ANTLRParser.RANGE;
import static org.antlr.v4.parse.ANTLRParser.RULE_REF;
import static org.antlr.v4.parse.ANTLRParser.SET;
import static org.antlr.v4.parse.ANTLRParser.STRING_LITERAL;
import static org.antlr.v4.parse.ANTLRParser.TOKEN_REF;
import static org.antlr.v4.parse.ANTLRParser.WILDCARD;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.antlr.runtime.Token;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNConfig;
import org.antlr.v4.runtime.atn.ATNConfigSet;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.AtomTransition;
import org.antlr.v4.runtime.atn.RangeTransition;
import org.antlr.v4.runtime.atn.SetTransition;
import org.antlr.v4.runtime.atn.NotSetTransition;
import org.antlr.v4.runtime.atn.Transition;
import org.antlr.v4.tool.LexerGrammar;
import org.antlr.v4.tool.Rule;
import org.antlr.v4.tool.ast.GrammarAST;

/**
 * The token rules that may be to blame for a lexical error: those that match the text read so far and wait
 * for another character; if nothing was read, those that read the offending character elsewhere.
 */
public final class LexerSuspects {
    /** A token rule, and the place (file, line, column; -1: unknown) of what waits for a character. */
    public record Suspect(String rule, String file, int line, int column) {}

    private static final Set<Integer> LEAVES = Set.of(LEXER_CHAR_SET, NOT, RANGE, RULE_REF, SET,
            STRING_LITERAL, TOKEN_REF, WILDCARD);

    private final LexerGrammar lexer;
    private final LoadedGrammar loaded;
    private final Map<Integer, Token> tokenOfState = new HashMap<>();

    LexerSuspects(LoadedGrammar loaded) {
        this.loaded = loaded;
        this.lexer = loaded.lexer;
        lexer.rules.values().forEach(rule -> note(rule.ast));
    }

    /**
     * Notes for each state the element of the text that it stands before; within a literal, the literal.
     */
    private void note(GrammarAST node) {
        if (LEAVES.contains(node.getType()) && node.atnState != null) {
            ATNState state = node.atnState;
            int characters = node.getType() == STRING_LITERAL ? node.getText().length() - 2 : 1;
            for (int i = 0; i < characters && state != null; i++) {
                tokenOfState.putIfAbsent(state.stateNumber, node.getToken());
                boolean chain = state.getNumberOfTransitions() == 1
                        && !state.transition(0).isEpsilon();
                state = chain ? state.transition(0).target : null;
            }
        }
        Trees.children(node).forEach(this::note);
    }

    /** The token rules among whose configurations some wait for a character. */
    List<Suspect> waiting(ATNConfigSet alive, int mode, ATN atn) {
        Map<String, Suspect> found = new LinkedHashMap<>();
        for (ATNConfig config : alive) {
            ATNState state = config.state;
            if (!state.onlyHasEpsilonTransitions()) {
                ATNState start = atn.modeToStartState.get(mode).transition(config.alt - 1).target;
                Suspect suspect = suspect(start.ruleIndex, state);
                found.putIfAbsent(suspect.toString(), suspect);
            }
        }
        return new ArrayList<>(found.values());
    }

    /** The rules that name the character, in a literal, a range or a set, the first place of each. */
    List<Suspect> naming(int character, ATN atn) {
        Map<Integer, Suspect> found = new LinkedHashMap<>();
        for (ATNState state : atn.states) {
            if (state == null) {
                continue;
            }
            for (Transition transition : state.getTransitions()) {
                boolean names = transition instanceof AtomTransition
                        || transition instanceof RangeTransition
                        || transition instanceof SetTransition
                                && !(transition instanceof NotSetTransition);
                if (names && transition.matches(
                        character, Lexer.MIN_CHAR_VALUE, Lexer.MAX_CHAR_VALUE)) {
                    found.putIfAbsent(state.ruleIndex, suspect(state.ruleIndex, state));
                }
            }
        }
        return new ArrayList<>(found.values());
    }

    private Suspect suspect(int ruleIndex, ATNState state) {
        Rule rule = lexer.getRule(ruleIndex);
        Token token = tokenOfState.get(state.stateNumber);
        if (token == null || token.getLine() <= 0) {
            token = ((GrammarAST) rule.ast.getChild(0)).getToken();
        }
        String literal = loaded.grammar.getVocabulary().getLiteralName(
                lexer.getTokenType(rule.name));
        boolean named = !rule.name.startsWith("T__");
        String file = loaded.fileOfRule(lexer.getRule(state.ruleIndex).name);
        return new Suspect(named || literal == null ? rule.name : literal, named ? file : null,
                token.getLine(), token.getLine() > 0 ? Trees.column(token) : 0);
    }
}
