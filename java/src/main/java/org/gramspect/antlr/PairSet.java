package org.gramspect.antlr;

import java.util.Arrays;

/** A set of pairs of small numbers with one flag each, by open addressing. */
final class PairSet {
    private static final long EMPTY = -1;

    private long[] keys = new long[256];
    private boolean[] flags = new boolean[256];
    private int size;

    PairSet() {
        Arrays.fill(keys, EMPTY);
    }

    void clear() {
        if (size > 0) {
            Arrays.fill(keys, EMPTY);
            Arrays.fill(flags, false);
            size = 0;
        }
    }

    void add(int first, int second, boolean flag) {
        long key = (long) first << 32 | second;
        int place = place(keys, key);
        if (keys[place] == EMPTY) {
            keys[place] = key;
            size++;
        }
        flags[place] |= flag;
        if (2 * size > keys.length) {
            grow();
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

    private void grow() {
        long[] oldKeys = keys;
        boolean[] oldFlags = flags;
        keys = new long[2 * oldKeys.length];
        flags = new boolean[2 * oldKeys.length];
        Arrays.fill(keys, EMPTY);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != EMPTY) {
                int place = place(keys, oldKeys[i]);
                keys[place] = oldKeys[i];
                flags[place] = oldFlags[i];
            }
        }
    }

    /** Appends the number of pairs, then first, second and flag (0 or 1) of each. */
    void writeTo(Numbers out) {
        out.add(size);
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != EMPTY) {
                out.add((int) (keys[i] >>> 32));
                out.add((int) keys[i]);
                out.add(flags[i] ? 1 : 0);
            }
        }
    }
}
