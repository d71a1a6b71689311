package org.gramspect.agent.antlr;

import org.gramspect.antlr.CallPairs;
import org.gramspect.antlr.Places;
import org.gramspect.buffers.Numbers;

/**
 * The record of one parse, up to its first error; used again for later ones.
 *
 * <p>It notes pairs of elements ({@link CallPairs}). An element is given by its ATN state, if a rule is called
 * there, or else by {@code state + (token type + 2) * number of states}; the start of a rule by its start
 * state, the end of any rule by 0, which never is a second element.
 */
final class ParseRecord {
    private static final int END = 0;
    private static final int NONE = -1;

    /** Records have numbers: the numbers of pairs are those of a record. */
    final int number;
    private final Places places;
    private final Numbers found = new Numbers();
    private final CallPairs calls = new CallPairs(found);
    private int told;

    private int depth;
    private int waiting;
    private boolean failed;

    /** Where the parse begins. */
    int startRule;
    int startIndex;
    /** The first error that was reported, if one was. */
    Object errorToken;
    String errorMessage;

    ParseRecord(int number, Places places) {
        this.number = number;
        this.places = places;
    }

    void begin(int rule, int index) {
        calls.begin();
        depth = 0;
        waiting = NONE;
        failed = false;
        startRule = rule;
        startIndex = index;
        errorToken = null;
        errorMessage = null;
    }

    void enter(int rule) {
        depth++;
        if (!failed) {
            calls.enter(places.starts[rule]);
        }
    }

    /** Returns whether the parse has ended. */
    boolean leave() {
        if (!failed) {
            calls.leave(END);
        }
        return --depth == 0;
    }

    /** Returns whether the parse has ended. */
    boolean abandon() {
        failed = true;
        return --depth == 0;
    }

    void pass(int state) {
        if (failed) {
            return;
        }
        waiting = NONE;
        if (places.calls(state)) {
            calls.at(state);
        } else if (places.reads(state)) {
            waiting = state;
        }
    }

    void consume(int type) {
        if (waiting != NONE && !failed) {
            calls.at(waiting + (type + 2) * places.size());
            calls.consumed();
            waiting = NONE;
        }
    }

    void fail(Object token, String message) {
        if (errorToken == null) {
            failed = true;
            errorToken = token;
            errorMessage = message;
        }
    }

    /** The pairs that nobody knows yet are those from this number on. */
    int firstNew() {
        return told;
    }

    /** The new pairs, two elements each, or null if there are none. They count as known then. */
    int[] takeNew() {
        if (found.size() == 2 * told) {
            return null;
        }
        int[] pairs = found.toArray(2 * told);
        told = found.size() / 2;
        return pairs;
    }

    void writeTo(Numbers out) {
        calls.writeTo(out);
    }
}
