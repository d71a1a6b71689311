package org.gramspect.javacc;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.gramspect.buffers.Numbers;
import org.gramspect.compiling.UserProblem;
import org.gramspect.isolation.Exit;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;
import org.objectweb.asm.Type;

/** Runs texts through a generated parser, many in one call. */
public final class Runner {
    static final int ACCEPTED = 0;
    static final int SYNTAX_ERROR = 1;
    static final int LEXICAL_ERROR = 2;
    static final int UNDECIDED = 3;

    /** A constructor that is content with any of these is one for texts. */
    private static final List<String> SAMPLES = List.of("", "a", "1\n");

    private static final String SEQUENCE = "GramspectSequence";

    /**
     * What happened, in one array: for every text its outcome, then
     *
     * <ul>
     *   <li>accepted: the number of pairs of sites, and twice the number of each ({@link Layout}), plus one
     *       if a token was consumed there
     *   <li>an error: the index of the offending token, its line and column; the number of tokens
     *       and three numbers for each: kind (-1 - kind if Java code has consumed it), line, column
     *   <li>undecided: nothing
     * </ul>
     *
     * <p>and for every text but the accepted ones a message.
     */
    public record Results(int[] numbers, String[] messages) {}

    /** One test: makes the parser and runs it; throws what the user's code throws. */
    @FunctionalInterface
    private interface Test {
        Object run() throws Exception;
    }

    @FunctionalInterface
    private interface Tests {
        Test numbered(int index);
    }

    private final LoadedParser parser;
    private final int[][] sites;
    private final int start;
    private final boolean calls;
    private final boolean allowTrailing;
    private boolean strict;

    /** The classes that are loaded anew after a test that may have left something behind. */
    private IsolatedLoader loader;
    private Session session;
    private Class<?> parserClass;
    private Construction construction;
    private Method entry;
    private Field staticRecording;

    Runner(LoadedParser parser, int[][] sites, int start, boolean calls, boolean allowTrailing)
            throws UserProblem {
        this.parser = parser;
        this.sites = sites;
        this.start = start;
        this.calls = calls;
        this.allowTrailing = allowTrailing;
        Outcome<Void> outcome = quietly(() -> Guard.call(() -> {
            load();
            return null;
        }));
        if (outcome.thrown() instanceof UserProblem problem) {
            throw problem;
        } else if (!outcome.returned()) {
            throw UserProblem.of(parser.className, outcome);
        }
    }

