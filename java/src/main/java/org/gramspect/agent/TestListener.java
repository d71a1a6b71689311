package org.gramspect.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Tells the tests of JUnit apart. JUnit finds it by its service file. */
public final class TestListener implements TestExecutionListener {
    private static final Pattern SEGMENT = Pattern.compile("\\[[^:\\]]*:((?:[^\\]])*)\\]");

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            Session.testBegins(name(test));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            Session.testEnds(name(test), switch (result.getStatus()) {
                case SUCCESSFUL -> "passed";
                case FAILED -> "failed";
                case ABORTED -> "skipped";
            });
        }
    }

    /** What the unique identifier says after the name of the engine. */
    private static String name(TestIdentifier test) {
        List<String> parts = new ArrayList<>();
        Matcher segments = SEGMENT.matcher(test.getUniqueId());
        while (segments.find()) {
            parts.add(segments.group(1));
        }
        return String.join("/", parts.subList(Math.min(1, parts.size() - 1), parts.size()));
    }
}
