package org.gramspect.buffers;

import java.util.Arrays;

/** A growing array of ints, in which results go to Python. */
public final class Numbers {
    private int[] values = new int[1024];
    private int size;

    public void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    public void addAll(int... more) {
        for (int value : more) {
            add(value);
        }
    }

    public int get(int place) {
        return values[place];
    }

    public int size() {
        return size;
    }

    /** Forgets everything after the first {@code length} values. */
    public void truncate(int length) {
        size = length;
    }

    /** The values from one place on. */
    public int[] toArray(int first) {
        return Arrays.copyOfRange(values, first, size);
    }

    public int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
