import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;

/**
 * Runs a subject on one input after the other and says which methods each executes.
 *
 * <p>On standard input, 'I' with a length and so many bytes of UTF-8 is an input, 'F' the end of a forest.
 * The answer to an input is one line for each method not met before, "M name", and a last line "R" with
 * the numbers of the methods and, after a tab, the exception. The answer to 'F' is the number of branches
 * that all inputs since the last one covered, and that of all branches of the jar.
 */
public final class Watcher {
  private final Map<String, Integer> methods = new HashMap<>();
  private final Map<Long, List<int[]>> ofProbe = new HashMap<>();
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
    ExecutionDataStore store = new ExecutionDataStore();
    byte[] data = RT.getAgent().getExecutionData(true);
    ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(data));
    reader.setExecutionDataVisitor(store);
    reader.setSessionInfoVisitor(new SessionInfoStore());
    reader.read();
    TreeSet<Integer> executed = new TreeSet<>();
    for (ExecutionData one : store.getContents()) {
      forest.put(new ExecutionData(one.getId(), one.getName(), one.getProbes().clone()));
      List<int[]> known = ofProbe.computeIfAbsent(one.getId(), id -> empty(one.getProbes().length));
      boolean[] probes = one.getProbes();
      for (int probe = 0; probe < probes.length; probe++) {
        if (probes[probe]) {
          if (known.get(probe) == null) {
            known.set(probe, methodsOf(one, probe));
          }
          for (int method : known.get(probe)) {
            executed.add(method);
          }
        }
      }
    }
    StringBuilder line = new StringBuilder("R");
    executed.forEach(method -> line.append(' ').append(method));
    out.println(line.append('\t').append(raised.replace('\n', ' ')));
  }

  private static List<int[]> empty(int length) {
    List<int[]> found = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      found.add(null);
    }
    return found;
  }

  /** The methods that one probe shows to be executed, found by an analysis with that probe alone. */
  private int[] methodsOf(ExecutionData data, int probe) throws Exception {
    boolean[] only = new boolean[data.getProbes().length];
    only[probe] = true;
    ExecutionDataStore store = new ExecutionDataStore();
    store.put(new ExecutionData(data.getId(), data.getName(), only));
    CoverageBuilder builder = new CoverageBuilder();
    String resource = "/" + data.getName() + ".class";
    try (InputStream bytes = Watcher.class.getResourceAsStream(resource)) {
      if (bytes == null) {
        return new int[0];
      }
      new Analyzer(store, builder).analyzeClass(bytes, resource);
    }
    List<Integer> found = new ArrayList<>();
    for (IClassCoverage each : builder.getClasses()) {
      for (IMethodCoverage method : each.getMethods()) {
        if (method.getMethodCounter().getCoveredCount() > 0 && !method.getName().startsWith("<")) {
          String name = each.getName().replace('/', '.') + "." + method.getName() + method.getDesc();
          Integer number = methods.get(name);
          if (number == null) {
            number = methods.size();
            methods.put(name, number);
            out.println("M " + name);
          }
          found.add(number);
        }
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }
}
