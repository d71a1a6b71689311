package org.gramspect.agent;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One parser class that is recorded, and the file. Rewritten classes know it by its number. */
public final class Session {
    private static final List<Session> SESSIONS = new CopyOnWriteArrayList<>();
    /** Threads that a test starts belong to it. */
    private static final ThreadLocal<String> TEST = new InheritableThreadLocal<>();

    final String parser;
    private final String className;
    private final RunFile file;
    private final boolean texts;
    private final int number;

    /** Parses that were rejected, as they may be tried again: see {@link #hold}. By thread. */
    private final Map<Thread, Held> held = new ConcurrentHashMap<>();

    /** A parse that is not yet written, and what tells whether another one is the same again. */
    private record Held(String line, Object input, int place) {}

    private Session(String parser, RunFile file, boolean texts, int number) {
        this.parser = parser;
        this.className = parser.replace('.', '/');
        this.file = file;
        this.texts = texts;
        this.number = number;
    }

    static synchronized Session open(String parser, RunFile file, boolean texts) {
        Session session = new Session(parser, file, texts, SESSIONS.size());
        SESSIONS.add(session);
        return session;
    }

    /** The session of a rewritten class. */
    public static Session numbered(int number) {
        return SESSIONS.get(number);
    }

    /** The session of a class by its internal name; null if it has none. */
    static Session ofClass(String name) {
        for (Session session : SESSIONS) {
            if (session.className.equals(name)) {
                return session;
            }
        }
        return null;
    }

    /** The session that records the class of an object or one above it; null if none does. */
    public static Session recording(Object parser) {
        for (Class<?> type = parser.getClass(); type != null; type = type.getSuperclass()) {
            for (Session session : SESSIONS) {
                if (session.parser.equals(type.getName())) {
                    return session;
                }
            }
        }
        return null;
    }

    /** The number that rewritten classes know. */
    public int number() {
        return number;
    }

    public String parser() {
        return parser;
    }

    public RunFile file() {
        return file;
    }

    /** Whether the texts of the inputs are recorded. */
    public boolean recordsTexts() {
        return texts;
    }

    /** A parse begins at a place of an input: a held one of the same is forgotten. */
    public void begins(Object input, int place) {
        Held before = held.isEmpty() ? null : held.remove(Thread.currentThread());
        if (before != null && (before.input != input || before.place != place)) {
            file.write(before.line);
        }
    }

    /** The line of a parse; {@code outcome} is JSON, {@code text} may be null. */
    public String line(String outcome, String text) {
        String test = TEST.get();
        return "{\"type\":\"parse\""
                + (test == null ? "" : ",\"test\":" + Json.text(test))
                + ",\"outcome\":" + outcome
                + (text == null ? "" : ",\"text\":" + Json.text(text)) + "}";
    }

    /** Writes the parse that has ended. */
    public void write(String line) {
        file.write(line);
    }

    /**
     * Keeps a parse until something else happens in this thread. A program may try a fast way to parse first,
     * and parse the same input again if that fails; only the last word counts.
     */
    public void hold(String line, Object input, int place) {
        held.put(Thread.currentThread(), new Held(line, input, place));
    }

    private void release() {
        begins(null, -1);
    }

    /** The program ends. */
    private void end() {
        for (Held one : held.values()) {
            file.write(one.line);
        }
        held.clear();
        if (!file.hasBegun()) {
            Agent.complain("no parser of the class " + parser + " was made; nothing was recorded");
        }
    }

    static void testBegins(String name) {
        for (Session session : SESSIONS) {
            session.release();
        }
        TEST.set(name);
    }

    static void testEnds(String name, String outcome) {
        for (Session session : SESSIONS) {
            session.release();
            session.file.test(name, outcome);
        }
        TEST.remove();
    }

    static void programEnds() {
        for (Session session : SESSIONS) {
            session.end();
        }
    }
}
