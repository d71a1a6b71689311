package org.gramspect.isolation;

import java.util.concurrent.ThreadFactory;

/** The threads of user code are daemons: a JVM that ends waits for all others. */
public final class Threads {
    private Threads() {}

    /** Stands for {@code thread.setDaemon(daemon)}. */
    public static void setDaemon(Thread thread, boolean daemon) {
        thread.setDaemon(true);
    }

    /** What executors make their threads with if the user's code does not say. */
    public static ThreadFactory factory() {
        return work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        };
    }
}
