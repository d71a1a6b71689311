package org.gramspect.agent.javacc;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.gramspect.agent.Agent;
import org.gramspect.agent.Json;
import org.gramspect.agent.Session;
import org.gramspect.buffers.Numbers;
import org.gramspect.javacc.Instrumenter;
import org.gramspect.javacc.Layout;
import org.gramspect.javacc.Observer;
import org.gramspect.javacc.ParserOutline;
import org.gramspect.javacc.Parse;
import org.gramspect.javacc.Recording;
import org.gramspect.javacc.TokenAccess;
import org.gramspect.javacc.Verdict;
import org.objectweb.asm.ClassVisitor;

/** The parses of a JavaCC parser class that one class loader has loaded; each counts as a test. */
public final class Recordings extends Observer {
    /** Instrumented code does not keep its observer. */
    private static final List<Recordings> ALL = new CopyOnWriteArrayList<>();

    private final Session session;
    private final ClassLoader loader;
    private final ParserOutline outline;
    private final AtomicInteger tests = new AtomicInteger();
    private final Queue<Marks> free = new ConcurrentLinkedQueue<>();
    private volatile TokenAccess access;
    private volatile boolean isBroken;

    private Recordings(Session session, ClassLoader loader, ParserOutline outline) {
        super(Layout.of(outline));
        this.session = session;
        this.loader = loader;
        this.outline = outline;
        ALL.add(this);
    }

    /** A visitor that passes on a parser class that reports to a new object of this class. */
    public static ClassVisitor rewriter(
            Session session, ClassLoader loader, byte[] code, ClassVisitor next) {
        ParserOutline outline = ParserOutline.read(code);
        if (outline == null) {
            throw new IllegalArgumentException("its jj_consume_token throws no syntax errors");
        }
        Recordings recordings = new Recordings(session, loader, outline);
        return new Instrumenter(outline, recordings).rewrite(session.parser(), next);
    }

    @Override
    protected int test() {
        int number = tests.incrementAndGet();
        return number == 0 ? tests.incrementAndGet() : number;
    }

    @Override
    protected Marks takeMarks() {
        Marks taken = free.poll();
        return taken == null ? newMarks() : taken;
    }

    @Override
    protected Object lastToken(Object parser) {
        TokenAccess tokens = access();
        return tokens == null ? null : tokens.token(parser);
    }

    private TokenAccess access() {
        if (access == null && !isBroken) {
            try {
                access = new TokenAccess(Class.forName(session.parser(), false, loader));
                session.file().begin("javacc", session.parser(), Json.numbers(outline.digests()));
            } catch (ReflectiveOperationException | RuntimeException problem) {
                stop(problem);
            }
        }
        return access;
    }

    private synchronized void stop(Exception problem) {
        if (!isBroken) {
            isBroken = true;
            Agent.complain(session.parser() + " is not recorded any more: " + problem);
        }
    }

    @Override
    protected void began(Parse parse) {
        // Only the end is of interest.
    }

    @Override
    protected void renews(Parse parse) {
        // The parse has been written.
    }

    @Override
    protected void ended(Recording recording, Throwable thrown) {
        if (!isBroken) {
            try {
                write(recording, thrown);
            } catch (Exception problem) {
                stop(problem);
            }
        }
        free.add(recording.giveMarks());
    }

    private void write(Recording recording, Throwable thrown) throws Exception {
        Verdict verdict = new Verdict(access, recording.parse());
        Numbers numbers = new Numbers();
        List<String> messages = new ArrayList<>();
        verdict.writeTo(numbers, messages);
        verdict.ofParse(thrown, outline.errorClass);
        String message = messages.isEmpty() ? "" : ",\"message\":" + Json.text(messages.get(0));
        String tokens = messages.isEmpty()
                ? ",\"tokens\":" + Json.numbers(verdict.consumed()) : "";
        session.write(session.line("{\"start\":" + recording.parse().root() + ",\"numbers\":"
                + Json.numbers(numbers.toArray()) + tokens + message + "}", null));
    }
}
