package org.gramspect.cup;

import java.util.ArrayList;
import java.util.List;
import org.gramspect.buffers.Numbers;

/**
 * What happened to many tests, in one array: for every test its outcome, then
 *
 * <ul>
 *   <li>accepted: the states pushed, and the productions reduced; each list after its length
 *   <li>an error: the same up to the last shift; the index of the offending token; the stack after the last
 *       shift, the stack at the error, the productions reduced between; the tokens read, four numbers
 *       each: symbol, what is known (0: nothing, 1: line and column, {@link #OFFSETS}), two positions;
 *       if offsets are known, what a scanner that failed could not read is there as well
 *   <li>undecided: the production whose action has to do with it, or -1
 * </ul>
 *
 * <p>and for every test but the accepted ones a message.
 */
public record Results(int[] numbers, String[] messages) {
    /** Of positions that are the offsets of the first character and of the end. */
    static final int OFFSETS = 2;

    static final int ACCEPTED = 0;
    static final int SYNTAX_ERROR = 1;
    static final int LEXICAL_ERROR = 2;
    static final int UNDECIDED = 3;

    public static final String ENDLESS = "the parser does not terminate: it reduces for ever";

    /** Results under construction. */
    public static final class Builder {
        private final Numbers numbers = new Numbers();
        private final List<String> messages = new ArrayList<>();

        public void accepted(Recorder recorder) {
            numbers.add(ACCEPTED);
            recorder.writeSeen(numbers);
        }

        /** An error at the token after the last shift. */
        public void rejected(boolean lexical, Recorder recorder, Numbers tokens, String message) {
            rejected(lexical ? LEXICAL_ERROR : SYNTAX_ERROR, recorder, tokens, message);
        }

        void rejected(int outcome, Recorder recorder, Numbers tokens, String message) {
            numbers.add(outcome);
            recorder.writeSeen(numbers);
            numbers.add(recorder.shifts());
            recorder.writeStacks(numbers);
            numbers.add(tokens.size());
            numbers.addAll(tokens.toArray());
            messages.add(message);
        }

        public void undecided(int production, String message) {
            numbers.addAll(UNDECIDED, production);
            messages.add(message);
        }

        public Results done() {
            return new Results(numbers.toArray(), messages.toArray(String[]::new));
        }
    }
}
