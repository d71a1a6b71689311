package org.gramspect.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Records a generated parser inside any program:
 * {@code java -javaagent:gramspect-agent.jar=out=run.gsp,parser=org.example.XParser ...}
 */
public final class Agent {
    private static final Set<String> OPTIONS = Set.of("out", "parser", "text");
    private static final String PROCESS = "{pid}";
    private static boolean isFirst = true;

    private Agent() {}

    /** Called by the JVM before the program's main method. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            start(options(arguments == null ? "" : arguments), instrumentation);
        } catch (IllegalArgumentException | IOException problem) {
            complain(problem.getMessage());
            Runtime.getRuntime().halt(2);
        }
    }

    private static void start(Map<String, String> options, Instrumentation instrumentation)
            throws IOException {
        boolean texts = !options.getOrDefault("text", "yes").equals("no");
        Session.open(options.get("parser"), new RunFile(path(options.get("out"))), texts);
        if (isFirst) {
            isFirst = false;
            instrumentation.addTransformer(new Rewriting());
            Runtime.getRuntime().addShutdownHook(new Ending());
        }
    }

    /** The number of the process is asked for only if it is needed, for that is slow. */
    private static String path(String out) {
        return out.contains(PROCESS)
                ? out.replace(PROCESS, String.valueOf(ProcessHandle.current().pid()))
                : out;
    }

    private static Map<String, String> options(String arguments) {
        Map<String, String> found = new TreeMap<>();
        for (String argument : arguments.split(",")) {
            int equals = argument.indexOf('=');
            String name = argument.substring(0, Math.max(equals, 0));
            if (!OPTIONS.contains(name)) {
                throw new IllegalArgumentException("the agent does not know '" + argument
                        + "'; write out=FILE,parser=CLASS, and text=no if you like");
            }
            found.put(name, argument.substring(equals + 1));
        }
        if (!found.containsKey("out") || !found.containsKey("parser")) {
            throw new IllegalArgumentException(
                    "the agent must know the file and the parser: out=FILE,parser=CLASS");
        }
        return found;
    }

    /** Whether classes of a loader can call this agent. */
    public static boolean isSeenBy(ClassLoader loader) {
        try {
            return loader != null && loader.loadClass(Session.class.getName()) == Session.class;
        } catch (ClassNotFoundException hidden) {
            return false;
        }
    }

    /** Says what is wrong. */
    public static void complain(String message) {
        System.err.println("gramspect: " + message);
    }

    private static final class Ending extends Thread {
        @Override
        public void run() {
            Session.programEnds();
        }
    }
}
