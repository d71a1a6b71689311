package org.gramspect.javacc;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * For whom the parsers of one class loader are recorded. Instrumented code knows it by number.
 *
 * <p>The parses of a parser object belong to tests, which have numbers; pairs count once in each.
 */
public abstract class Observer {
    private static final List<Reference<Observer>> OBSERVERS = new ArrayList<>();

    /** By pair: the last test that has seen it, and the last one that has flagged it. */
    public record Marks(int[] seenIn, int[] flaggedIn) {}

    final Layout layout;
    final int number;

    protected Observer(Layout layout) {
        this.layout = layout;
        synchronized (OBSERVERS) {
            number = OBSERVERS.size();
            OBSERVERS.add(new WeakReference<>(this));
        }
    }

    static Observer numbered(int number) {
        synchronized (OBSERVERS) {
            return OBSERVERS.get(number).get();
        }
    }

    protected final Marks newMarks() {
        return new Marks(new int[layout.nPairs], new int[layout.nPairs]);
    }

    /** The number, never 0, of the test that a parse belongs to which begins now. */
    protected abstract int test();

    /** Marks that no other recording uses in this test. */
    protected abstract Marks takeMarks();

    /** A parse has begun. */
    protected abstract void began(Parse parse);

    /** The parser of a parse that has ended is about to be given another text. */
    protected abstract void renews(Parse parse);

    /** A parse has ended; {@code thrown} is what the parser throws, or null. */
    protected abstract void ended(Recording recording, Throwable thrown);

    /** The token that a parser (null: a static one) has consumed last. */
    protected abstract Object lastToken(Object parser);
}
