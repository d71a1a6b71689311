package org.gramspect.cup;

/** The loop of CUP's runtime, up to the first error, with everything noted in a {@link Recorder}. */
final class Engine {
    /** Where tokens come from, and who is told what the parser does with them. */
    interface Tokens {
        /** The number of the next terminal. */
        int next() throws Exception;

        /** Called when a token is about to be shifted, and this state entered. */
        default void shifted(int state) {}

        /** Called when a production is about to be reduced; returns whether the parse goes on. */
        default boolean reducing(int production) throws Exception {
            return true;
        }

        /** Called when the production has been reduced and this state entered. */
        default void reduced(int production, int state) {}
    }

    enum End { ACCEPTED, ERROR, ENDLESS }

    private final Tables tables;

    Engine(Tables tables) {
        this.tables = tables;
    }

    /** Parses, and says how that ended; throws what the tokens throw. */
    End parse(Tokens tokens, Recorder recorder) throws Exception {
        recorder.start();
        int token = tokens.next();
        while (true) {
            int action = tables.action(recorder.state(), token);
            if (action == 0) {
                return End.ERROR;
            }
            if (action > 0) {
                tokens.shifted(action - 1);
                if (action - 1 == tables.endState) {
                    // CUP's own parser reads once more before it accepts.
                    tokens.next();
                    recorder.commit();
                    return End.ACCEPTED;
                }
                recorder.shift(action - 1);
                token = tokens.next();
                continue;
            }
            int production = -action - 1;
            boolean goesOn = tokens.reducing(production);
            int state = recorder.reduce(production);
            if (state < 0) {
                return End.ENDLESS;
            }
            tokens.reduced(production, state);
            if (!goesOn) {
                recorder.commit();
                return End.ACCEPTED;
            }
        }
    }
}
