package org.gramspect.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolationTest {
    @TempDir Path folder;

    /** The static method {@code run} of a class, as a test runs it. */
    private static Outcome<Object> run(IsolatedLoader loader) throws Exception {
        return Guard.quietly(loader, () -> Guard.call(method(loader)));
    }

    private static Callable<Object> method(IsolatedLoader loader) {
        return () -> {
            var method = loader.loadClass("User").getDeclaredMethod("run");
            method.setAccessible(true);
            try {
                return method.invoke(null);
            } catch (java.lang.reflect.InvocationTargetException wrapped) {
                if (wrapped.getCause() instanceof Exception problem) {
                    throw problem;
                }
                throw (Error) wrapped.getCause();
            }
        };
    }

    private IsolatedLoader user(String members) throws Exception {
        return Compiled.loader(folder, "User", "import java.util.*; class User {" + members + "}");
    }

    @Test
    void aClassRuns() throws Exception {
        Outcome<Object> outcome = run(user("static int run() { return 42; }"));
        assertEquals(42, outcome.value());
        assertTrue(outcome.returned());
        assertFalse(outcome.tainted());
    }

    @Test
    void endingTheJvmEndsTheTest() throws Exception {
        for (String call : new String[] {
            "System.exit(3)", "Runtime.getRuntime().exit(3)", "Runtime.getRuntime().halt(3)",
            "try { System.exit(3); } catch (Throwable swallowed) { }"
        }) {
            Outcome<Object> outcome = run(user("static void run() { " + call + "; }"));
            assertEquals(Outcome.Kind.EXITED, outcome.kind());
            assertEquals("called System.exit(3)", outcome.reason());
            assertEquals(3, ((Exit) outcome.thrown()).status());
            assertTrue(outcome.tainted());
        }
    }

    @Test
    void whatIsThrownIsTheOutcome() throws Exception {
        Outcome<Object> thrown = run(user(
                "static void run() { throw new Error(\"illegal\\n character\"); }"));
        assertEquals("raised java.lang.Error: illegal character", thrown.reason());
        assertFalse(thrown.tainted());
        Outcome<Object> deep = run(user("static int run() { return 1 + run(); }"));
        assertEquals(Outcome.Kind.STACK_OVERFLOW, deep.kind());
        Outcome<Object> large = run(user(
                "static Object run() { return new long[Integer.MAX_VALUE]; }"));
        assertEquals(Outcome.Kind.OUT_OF_MEMORY, large.kind());
        Outcome<Object> hostile = run(user("static void run() { throw new RuntimeException() {"
                + " public String getMessage() { throw this; } }; }"));
        assertEquals("raised User$1", hostile.reason());
    }

    @Test
    void theStandardStreamsAreOutOfReach() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        try (PrintStream ours = new PrintStream(seen)) {
            System.setOut(ours);
            Outcome<Object> outcome = run(user("static int run() throws Exception {"
                    + " System.out.println(\"noise\"); System.out.close(); System.setOut(null);"
                    + " return System.in.read(); }"));
            assertEquals(-1, outcome.value());
            assertSame(ours, System.out);
            assertFalse(ours.checkError());
            assertEquals("", seen.toString());
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void staticFieldsArePutBack() throws Exception {
        IsolatedLoader loader = user("static int count; static final int[] numbers = {1, 2};"
                + " static final List<String> names = new ArrayList<>(List.of(\"a\"));"
                + " static Map<String, Integer> map = new HashMap<>();"
                + " static String run() { count++; numbers[0]++; names.add(\"b\");"
                + " map.put(\"k\", map.size()); map.put(\"l\", 0);"
                + " return count + \" \" + numbers[0] + \" \" + names + \" \" + map; }");
        String first = (String) run(loader).value();
        assertEquals("1 2 [a, b] {k=0, l=0}", first);
        assertNotEquals(first, run(loader).value());
        loader.restoreStatics();
        assertEquals(first, run(loader).value());
    }

    @Test
    void aClassWithoutInitializerHasItsStaticFieldsPutBack() throws Exception {
        IsolatedLoader loader = user("static int count; static int run() { return ++count; }");
        assertEquals(1, run(loader).value());
        assertEquals(2, run(loader).value());
        loader.restoreStatics();
        assertEquals(1, run(loader).value());
    }

    @Test
    void threadsLeftBehindAreInterruptedOrTaint() throws Exception {
        String sleeper = "new Thread(() -> { try { Thread.sleep(100000); }"
                + " catch (InterruptedException e) { } }).start();";
        Outcome<Object> polite = run(user("static int run() { " + sleeper + " return 1; }"));
        assertTrue(polite.returned());
        assertFalse(polite.tainted());
        String busy = "new Thread(() -> { long end = System.nanoTime() + 1000000000L;"
                + " while (System.nanoTime() < end) { } }).start();";
        Outcome<Object> stubborn = run(user("static int run() { " + busy + " return 1; }"));
        assertTrue(stubborn.returned());
        assertTrue(stubborn.tainted());
    }

    @Test
    void codeIsNotWaitedForWhenTheTimeIsUp() throws Exception {
        IsolatedLoader sleeping = user("static void run() throws Exception { Thread.sleep(1000000); }");
        Cancellation.set(true);
        try {
            assertThrows(CancellationException.class, () -> run(sleeping));
        } finally {
            Cancellation.set(false);
        }
    }

    @Test
    void threadsOfUserCodeAreDaemons() throws Exception {
        for (String start : new String[] {
            "Thread t = new Thread(own); t.setDaemon(false); t.start(); t.join();",
            "var pool = java.util.concurrent.Executors.newFixedThreadPool(2); pool.submit(own).get();",
            "var pool = java.util.concurrent.Executors.newSingleThreadExecutor();"
                + " pool.submit(own).get();",
        }) {
            Outcome<Object> outcome = run(user("static volatile boolean daemon;"
                    + " static Object run() throws Exception {"
                    + " Runnable own = () -> daemon = Thread.currentThread().isDaemon(); "
                    + start + " return daemon; }"));
            assertEquals(true, outcome.value());
        }
    }

    @Test
    void classesOfTwoLoadersAreApart() throws Exception {
        IsolatedLoader one = user("static Object run() { return User.class; }");
        IsolatedLoader two = user("static Object run() { return User.class; }");
        assertNotSame(run(one).value(), run(two).value());
        assertThrows(ClassNotFoundException.class, () -> one.loadClass("org.objectweb.asm.Type"));
    }

    @Test
    void whatIsNoClassIsSaidPlainly() throws Exception {
        IsolatedLoader loader = user("static int run() { return 1; }");
        Path file = folder.resolve("User.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = (byte) 250;
        Files.write(file, bytes);
        Outcome<Object> newer = run(loader);
        assertTrue(newer.thrown().getMessage()
                .startsWith("User was compiled for Java 206, this is Java "));
        Files.writeString(file, "nothing");
        assertEquals("raised java.lang.ClassFormatError: User is no class file",
                run(loader).reason());
    }
}
