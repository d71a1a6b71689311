package org.gramspect.cup;

import java.util.Arrays;
import org.gramspect.buffers.Numbers;

/**
 * The state stack of a parse, and what has happened on it.
 *
 * <p>States that were pushed and productions that were reduced are noted once each. Those since the last
 * shift are kept apart: if no other shift follows, they were made on the offending token. The stack as it
 * was right after that shift is kept as well, as what is left of it and what reductions took off.
 */
public final class Recorder {
    private final Tables tables;
    private final Once pushed;
    private final Once reduced;
    private final Numbers latePushed = new Numbers();
    private final Numbers lateReduced = new Numbers();
    private int[] stack = new int[256];
    private int top;
    private int[] taken = new int[256];
    private int shiftTop;
    private int low;
    private int shifts;
    private int[] put = new int[256];
    private int putSize;

    public Recorder(Tables tables) {
        this.tables = tables;
        this.pushed = new Once(tables.states);
        this.reduced = new Once(tables.lengths.length);
    }

    public void start() {
        pushed.clear();
        reduced.clear();
        latePushed.truncate(0);
        lateReduced.truncate(0);
        top = -1;
        shifts = -1;
        shift(tables.startState);
    }

    /** The state on top. */
    int state() {
        return stack[top];
    }

    /** How many tokens have been shifted. */
    int shifts() {
        return shifts;
    }

    public void shift(int state) {
        commit();
        push(state);
        pushed.add(state);
        shiftTop = top;
        low = top;
        putSize = 0;
        shifts++;
    }

    /** Takes what has happened since the last shift as seen: another follows, or the input is accepted. */
    public void commit() {
        for (int i = 0; i < latePushed.size(); i++) {
            pushed.add(latePushed.get(i));
        }
        for (int i = 0; i < lateReduced.size(); i++) {
            reduced.add(lateReduced.get(i));
        }
        latePushed.truncate(0);
        lateReduced.truncate(0);
    }

    /** Reduces; the state that is entered, or -1 if the parser would go on reducing for ever. */
    public int reduce(int production) {
        int below = top - tables.lengths[production];
        if (below < low) {
            taken = room(taken, low);
            System.arraycopy(stack, below + 1, taken, below + 1, low - below);
            low = below;
            putSize = 0;
        }
        if (repeats(below)) {
            return -1;
        }
        top = below;
        int state = tables.reduce(stack[top], tables.leftHandSides[production]);
        push(state);
        lateReduced.add(production);
        latePushed.add(state);
        return state;
    }

    /**
     * Whether reductions go round in circles. What a parser does between two tokens depends on its stack
     * only: it repeats itself if and only if it comes to the same state twice with nothing below touched.
     * By then it has grown by more states than there are, or put more of them in one place.
     */
    private boolean repeats(int below) {
        int place = below - low;
        put = room(put, place);
        Arrays.fill(put, Math.min(putSize, place + 1), place + 1, 0);
        putSize = place + 1;
        put[place]++;
        return Math.max(place, put[place]) > tables.states;
    }

    private void push(int state) {
        top++;
        stack = room(stack, top);
        stack[top] = state;
    }

    private static int[] room(int[] array, int place) {
        return place < array.length ? array : Arrays.copyOf(array, 2 * place + 1);
    }

    /** The states pushed and the productions reduced, each list after its length. */
    void writeSeen(Numbers out) {
        pushed.writeTo(out);
        reduced.writeTo(out);
    }

    /** The stack after the last shift, the stack now, the productions between; after their lengths. */
    void writeStacks(Numbers out) {
        out.add(shiftTop + 1);
        for (int place = 0; place <= shiftTop; place++) {
            out.add(place <= low ? stack[place] : taken[place]);
        }
        out.add(top + 1);
        for (int place = 0; place <= top; place++) {
            out.add(stack[place]);
        }
        out.add(lateReduced.size());
        for (int i = 0; i < lateReduced.size(); i++) {
            out.add(lateReduced.get(i));
        }
    }

    /** A set of numbers below a limit, in the order in which they were added first. */
    private static final class Once {
        private final boolean[] known;
        private final Numbers numbers = new Numbers();

        Once(int limit) {
            known = new boolean[limit];
        }

        void add(int number) {
            if (!known[number]) {
                known[number] = true;
                numbers.add(number);
            }
        }

        void clear() {
            for (int i = 0; i < numbers.size(); i++) {
                known[numbers.get(i)] = false;
            }
            numbers.truncate(0);
        }

        void writeTo(Numbers out) {
            out.add(numbers.size());
            for (int i = 0; i < numbers.size(); i++) {
                out.add(numbers.get(i));
            }
        }
    }
}
