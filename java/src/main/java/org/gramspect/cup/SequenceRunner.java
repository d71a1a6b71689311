package org.gramspect.cup;

import org.gramspect.buffers.Numbers;

/** Runs sequences of terminals through a parser's tables, many in one call. */
public final class SequenceRunner {
    private final Tables tables;
    private final Engine engine;
    private final Recorder recorder;

    public SequenceRunner(Tables tables) {
        this.tables = tables;
        this.engine = new Engine(tables);
        this.recorder = new Recorder(tables);
    }

    /**
     * Runs the sequences {@code terminals[starts[i]]} to {@code terminals[starts[i + 1] - 1]}, -1
     * standing for unknown tokens. An error of a sequence comes without tokens and with an empty message.
     */
    public Results run(int[] terminals, int[] starts) throws Exception {
        Results.Builder results = new Results.Builder();
        Numbers none = new Numbers();
        for (int i = 0; i + 1 < starts.length; i++) {
            switch (engine.parse(new Sequence(terminals, starts[i], starts[i + 1]), recorder)) {
                case ACCEPTED -> results.accepted(recorder);
                case ERROR -> results.rejected(Results.SYNTAX_ERROR, recorder, none, "");
                case ENDLESS -> results.undecided(-1, Results.ENDLESS);
            }
        }
        return results.done();
    }

    private final class Sequence implements Engine.Tokens {
        private final int[] terminals;
        private final int end;
        private int place;

        Sequence(int[] terminals, int start, int end) {
            this.terminals = terminals;
            this.place = start;
            this.end = end;
        }

        @Override
        public int next() {
            return place < end ? terminals[place++] : tables.endOfFile;
        }
    }
}
