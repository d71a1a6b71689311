package org.gramspect.agent.antlr;

import static org.gramspect.antlr.Reflection.call;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.gramspect.agent.Agent;
import org.gramspect.agent.Json;
import org.gramspect.agent.Session;
import org.gramspect.antlr.Places;

/** The parses of one session: their records, and how they are written. */
final class Recordings {
    private static final Map<Session, Recordings> ALL = new ConcurrentHashMap<>();

    private final Session session;
    private final Deque<ParseRecord> free = new ArrayDeque<>();
    private int made;
    private Places places;
    private boolean broken;

    private Recordings(Session session) {
        this.session = session;
    }

    static Recordings of(Session session) {
        return ALL.computeIfAbsent(session, Recordings::new);
    }

    /** The record of a parse that begins with a rule; null if nothing can be recorded. */
    ParseRecord begin(Object parser, int rule) {
        try {
            ParseRecord record = take(parser);
            if (record != null) {
                Input input = new Input(parser);
                record.begin(rule, input.start());
                session.begins(input.characters(), record.startIndex);
            }
            return record;
        } catch (ReflectiveOperationException | RuntimeException problem) {
            stop(problem);
            return null;
        }
    }

    private synchronized ParseRecord take(Object parser) throws ReflectiveOperationException {
        if (broken) {
            return null;
        }
        if (places == null) {
            places = new Places(call(parser, "getATN"));
            session.file().begin("antlr", session.parser(), identity(parser));
        }
        return free.isEmpty() ? new ParseRecord(made++, places) : free.pop();
    }

    private synchronized void giveBack(ParseRecord record) {
        free.push(record);
    }

    private synchronized void stop(Exception problem) {
        if (!broken) {
            broken = true;
            Agent.complain(session.parser() + " is not recorded any more: " + problem);
        }
    }

    /** The rules with their states, which the reader compares with those of the grammar. */
    private String identity(Object parser) throws ReflectiveOperationException {
        String[] names = (String[]) call(parser, "getRuleNames");
        StringBuilder out = new StringBuilder("{\"states\":").append(places.size());
        out.append(",\"rules\":[");
        for (int rule = 0; rule < names.length; rule++) {
            out.append(rule == 0 ? "[" : ",[").append(Json.text(names[rule])).append(',')
                    .append(places.starts[rule]).append(',')
                    .append(Json.texts(places.states[rule])).append(']');
        }
        return out.append("]}").toString();
    }

    /** A parse has ended; {@code thrown} is what the parser throws, or null. */
    void end(Object parser, ParseRecord record, Throwable thrown) {
        try {
            Input input = new Input(parser);
            Verdict verdict = Verdict.of(record, input, thrown);
            int first = record.firstNew();
            int[] pairs = verdict.isAccepted() ? record.takeNew() : null;
            if (pairs != null) {
                session.file().table("{\"record\":" + record.number + ",\"first\":" + first
                        + ",\"pairs\":" + Json.numbers(pairs) + "}");
            }
            boolean whole = record.startIndex == 0 && (!verdict.isAccepted() || input.isAtEnd());
            String text = session.recordsTexts() && whole ? input.text() : null;
            String line = session.line(verdict.json(record), text);
            if (!verdict.isAccepted() && thrown != null && input.isFirstTry()) {
                session.hold(line, input.characters(), record.startIndex);
            } else {
                session.write(line);
            }
        } catch (ReflectiveOperationException | RuntimeException problem) {
            stop(problem);
        }
        giveBack(record);
    }
}
