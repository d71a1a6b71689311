package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.ATNDeserializer;
import org.antlr.v4.runtime.atn.ATNSerializer;
import org.antlr.v4.tool.LexerGrammar;

/**
 * ANTLR's interpreter of a lexer, with three additions: it runs the actions that mean a lexer command, it
 * notes the code that it does not run, and it stops when it would make empty tokens for ever.
 */
final class ActingLexer extends LexerInterpreter {
    /** A lexer that makes this many empty tokens in a row is taken to be in an endless loop. */
    private static final int EMPTY_TOKENS = 10_000;

    private final LexerActions actions;
    private final Set<String> actionsMet = new LinkedHashSet<>();
    private final Set<String> predicatesMet = new LinkedHashSet<>();
    private String denied;
    private int lastEnd;
    private int emptyTokens;

    ActingLexer(LexerGrammar grammar, LexerActions actions) {
        // Serialization sets flags that interpreters need.
        super(grammar.fileName, grammar.getVocabulary(), Arrays.asList(grammar.getRuleNames()),
                channelNames(grammar), grammar.modes.keySet(),
                new ATNDeserializer().deserialize(
                        ATNSerializer.getSerialized(grammar.atn).toArray()),
                CharStreams.fromString(""));
        this.actions = actions;
        setInterpreter(new EmptyRounds.OfLexer(this, atn, _decisionToDFA, _sharedContextCache,
                TolerantErrors.hasEmptyRounds(grammar)));
    }

    private static List<String> channelNames(LexerGrammar grammar) {
        List<String> names = new ArrayList<>(List.of("DEFAULT_TOKEN_CHANNEL", "HIDDEN"));
        names.addAll(grammar.channelValueToNameList);
        return names;
    }

    void begin(CharStream stream) {
        setInputStream(stream);
        actionsMet.clear();
        predicatesMet.clear();
        lastEnd = -1;
        emptyTokens = 0;
    }

    /** Makes the predicates of that rule false from now on; those of all other rules are true. */
    void deny(String rule) {
        denied = rule;
    }

    /** The rules of matched tokens with an action that was not run. */
    Set<String> actionsMet() {
        return Set.copyOf(actionsMet);
    }

    /** The rules whose predicates the simulation has asked for, whether or not they decided anything. */
    Set<String> predicatesMet() {
        return Set.copyOf(predicatesMet);
    }

    @Override
    public void skip() {
        super.skip();
        noteEnd();
    }

    @Override
    public void more() {
        super.more();
        noteEnd();
    }

    @Override
    public void emit(Token token) {
        super.emit(token);
        noteEnd();
    }

    /**
     * Called when a rule has matched; a lexer that has matched nothing time and again would do so for ever.
     */
    private void noteEnd() {
        int end = _input.index();
        emptyTokens = end == lastEnd ? emptyTokens + 1 : 0;
        lastEnd = end;
        if (emptyTokens > EMPTY_TOKENS) {
            throw new IllegalStateException("the lexer makes empty tokens for ever at line "
                    + getLine() + ", column " + (getCharPositionInLine() + 1));
        }
    }

    @Override
    public void action(RuleContext context, int rule, int action) {
        if (!actions.run(action, this)) {
            actionsMet.add(getRuleNames()[rule]);
        }
    }

    @Override
    public boolean sempred(RuleContext context, int rule, int predicate) {
        predicatesMet.add(getRuleNames()[rule]);
        return !getRuleNames()[rule].equals(denied);
    }
}
