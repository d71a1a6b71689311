package org.gramspect.antlr;

import java.util.Arrays;
import org.gramspect.buffers.Numbers;

/**
 * The pairs of elements that follow each other in one call of a rule.
 *
 * <p>For every call of a rule the elements that the parser passes in it form a sequence; its
 * consecutive pairs, with the start and the end of the rule as elements of their own, determine which
 * alternatives, options and repetitions were taken. A pair is flagged if a token was consumed while the parser
 * was at (or below) its second element.
 */
public final class CallPairs {
    private final PairTable pairs;

    /** The calls: the last two elements, and whether a token was consumed at the last one. */
    private int[] before = new int[256];
    private int[] current = new int[256];
    private boolean[] consumed = new boolean[256];
    private int depth = -1;

    /** Pairs with the numbers of a table. */
    CallPairs(PairTable pairs) {
        this.pairs = pairs;
    }

    /** Pairs that are appended to {@code found}, two elements each, when they are seen first. */
    public CallPairs(Numbers found) {
        this(new PairTable(found));
    }

    /** Begins a parse. */
    public void begin() {
        pairs.clear();
        depth = -1;
    }

    /** A rule is called; {@code start} stands for its start. */
    public void enter(int start) {
        depth++;
        if (depth == current.length) {
            before = Arrays.copyOf(before, 2 * depth);
            current = Arrays.copyOf(current, 2 * depth);
            consumed = Arrays.copyOf(consumed, 2 * depth);
        }
        before[depth] = start;
        current[depth] = start;
        consumed[depth] = true;
    }

    /** A rule returns; {@code end} stands for its end. */
    public void leave(int end) {
        pairs.add(current[depth], end, false);
        depth--;
    }

    /** The parser comes to an element. */
    public void at(int element) {
        before[depth] = current[depth];
        current[depth] = element;
        consumed[depth] = false;
        pairs.add(before[depth], element, false);
    }

    /** The element at which the parser is has consumed a token. */
    public void consumed() {
        for (int call = depth; call >= 0 && !consumed[call]; call--) {
            consumed[call] = true;
            pairs.add(before[call], current[call], true);
        }
    }

    /** Appends how many pairs were seen, then twice the number of each, plus one if flagged. */
    public void writeTo(Numbers out) {
        pairs.writeTo(out);
    }
}