    private static <T> T quietly(Callable<T> work) {
        try {
            return Guard.quietly(null, work);
        } catch (RuntimeException | Error problem) {
            throw problem;
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void load() throws Exception {
        ParserOutline outline = parser.outline;
        session = new Session(Layout.of(outline));
        loader = parser.classes.loader(new Instrumenter(outline, sites, session));
        parserClass = Class.forName(parser.className, true, loader);
        session.attach(new TokenAccess(parserClass));
        String name = calls ? Calling.className(parser.className) : parser.className;
        Class<?> home = Class.forName(name, true, loader);
        entry = calls
                ? home.getMethod(Calling.METHOD, String.class)
                : production(outline.productions.get(start));
        entry.setAccessible(true);
        construction = calls ? null : Construction.of(parserClass);
        if (outline.isStatic) {
            staticRecording = parserClass.getDeclaredField(Instrumenter.FIELD);
        }
    }

    private Method production(ParserOutline.Production wanted) {
        for (Method method : parserClass.getDeclaredMethods()) {
            if (method.getName().equals(wanted.name())
                    && Type.getMethodDescriptor(method).equals(wanted.descriptor())) {
                return method;
            }
        }
        throw new AssertionError(wanted);
    }

    /** Throws if no parser can be made for a text. */
    public void checkTexts() throws UserProblem {
        if (calls) {
            return;
        }
        if (construction == null) {
            throw unclear("");
        }
        Outcome<Object> outcome = null;
        for (String text : SAMPLES) {
            outcome = quietly(() -> made(text));
            if (outcome.returned()) {
                return;
            }
        }
        String missing = UserProblem.ofMissingClass(parser.className, outcome);
        if (missing != null) {
            throw new UserProblem(missing);
        }
        throw unclear(": its constructor " + outcome.reason());
    }

    private UserProblem unclear(String why) {
        return new UserProblem("it is not clear how to make the parser " + parser.className
                + " for a text" + why + "; say it in Java with --option call=...");
    }

    /** The outcome of making a parser, which is done with that. */
    private Outcome<Object> made(String text) throws Exception {
        Thread.currentThread().setContextClassLoader(loader);
        Outcome<Object> outcome = Guard.call(() -> {
            begin();
            return construction.parser(text);
        });
        if (outcome.tainted()) {
            load();
        }
        return outcome;
    }

    /** Runs texts in order. */
    public Results run(String[] texts) {
        return run(texts.length, i -> test(texts[i]));
    }

    /** The kinds of a text's tokens, that of the end of the input last; null if the lexer fails. */
    public int[] kinds(String text) {
        AtomicReference<int[]> kinds = new AtomicReference<>();
        quietly(() -> {
            guarded(test(text), (verdict, thrown) -> kinds.set(verdict.kinds(thrown)));
            return null;
        });
        return kinds.get();
    }

    /** {@link Lexing#read}; null if the lexer cannot be run by itself. */
    public Lexing.Tokens lexed(String[] stretches) {
        AtomicReference<Lexing.Tokens> found = new AtomicReference<>();
        quietly(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            Construction made = Construction.of(parserClass);
            TokenAccess access = session.access();
            Outcome<Void> outcome = Guard.call(() -> {
                begin();
                found.set(made == null
                        ? null
                        : new Lexing(made, access, access.lexerClass()).read(stretches));
                return null;
            });
            if (outcome.tainted()) {
                load();
            }
            return null;
        });
        return found.get();
    }

    private Test test(String text) {
        return calls
                ? () -> Reflection.call(() -> entry.invoke(null, text))
                : () -> parse(construction.parser(text));
    }

    /** Runs sequences of kinds: {@code kinds[starts[i]]} to {@code kinds[starts[i + 1] - 1]}. */
    public Results runKinds(int[] kinds, int[] starts) {
        return run(starts.length - 1, i -> () -> {
            Method make = Class.forName(SEQUENCE, true, loader)
                    .getMethod("parser", int[].class, int.class, int.class);
            make.setAccessible(true);
            return parse(Reflection.call(() -> make.invoke(null, kinds, starts[i], starts[i + 1])));
        });
    }

    private Object parse(Object made) throws Exception {
        Reflection.call(() -> entry.invoke(made, Reflection.emptyArguments(entry)));
        return made;
    }

    private Results run(int count, Tests tests) {
        Numbers out = new Numbers();
        List<String> messages = new ArrayList<>();
        quietly(() -> {
            for (int i = 0; i < count; i++) {
                one(tests.numbered(i), out, messages);
            }
            return null;
        });
        return new Results(out.toArray(), messages.toArray(String[]::new));
    }

    private void one(Test test, Numbers out, List<String> messages) throws Exception {
        int size = out.size();
        int known = messages.size();
        Outcome<Void> outcome =
                guarded(test, (verdict, thrown) -> judge(verdict, thrown, out, messages));
        if (!outcome.returned()) {
            out.truncate(size);
            out.add(UNDECIDED);
            messages.subList(known, messages.size()).clear();
            String missing = UserProblem.ofMissingClass("the parser", outcome);
            messages.add(missing == null ? "the parser " + outcome.reason() : missing);
        }
    }

    /** What is done with what a test has thrown (null: nothing). */
    @FunctionalInterface
    private interface Use {
        void of(Verdict verdict, Throwable thrown) throws Exception;
    }

    /** Runs one test; whatever user code does ends it at most. */
    private Outcome<Void> guarded(Test test, Use use) throws Exception {
        Thread.currentThread().setContextClassLoader(loader);
        Outcome<Void> outcome = Guard.call(() -> {
            begin();
            Throwable thrown = null;
            try {
                test.run();
            } catch (StackOverflowError | OutOfMemoryError | Exit fatal) {
                throw fatal;
            } catch (Throwable problem) {
                thrown = problem;
            }
            Parse parse = calls
                    ? session.parses().telling(start, thrown, strict)
                    : session.parses().main(start);
            use.of(new Verdict(session.access(), parse), thrown);
            return null;
        });
        if (outcome.tainted()) {
            load();
        }
        return outcome;
    }

    /** Puts everything as it is before each test. */
    private void begin() throws Exception {
        parser.restoreStatics(loader);
        session.nextTest();
        if (staticRecording != null) {
            staticRecording.set(null, Recording.create(session.number));
        }
    }

    /** From now on a syntax error rejects, even if the code that runs the parser gets over it. */
    public void rejectFirstError() {
        strict = true;
    }

    private void judge(
            Verdict verdict, Throwable thrown, Numbers out, List<String> messages)
            throws Exception {
        String errorClass = parser.outline.errorClass;
        verdict.writeTo(out, messages);
        if (calls) {
            verdict.ofCall(thrown, errorClass, start, parser.outline, strict);
        } else {
            verdict.ofParser(thrown, errorClass, allowTrailing);
        }
    }
}
