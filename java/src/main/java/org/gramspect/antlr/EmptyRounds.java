package org.gramspect.antlr;

import java.util.HashSet;
import java.util.Set;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNConfig;
import org.antlr.v4.runtime.atn.ATNConfigSet;
import org.antlr.v4.runtime.atn.LexerATNConfig;
import org.antlr.v4.runtime.atn.LexerATNSimulator;
import org.antlr.v4.runtime.atn.ParserATNSimulator;
import org.antlr.v4.runtime.atn.PredictionContextCache;
import org.antlr.v4.runtime.dfa.DFA;
import org.antlr.v4.runtime.dfa.DFAState;
import org.gramspect.isolation.Cancellation;

/**
 * Simulations of automata in which a repetition can match the empty string or the end of the input.
 *
 * <p>ANTLR's own go round such a repetition for ever; here a configuration that is being followed is
 * not followed again, so a round that reads nothing ends the repetition.
 */
final class EmptyRounds {
    private EmptyRounds() {}

    /** For lexers. */
    static final class OfLexer extends LexerATNSimulator {
        private final boolean hasEmptyRounds;
        private final Set<LexerATNConfig> open = new HashSet<>();
        private boolean atEnd;

        OfLexer(Lexer lexer, ATN atn, DFA[] decisions, PredictionContextCache cache,
                boolean hasEmptyRounds) {
            super(lexer, atn, decisions, cache);
            this.hasEmptyRounds = hasEmptyRounds;
        }

        @Override
        public int match(CharStream input, int mode) {
            atEnd = false;
            open.clear();
            return super.match(input, mode);
        }

        @Override
        protected boolean closure(CharStream input, LexerATNConfig config, ATNConfigSet configs,
                boolean accepted, boolean speculative, boolean endIsEmpty) {
            if (!hasEmptyRounds) {
                return super.closure(input, config, configs, accepted, speculative, endIsEmpty);
            }
            if (!open.add(config)) {
                return accepted;
            }
            boolean found =
                    super.closure(input, config, configs, accepted, speculative, endIsEmpty);
            open.remove(config);
            return found;
        }

        /** The end of the input is read once in a token at most. */
        @Override
        protected DFAState computeTargetState(CharStream input, DFAState from, int character) {
            if (character == IntStream.EOF) {
                if (atEnd) {
                    return ERROR;
                }
                atEnd = true;
            }
            return super.computeTargetState(input, from, character);
        }
    }

    /** For parsers. A simulation can be cancelled: on a very ambiguous grammar it may take for ever. */
    static final class OfParser extends ParserATNSimulator {
        private final boolean hasEmptyRounds;
        private final Set<ATNConfig> open = new HashSet<>();

        OfParser(Parser parser, ATN atn, DFA[] decisions, PredictionContextCache cache,
                boolean hasEmptyRounds) {
            super(parser, atn, decisions, cache);
            this.hasEmptyRounds = hasEmptyRounds;
        }

        @Override
        protected void closureCheckingStopState(ATNConfig config, ATNConfigSet configs,
                Set<ATNConfig> busy, boolean predicates, boolean fullContext, int depth,
                boolean endIsEmpty) {
            Cancellation.check();
            if (!hasEmptyRounds) {
                super.closureCheckingStopState(
                        config, configs, busy, predicates, fullContext, depth, endIsEmpty);
            } else if (open.add(config)) {
                super.closureCheckingStopState(
                        config, configs, busy, predicates, fullContext, depth, endIsEmpty);
                open.remove(config);
            }
        }
    }
}
