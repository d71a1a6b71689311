package org.gramspect.antlr;

import java.util.Arrays;

/** A growing array of ints. */
final class Numbers {
    private int[] values = new int[1024];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    void addAll(int... more) {
        for (int value : more) {
            add(value);
        }
    }

    int get(int place) {
        return values[place];
    }

    int size() {
        return size;
    }

    /** Forgets everything behind the first {@code length} values. */
    void truncate(int length) {
        size = length;
    }

    /** The values from one place on. */
    int[] toArray(int first) {
        return Arrays.copyOfRange(values, first, size);
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
