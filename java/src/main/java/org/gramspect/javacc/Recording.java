package org.gramspect.javacc;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.gramspect.buffers.Numbers;

/**
 * What instrumented parsers call: notes the pairs of sites that follow each other in one call of a
 * production.
 *
 * <p>For every call of a production the sites that the parser passes in it form a sequence; its
 * consecutive pairs, with the start and the end of the production, tell which alternatives, options and
 * repetitions were taken. A pair is flagged if a token was consumed while the parser was at (or below) its
 * second site. Pairs are numbered by {@link Layout}, so noting one is a store into an array.
 *
 * <p>Every parser object has a recording of its own: a thread that an earlier test has left behind writes
 * to that of its own parser.
 */
public final class Recording {
    private static final int NEVER = 0;

    private final Observer observer;
    private final int[] bases;
    private final int[] widths;

    /** By pair: the test that has seen it last, and the last one that has flagged it. */
    private Observer.Marks marks;
    private int[] seenIn;
    private int[] flaggedIn;
    private int test = NEVER;

    private int[] seen = new int[64];
    private int nSeen;

    /** The calls, outermost first: where their pairs begin, the last pair, whether it is flagged. */
    private int[] production = new int[64];
    private int[] row = new int[64];
    private int[] pair = new int[64];
    private boolean[] flagged = new boolean[64];
    private int depth = -1;

    private Parse parse;
    private boolean hasErred;

    /** The tokens that Java code has consumed. */
    private final Set<Object> skipped = Collections.newSetFromMap(new IdentityHashMap<>());

    private Recording(Observer observer) {
        this.observer = observer;
        this.bases = observer.layout.bases;
        this.widths = observer.layout.widths;
    }

    /** The recording of a new parser. */
    public static Recording create(int observer) {
        return new Recording(Observer.numbered(observer));
    }

    /** A production is entered. */
    public void enter(int entered, Object by) {
        int call = ++depth;
        if (call == 0) {
            begin(entered, by);
        } else if (call == row.length) {
            production = Arrays.copyOf(production, 2 * call);
            row = Arrays.copyOf(row, 2 * call);
            pair = Arrays.copyOf(pair, 2 * call);
            flagged = Arrays.copyOf(flagged, 2 * call);
        }
        production[call] = entered;
        row[call] = bases[entered];
        flagged[call] = true; // there is no pair yet
    }

    /** The outermost production of a parse: tests may parse several times, with one parser or several. */
    private void begin(int entered, Object by) {
        int current = observer.test();
        if (test != current) {
            test = current;
            marks = observer.takeMarks();
            seenIn = marks.seenIn();
            flaggedIn = marks.flaggedIn();
            nSeen = 0;
            hasErred = false;
            skipped.clear();
        }
        parse = new Parse(this, entered, by, observer.lastToken(by));
        observer.began(parse);
    }

    /** A site, counted from 1, is reached: a production is about to be called. */
    public void at(int site) {
        int call = depth;
        int reached = row[call] + site;
        int entered = production[call];
        row[call] = bases[entered] + site * widths[entered];
        pair[call] = reached;
        flagged[call] = false;
        see(reached);
    }

    /** A site has consumed a token. */
    public void consumed(int site) {
        at(site);
        for (int call = depth; call >= 0 && !flagged[call]; call--) {
            flagged[call] = true;
            flaggedIn[pair[call]] = test;
        }
    }

    /** A production returns. */
    public void exit() {
        see(row[depth]);
        if (depth-- == 0) {
            observer.ended(this, null);
        }
    }

    /** A production is left by an exception. */
    public void abandon(Throwable thrown) {
        if (depth-- == 0) {
            parse.ended(thrown);
            observer.ended(this, thrown);
        }
    }

    /** The parser is about to throw a syntax error. */
    public void failed(Throwable thrown, Object by) {
        hasErred = true;
        if (parse != null) {
            parse.failed(thrown, observer.lastToken(by));
        }
    }

    /** A parser (null: one under construction) is about to be given another text. */
    public static void renew(Recording recording) {
        if (recording != null && recording.parse != null && recording.depth < 0) {
            recording.observer.renews(recording.parse);
        }
    }

    /** A token has been consumed, but not by a site. After an error it may be what recovery drops. */
    public void skipped(Object token) {
        if (depth >= 0 && parse.error() == null) {
            skipped.add(token);
        }
    }

    private void see(int reached) {
        if (seenIn[reached] != test) {
            seenIn[reached] = test;
            if (nSeen == seen.length) {
                seen = Arrays.copyOf(seen, 2 * nSeen);
            }
            seen[nSeen++] = reached;
        }
    }

    /** Appends how many pairs were seen, then twice the number of each, plus one if flagged. */
    void writeTo(Numbers out) {
        out.add(nSeen);
        for (int i = 0; i < nSeen; i++) {
            out.add(2 * seen[i] + (flaggedIn[seen[i]] == test ? 1 : 0));
        }
    }

    /** What it takes to note pairs, if the parses of the test are over. */
    public Observer.Marks giveMarks() {
        parse = null;
        skipped.clear();
        return marks;
    }

    /** The last parse. */
    public Parse parse() {
        return parse;
    }

    /** Whether there was a syntax error in the test. */
    boolean hasErred() {
        return hasErred;
    }

    boolean hasSkipped(Object token) {
        return skipped.contains(token);
    }
}
