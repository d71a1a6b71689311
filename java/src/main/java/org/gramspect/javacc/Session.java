package org.gramspect.javacc;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** What the recordings of the parsers of one class loader share. Instrumented code knows it by number. */
final class Session {
    private static final List<WeakReference<Session>> SESSIONS = new ArrayList<>();

    /** By pair: the last test that has seen it, and the last one that has flagged it. */
    record Marks(int[] seenIn, int[] flaggedIn) {}

    final Layout layout;
    final int number;

    /**
     * The marks of all recordings. Each test uses them from the first on again: earlier tests have ended,
     * or the session would be over.
     */
    private final List<Marks> marks = new ArrayList<>();
    private int marksTaken;
    private volatile TokenAccess access;
    private volatile int test;
    private volatile Recording last;

    Session(Layout layout) {
        this.layout = layout;
        synchronized (SESSIONS) {
            number = SESSIONS.size();
            SESSIONS.add(new WeakReference<>(this));
        }
    }

    static Session numbered(int number) {
        synchronized (SESSIONS) {
            return SESSIONS.get(number).get();
        }
    }

    /** To be called when the classes are loaded. */
    void attach(TokenAccess loaded) {
        access = loaded;
    }

    TokenAccess access() {
        return access;
    }

    void nextTest() {
        test++;
        last = null;
        synchronized (marks) {
            marksTaken = 0;
        }
    }

    /** Marks that no other recording uses in this test. */
    Marks takeMarks() {
        synchronized (marks) {
            if (marksTaken == marks.size()) {
                marks.add(new Marks(new int[layout.nPairs], new int[layout.nPairs]));
            }
            return marks.get(marksTaken++);
        }
    }

    int test() {
        return test;
    }

    void began(Recording recording) {
        last = recording;
    }

    /** The recording of the last parse that the test has begun, or null. */
    Recording last() {
        return last;
    }
}
