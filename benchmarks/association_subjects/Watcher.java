import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;

/**
 * Runs a subject on one input after the other and counts the branches that they cover together.
 *
 * <p>On standard input, 'I' with a length and so many bytes of UTF-8 is an input, 'F' the end of a forest.
 * The answer to an input is a line "R" with the exception. The answer to 'F' is the number of branches
 * that all inputs since the last one covered, and that of all branches of the jar.
 */
public final class Watcher {
  private final PrintStream out;
  private ExecutionDataStore forest = new ExecutionDataStore();

  private Watcher(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    System.setOut(new PrintStream(PrintStream.nullOutputStream()));
    System.setErr(new PrintStream(PrintStream.nullOutputStream()));
    new Watcher(out).serve(new DataInputStream(System.in), new File(arguments[0]));
  }

  private void serve(DataInputStream in, File jar) throws Exception {
    RT.getAgent().reset();
    for (int command = in.read(); command >= 0; command = in.read()) {
      if (command == 'F') {
        CoverageBuilder found = new CoverageBuilder();
        new Analyzer(forest, found).analyzeAll(jar);
        var branches = found.getBundle("jar").getBranchCounter();
        out.println(branches.getCoveredCount() + " " + branches.getTotalCount());
        forest = new ExecutionDataStore();
      } else {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        input(new String(bytes, StandardCharsets.UTF_8));
      }
      out.flush();
    }
  }

  private void input(String text) throws Exception {
    String raised = "";
    try {
      Subject.run(text);
    } catch (Throwable problem) {
      StackTraceElement[] trace = problem.getStackTrace();
      raised = problem.getClass().getSimpleName() + (trace.length > 0 ? " at " + trace[0] : "");
    }
    byte[] data = RT.getAgent().getExecutionData(true);
    ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(data));
    reader.setExecutionDataVisitor(one -> forest.put(one));
    reader.setSessionInfoVisitor(new SessionInfoStore());
    reader.read();
    out.println("R" + raised.replace('\n', ' '));
  }
}
