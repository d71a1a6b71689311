package org.gramspect.antlr;

import java.util.Arrays;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.Vocabulary;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.DecisionState;
import org.antlr.v4.runtime.atn.LoopEndState;
import org.antlr.v4.runtime.atn.PlusLoopbackState;
import org.antlr.v4.runtime.atn.StarLoopEntryState;
import org.antlr.v4.runtime.atn.Transition;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.gramspect.buffers.Numbers;

/**
 * ANTLR's interpreter, which notes the pairs of elements that follow each other ({@link CallPairs}).
 *
 * <p>The first error ends the parse; nothing is recovered from.
 */
final class Recorder extends ParserInterpreter {
    private static final int SHOWN_TOKENS = 8;
    private static final int SHOWN_TEXT = 60;

    private final ElementStates elements;
    private final int nElements;
    private final CallPairs calls;

    /** For each call the loop that it was in last, and the token at which that was. */
    private DecisionState[] loop = new DecisionState[256];
    private int[] loopStart = new int[256];
    private int depth;

    Recorder(String name, Vocabulary vocabulary, String[] rules, ATN atn, TokenStream input,
            ElementStates elements, int nElements, CallPairs calls, boolean hasEmptyRounds) {
        super(name, vocabulary, Arrays.asList(rules), atn, input);
        this.elements = elements;
        this.nElements = nElements;
        this.calls = calls;
        setBuildParseTree(false);
        removeErrorListeners();
        setErrorHandler(new FirstError());
        setInterpreter(new EmptyRounds.OfParser(
                this, atn, decisionToDFA, sharedContextCache, hasEmptyRounds));
    }

    CallPairs calls() {
        return calls;
    }

    /**
     * Parses, and returns the first error or null. The pairs are those of a whole parse only if it is null.
     */
    RecognitionException run(TokenStream input, int startRule) {
        setTokenStream(input);
        _parentContextStack.clear();
        calls.begin();
        depth = -1;
        push(startRule);
        try {
            parse(startRule);
            pop();
            return null;
        } catch (ParseCancellationException stopped) {
            return (RecognitionException) stopped.getCause();
        }
    }

    @Override
    protected void visitState(ATNState state) {
        int element = elements.element(state.stateNumber, _input.LA(1));
        if (element == ElementStates.NONE) {
            super.visitState(state);
            return;
        }
        Transition transition = state.transition(0);
        switch (transition.getSerializationType()) {
            case Transition.RULE -> {
                calls.at(element);
                push(transition.target.ruleIndex);
                super.visitState(state);
            }
            case Transition.SET, Transition.NOT_SET -> {
                // The interpreter does not take the end of the input as a member of a set; generated
                // parsers do.
                if (!transition.matches(_input.LA(1), Token.MIN_USER_TOKEN_TYPE, atn.maxTokenType)) {
                    recoverInline();
                }
                consume();
                setState(transition.target.stateNumber);
                calls.at(element);
                calls.consumed();
            }
            default -> {
                super.visitState(state);
                calls.at(element);
                calls.consumed();
            }
        }
    }

    /** Leaves a loop whose body has read nothing, since it would go on reading nothing for ever. */
    @Override
    protected int visitDecisionState(DecisionState state) {
        int chosen = super.visitDecisionState(state);
        boolean isLoop = state instanceof StarLoopEntryState || state instanceof PlusLoopbackState;
        if (!isLoop) {
            return chosen;
        }
        boolean again = loop[depth] == state && loopStart[depth] == _input.index();
        loop[depth] = state;
        loopStart[depth] = _input.index();
        return again ? leaving(state, chosen) : chosen;
    }

    private static int leaving(DecisionState state, int chosen) {
        for (int i = 0; i < state.getNumberOfTransitions(); i++) {
            if (state.transition(i).target instanceof LoopEndState) {
                return i + 1;
            }
        }
        return chosen;
    }

    @Override
    protected void visitRuleStopState(ATNState state) {
        pop();
        super.visitRuleStopState(state);
    }

    private void push(int rule) {
        depth++;
        if (depth == loop.length) {
            loop = Arrays.copyOf(loop, 2 * depth);
            loopStart = Arrays.copyOf(loopStart, 2 * depth);
        }
        calls.enter(nElements + rule);
        loop[depth] = null;
    }

    private void pop() {
        calls.leave(nElements + getRuleNames().length);
        depth--;
    }

    /** What ANTLR says about an error, with long lists of expected tokens cut. */
    String message(RecognitionException error) {
        Token token = error.getOffendingToken();
        String found = token.getType() == Token.EOF ? "end of input" : "'" + token.getText() + "'";
        if (error instanceof NoViableAltException stuck) {
            Token start = stuck.getStartToken();
            return "no viable alternative at " + found
                    + (start == token ? "" : " in '" + text(start, token) + "'");
        }
        IntervalSet expected = error.getExpectedTokens();
        String message = "mismatched input " + found;
        if (expected == null || expected.isNil()) {
            return message;
        }
        return message + " expecting " + (expected.size() > SHOWN_TOKENS
                ? "one of " + expected.size() + " tokens"
                : expected.toString(getVocabulary()));
    }

    /** The text from one token to another, white space made single, its end if it is long. */
    private static String text(Token first, Token last) {
        int stop = Math.max(last.getStopIndex(), last.getStartIndex() - 1);
        Interval range = Interval.of(first.getStartIndex(), stop);
        if (first.getInputStream() == null) {
            return last.getText(); // tokens that never were text
        }
        String text = first.getInputStream().getText(range).strip().replaceAll("\\s+", " ");
        return text.length() <= SHOWN_TEXT
                ? text
                : "..." + text.substring(text.length() - SHOWN_TEXT);
    }

    /** The rules that were active at the error, the innermost first. */
    int[] activeRules() {
        Numbers rules = new Numbers();
        for (ParserRuleContext c = getContext(); c != null; c = c.getParent()) {
            rules.add(c.getRuleIndex());
        }
        return rules.toArray();
    }

    /** Ends the parse at the first error, as the runtime's BailErrorStrategy does. */
    private static final class FirstError extends DefaultErrorStrategy {
        @Override
        public void recover(Parser parser, RecognitionException error) {
            throw new ParseCancellationException(error);
        }

        @Override
        public Token recoverInline(Parser parser) {
            throw new ParseCancellationException(new InputMismatchException(parser));
        }

        @Override
        public void reportError(Parser parser, RecognitionException error) {}

        @Override
        public void sync(Parser parser) {}
    }
}
