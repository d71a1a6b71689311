package org.gramspect.agent;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A recorded run: a header, then a line for each parse and each test (docs/recording.md).
 *
 * <p>Each line is one write to the file, so a program that is killed loses the running parse at most.
 */
public final class RunFile {
    private static final String SCHEMA = "gramspect/run/1";

    private final String path;
    private final OutputStream file;
    private boolean begun;
    private boolean broken;

    RunFile(String path) throws IOException {
        this.path = path;
        this.file = new FileOutputStream(path);
    }

    /** Writes the header, once; {@code identity} is JSON. */
    public synchronized void begin(String adapter, String parser, String identity) {
        if (!begun) {
            begun = true;
            write("{\"type\":\"run\",\"schema\":\"" + SCHEMA + "\",\"writer\":\"gramspect-agent "
                    + version() + "\",\"adapter\":" + Json.text(adapter) + ",\"source\":"
                    + Json.text(parser) + ",\"identity\":" + identity + "}");
        }
    }

    private static String version() {
        String version = RunFile.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    /** Writes what has to be known for the parses after it. */
    public void table(String entries) {
        write("{\"type\":\"table\",\"entries\":" + entries + "}");
    }

    /** Writes the end of a test. */
    void test(String name, String outcome) {
        write("{\"type\":\"test\",\"name\":" + Json.text(name) + ",\"outcome\":\"" + outcome + "\"}");
    }

    /** Writes a line in the form of {@link Json}, with one write to the file. */
    public synchronized void write(String line) {
        if (broken || !begun) {
            return;
        }
        try {
            file.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException problem) {
            broken = true;
            Agent.complain(path + ": " + problem.getMessage() + "; nothing more is recorded");
        }
    }

    synchronized boolean hasBegun() {
        return begun;
    }
}
