package org.gramspect.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The listener is found by its service file; parses belong to the tests that they happen in. */
class TestListenerTest {
    private static Session session;

    private static void parse(String what) {
        session.write(session.line(Json.text(what), null));
    }

    /** Run by the test below; its own results do not count. */
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Recorded {
        @Test
        void a() {
            parse("one");
            parse("two");
        }

        @ParameterizedTest
        @ValueSource(ints = {7, 8})
        void b(int number) throws InterruptedException {
            Thread other = new Thread(() -> parse("in a thread"));
            other.start();
            other.join();
            if (number == 8) {
                session.hold("never written", this, 0);
                session.begins(this, 0);
                session.hold(session.line(Json.text("held"), null), this, 0);
                fail();
            }
        }

        @Test
        void c() {
            assumeTrue(false);
        }
    }

    @Test
    void testsAreToldApart(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("run.gsp");
        RunFile file = new RunFile(path.toString());
        session = Session.open("p.X", file, true);
        file.begin("antlr", "p.X", "[]");
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Recorded.class)).build();
        LauncherFactory.create().execute(request);
        parse("outside");
        List<String> found = Files.readAllLines(path).stream()
                .map(line -> line.replace("org.gramspect.agent.TestListenerTest$Recorded", "R"))
                .skip(1).toList();
        assertEquals(List.of(
                "{'type':'parse','test':'R/a()','outcome':'one'}",
                "{'type':'parse','test':'R/a()','outcome':'two'}",
                "{'type':'test','name':'R/a()','outcome':'passed'}",
                "{'type':'parse','test':'R/b(int)/#1','outcome':'in a thread'}",
                "{'type':'test','name':'R/b(int)/#1','outcome':'passed'}",
                "{'type':'parse','test':'R/b(int)/#2','outcome':'in a thread'}",
                "{'type':'parse','test':'R/b(int)/#2','outcome':'held'}",
                "{'type':'test','name':'R/b(int)/#2','outcome':'failed'}",
                "{'type':'test','name':'R/c()','outcome':'skipped'}",
                "{'type':'parse','outcome':'outside'}"),
                found.stream().map(line -> line.replace('"', '\'')).toList());
    }
}
