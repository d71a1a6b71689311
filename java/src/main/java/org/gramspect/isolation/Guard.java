package org.gramspect.isolation;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs user code so that what it does costs at most the test at hand. */
public final class Guard {
    /** Deep recursion of the input may be deep recursion of the user's code. */
    private static final long STACK_BYTES = Long.getLong("gramspect.stack", 1L << 28);

    /** How long threads that a test leaves behind get to end when they are interrupted. */
    private static final long PATIENCE_MS = 100;

    /** How often a thread that waits for user code looks whether the time is up. */
    private static final long LOOK_MS = 100;

    private Guard() {}

    /**
     * Runs work on a thread with a large stack, with user code cut off from the standard streams: what
     * it prints is dropped, what it reads is empty.
     *
     * @param context the context class loader of the thread
     * @throws CancellationException it was still running when the time was up ({@link Cancellation});
     *     it is interrupted, and not waited for
     * @throws Exception what the work throws
     */
    public static <T> T quietly(ClassLoader context, Callable<T> work) throws Exception {
        InputStream in = System.in;
        PrintStream out = System.out;
        PrintStream err = System.err;
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(
                new ThreadGroup("gramspect"), task, "gramspect", STACK_BYTES);
        thread.setDaemon(true);
        thread.setContextClassLoader(context);
        try {
            cutOff();
            thread.start();
            await(thread);
        } finally {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
        try {
            return task.get();
        } catch (ExecutionException wrapped) {
            if (wrapped.getCause() instanceof Exception problem) {
                throw problem;
            }
            throw (Error) wrapped.getCause();
        }
    }

    private static void await(Thread thread) throws InterruptedException {
        thread.join(LOOK_MS);
        while (thread.isAlive()) {
            try {
                Cancellation.check();
            } catch (CancellationException timeIsUp) {
                thread.interrupt();
                thread.join(PATIENCE_MS);
                throw timeIsUp;
            }
            thread.join(LOOK_MS);
        }
    }

    /**
     * Runs one test, inside {@link #quietly}. Whatever it throws is its outcome; threads that it leaves
     * behind are interrupted.
     */
    public static <T> Outcome<T> call(Callable<T> test) {
        Exit.takeRequested();
        T value = null;
        Throwable thrown = null;
        try {
            value = test.call();
        } catch (Throwable problem) {
            thrown = problem;
        }
        Exit exit = Exit.takeRequested();
        if (exit != null) {
            thrown = exit;
        }
        cutOff();
        Thread.interrupted();
        boolean alone = endOtherThreads();
        return new Outcome<>(kind(thrown), thrown == null ? value : null, thrown,
                !alone || leavesDamage(thrown));
    }

    /** Whether code was stopped where it need not expect it; other errors may be what it reports. */
    private static boolean leavesDamage(Throwable thrown) {
        return thrown instanceof Exit
                || thrown instanceof VirtualMachineError
                || thrown instanceof LinkageError;
    }

    private static Outcome.Kind kind(Throwable thrown) {
        if (thrown == null) {
            return Outcome.Kind.RETURNED;
        } else if (thrown instanceof Exit) {
            return Outcome.Kind.EXITED;
        } else if (thrown instanceof StackOverflowError) {
            return Outcome.Kind.STACK_OVERFLOW;
        } else if (thrown instanceof OutOfMemoryError) {
            return Outcome.Kind.OUT_OF_MEMORY;
        }
        return Outcome.Kind.THREW;
    }

    /** The streams are set again after each test: user code may set or close them. */
    private static void cutOff() {
        if (System.in != NOTHING) {
            System.setIn(NOTHING);
        }
        if (System.out != NOWHERE) {
            System.setOut(NOWHERE);
        }
        if (System.err != NOWHERE) {
            System.setErr(NOWHERE);
        }
    }

    /** Interrupts the threads that user code has started; false if one does not end. */
    private static boolean endOtherThreads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        if (group.activeCount() <= 1) {
            return true;
        }
        Thread[] threads = new Thread[group.activeCount() + 8];
        int count = group.enumerate(threads);
        boolean ended = true;
        for (int i = 0; i < count; i++) {
            if (threads[i] != Thread.currentThread()) {
                threads[i].interrupt();
                try {
                    threads[i].join(PATIENCE_MS);
                } catch (InterruptedException ours) {
                    Thread.interrupted();
                }
                ended &= !threads[i].isAlive();
            }
        }
        return ended;
    }

    private static final InputStream NOTHING = new InputStream() {
        @Override
        public int read() {
            return -1;
        }
    };

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream()) {
        @Override
        public void close() {}

        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int offset, int length) {}
    };
}
