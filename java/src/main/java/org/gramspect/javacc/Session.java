package org.gramspect.javacc;

import java.util.ArrayList;
import java.util.List;

/** Observes the tests of a {@link Runner}: each may parse several times, and begins when it is said. */
final class Session extends Observer {
    /**
     * The marks of all recordings. Each test uses them from the first on again: earlier tests have ended,
     * or the session would be over.
     */
    private final List<Marks> marks = new ArrayList<>();
    private int marksTaken;
    private volatile TokenAccess access;
    private volatile int test;
    private final Parses parses = new Parses();

    Session(Layout layout) {
        super(layout);
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
        parses.clear();
        synchronized (marks) {
            marksTaken = 0;
        }
    }

    /** The parses that the test has begun. */
    Parses parses() {
        return parses;
    }

    @Override
    protected Marks takeMarks() {
        synchronized (marks) {
            if (marksTaken == marks.size()) {
                marks.add(newMarks());
            }
            return marks.get(marksTaken++);
        }
    }

    @Override
    protected int test() {
        return test;
    }

    @Override
    protected void began(Parse parse) {
        parses.add(parse);
    }

    @Override
    protected void renews(Parse parse) {
        parse.close(access);
    }

    @Override
    protected void ended(Recording recording, Throwable thrown) {
        // The test may go on.
    }

    @Override
    protected Object lastToken(Object parser) {
        return access.token(parser);
    }
}
