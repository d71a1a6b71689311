package org.gramspect.agent.cup;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.gramspect.agent.Agent;
import org.gramspect.agent.Json;
import org.gramspect.agent.Session;
import org.gramspect.buffers.Numbers;
import org.gramspect.cup.Recorder;
import org.gramspect.cup.Results;
import org.gramspect.cup.Tables;

/**
 * One parse of a CUP parser, which the loop of its runtime reports to, up to its first error.
 *
 * <p>The methods take the watch as their last argument; it is null for parsers that are not recorded.
 */
public final class ParserWatch {
    private static final Map<Session, Tables> TABLES = new ConcurrentHashMap<>();

    private final Session session;
    private final Tables tables;
    private final Recorder recorder;
    private final Results.Builder result = new Results.Builder();
    private final List<Object> tokens = new ArrayList<>();
    private boolean isScanning;
    private boolean isDecided;
    private boolean isShown;

    private ParserWatch(Session session, Tables tables) {
        this.session = session;
        this.tables = tables;
        this.recorder = new Recorder(tables);
    }

    /** A parse begins. */
    public static ParserWatch begin(Object parser) {
        Session session = Session.recording(parser);
        if (session == null) {
            return null;
        }
        try {
            Tables tables = TABLES.get(session);
            if (tables == null) {
                tables = tables(parser);
                TABLES.put(session, tables);
                session.file().begin("cup", session.parser(), Json.numbers(tables.digests()));
            }
            ParserWatch watch = new ParserWatch(session, tables);
            watch.recorder.start();
            return watch;
        } catch (ReflectiveOperationException | RuntimeException problem) {
            Agent.complain(session.parser() + " is not recorded: " + problem);
            return null;
        }
    }

    private static Tables tables(Object parser) throws ReflectiveOperationException {
        return Tables.of((short[][]) call(parser, "production_table"),
                (short[][]) call(parser, "action_table"), (short[][]) call(parser, "reduce_table"),
                (int) call(parser, "start_state"), (int) call(parser, "start_production"),
                (int) call(parser, "EOF_sym"), (int) call(parser, "error_sym"));
    }

    private static Object call(Object of, String name) throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    method.setAccessible(true);
                    return method.invoke(of);
                }
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** The scanner is asked for a token. */
    public static void scans(ParserWatch watch) {
        if (watch != null) {
            watch.isScanning = true;
        }
    }

    /** The scanner has made a token. */
    public static void scanned(Object token, ParserWatch watch) {
        if (watch != null) {
            watch.isScanning = false;
            if (!watch.isDecided) {
                watch.tokens.add(token);
            }
        }
    }

    /** The parser looks up its next action, in the form of the tables. */
    public static void acts(int action, ParserWatch watch) {
        if (watch != null && !watch.isDecided && !watch.isShown) {
            watch.act(action);
        }
    }

    private void act(int action) {
        if (action == 0) {
            reject(false, lastValue());
        } else if (action > 0) {
            if (action - 1 == tables.endState) {
                recorder.commit();
                isShown = true; // only the start production is left
            } else {
                recorder.shift(action - 1);
            }
        } else if (-action - 1 == tables.startProduction) {
            isShown = true;
        } else if (recorder.reduce(-action - 1) < 0) {
            isDecided = true;
            result.undecided(-1, Results.ENDLESS);
        }
    }

    /** The parse ends; {@code thrown} is what the parser throws, or null. */
    public static void ends(Throwable thrown, ParserWatch watch) {
        if (watch != null) {
            watch.end(thrown);
        }
    }

    private void end(Throwable thrown) {
        if (!isDecided) {
            if (thrown == null) {
                recorder.commit();
                result.accepted(recorder);
            } else if (isScanning && !(thrown instanceof VirtualMachineError)) {
                reject(true, String.valueOf(thrown.getMessage()));
            } else {
                result.undecided(-1, "the parser was stopped by " + thrown);
            }
        }
        Results found = result.done();
        String message =
                found.messages().length == 0 ? "" : ",\"message\":" + Json.text(found.messages()[0]);
        session.write(session.line(
                "{\"numbers\":" + Json.numbers(found.numbers()) + message + "}", null));
    }

    private void reject(boolean lexical, String message) {
        isDecided = true;
        Numbers rows = new Numbers();
        for (Object token : tokens) {
            rows.addAll(number(token, "sym"), 0, number(token, "left"), number(token, "right"));
        }
        result.rejected(lexical, recorder, rows, message);
        tokens.clear();
    }

    private static int number(Object token, String name) {
        try {
            Field field = token.getClass().getField(name);
            field.setAccessible(true);
            return field.getInt(token);
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            return -1;
        }
    }

    /** The text of the offending token, if the scanner has given it a simple value. */
    private String lastValue() {
        try {
            Object token = tokens.get(tokens.size() - 1);
            Object value = token.getClass().getField("value").get(token);
            boolean simple = value instanceof String || value instanceof Number;
            return simple ? value.toString() : "";
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            return "";
        }
    }
}
