package org.gramspect.antlr;

import java.util.Arrays;
import org.gramspect.buffers.Numbers;

/**
 * Numbers for pairs of small numbers, and a record of the pairs that the parse at hand has seen.
 *
 * <p>A pair keeps its number from parse to parse: a suite sees mostly the same pairs, so each goes to
 * Python once.
 */
final class PairTable {
    private static final long EMPTY = -1;

    /** The pairs by their numbers, two entries each; those of earlier tables come first. */
    private final Numbers pairs;
    private final int base;

    /** A hash table with open addressing: its keys are pairs, its values their numbers without the base. */
    private long[] keys = new long[1024];
    private int[] indices = new int[1024];

    /** By index: the last parse that has seen the pair, and whether that has flagged it. */
    private int[] lastSeen = new int[1024];
    private boolean[] flags = new boolean[1024];
    private int size;
    private int parse = 1;

    /** The indices of what the parse has seen. */
    private final Numbers seen = new Numbers();

    /** A table that continues the numbers of earlier ones. */
    PairTable(Numbers pairs) {
        this.pairs = pairs;
        this.base = pairs.size() / 2;
        Arrays.fill(keys, EMPTY);
    }

    /** Begins a parse, which has seen nothing. */
    void clear() {
        parse++;
        seen.truncate(0);
    }

    void add(int first, int second, boolean flag) {
        long key = (long) first << 32 | second;
        int place = place(keys, key);
        int index = keys[place] == key ? indices[place] : insert(place, key);
        if (lastSeen[index] != parse) {
            lastSeen[index] = parse;
            flags[index] = false;
            seen.add(index);
        }
        flags[index] |= flag;
    }

    private int insert(int place, long key) {
        int index = size++;
        pairs.addAll((int) (key >>> 32), (int) key);
        keys[place] = key;
        indices[place] = index;
        if (size == lastSeen.length) {
            lastSeen = Arrays.copyOf(lastSeen, 2 * size);
            flags = Arrays.copyOf(flags, 2 * size);
        }
        if (2 * size > keys.length) {
            grow();
        }
        return index;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldIndices = indices;
        keys = new long[2 * oldKeys.length];
        indices = new int[keys.length];
        Arrays.fill(keys, EMPTY);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != EMPTY) {
                int place = place(keys, oldKeys[i]);
                keys[place] = oldKeys[i];
                indices[place] = oldIndices[i];
            }
        }
    }

    private static int place(long[] keys, long key) {
        int mask = keys.length - 1;
        long mixed = key * 0x9E3779B97F4A7C15L;
        int place = (int) (mixed >>> 40) & mask;
        while (keys[place] != EMPTY && keys[place] != key) {
            place = place + 1 & mask;
        }
        return place;
    }

    /** Appends how many pairs were seen, then twice the number of each, plus one if flagged. */
    void writeTo(Numbers out) {
        out.add(seen.size());
        for (int i = 0; i < seen.size(); i++) {
            int index = seen.get(i);
            out.add(2 * (base + index) + (flags[index] ? 1 : 0));
        }
    }
}
