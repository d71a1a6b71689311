package org.gramspect.coverage;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/**
 * Runs a method of a Java program on one input after the other and says which methods each executes.
 *
 * <p>Its arguments are {@code p.Class::method}, a class path, and the packages or classes that are
 * watched; without any, those in the first entry of the class path. The method takes a string, a
 * character sequence or a reader; if it is not static, each input has a new object.
 *
 * <p>It answers with a line {@code S}, or {@code E message} if there is no such method. Then an input on
 * standard input is its length (four bytes) and so many bytes of UTF-8. The answer is one line for each
 * method that was not executed before, {@code M name}, which are numbered from 0, and a last line
 * {@code R} with the numbers of the methods and, after a tab, the exception.
 */
public final class Watcher {
  private static final List<Class<?>> TEXTS =
      List.of(String.class, CharSequence.class, Reader.class);
  private static final int STACK = 64 << 20;

  private final RuntimeData counters = new RuntimeData();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final PrintStream out;
  private final WatchedLoader loader;
  private final Method method;
  private final Predicate<String> isWatched;

  private Watcher(PrintStream out, String program, String classpath, List<String> watched)
      throws Exception {
    this.out = out;
    File[] places =
        Arrays.stream(classpath.split(File.pathSeparator)).map(File::new).toArray(File[]::new);
    URL[] urls = new URL[places.length];
    for (int i = 0; i < places.length; i++) {
      urls[i] = places[i].toURI().toURL();
    }
    isWatched = watched.isEmpty() ? new Contents(places[0])::has : name -> isIn(name, watched);
    IRuntime runtime = new LoggerRuntime();
    loader = new WatchedLoader(urls, new Instrumenter(runtime), isWatched);
    runtime.startup(counters);
    String[] parts = program.split("::", 2);
    Class<?> owner;
    try {
      owner = Class.forName(parts[0], false, loader);
    } catch (ClassNotFoundException problem) {
      throw new IllegalArgumentException("there is no class " + parts[0] + " in " + classpath);
    }
    method = methodOf(owner, parts[1]);
  }

  private static boolean isIn(String name, List<String> watched) {
    return watched.stream().anyMatch(one -> name.equals(one) || name.startsWith(one + "."));
  }

  private static Method methodOf(Class<?> owner, String name) throws NoSuchMethodException {
    for (Class<?> text : TEXTS) {
      for (Method each : owner.getMethods()) {
        if (each.getName().equals(name) && Arrays.equals(each.getParameterTypes(), new Class<?>[] {text})) {
          if (!Modifier.isStatic(each.getModifiers())) {
            owner.getConstructor();
          }
          return each;
        }
      }
    }
    throw new IllegalArgumentException(
        owner.getName() + " has no public method " + name + " of one String, CharSequence or Reader");
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    DataInputStream in = new DataInputStream(System.in);
    System.setIn(InputStream.nullInputStream());
    System.setOut(new PrintStream(PrintStream.nullOutputStream()));
    System.setErr(new PrintStream(PrintStream.nullOutputStream()));
    List<String> watched = List.of(arguments).subList(2, arguments.length);
    Thread thread = new Thread(null, () -> serve(in, out, arguments, watched), "gramspect", STACK);
    thread.start();
    thread.join();
    Runtime.getRuntime().halt(0); // the program may have threads that never end
  }

  private static void serve(
      DataInputStream in, PrintStream out, String[] arguments, List<String> watched) {
    Watcher watcher;
    try {
      watcher = new Watcher(out, arguments[0], arguments[1], watched);
    } catch (NoSuchMethodException problem) {
      say(out, "E the class has no public constructor without arguments, and the method is not static");
      return;
    } catch (Exception | LinkageError problem) {
      say(out, "E " + problem.getMessage());
      return;
    }
    say(out, "S");
    try {
      while (true) {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        watcher.run(new String(bytes, StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (EOFException end) {
      return;
    } catch (IOException problem) {
      throw new java.io.UncheckedIOException(problem);
    }
  }

  private static void say(PrintStream out, String line) {
    out.println(line.replace('\n', ' '));
    out.flush();
  }

  private void run(String text) {
    String raised = "";
    try {
      Thread.currentThread().setContextClassLoader(loader);
      boolean isStatic = Modifier.isStatic(method.getModifiers());
      Object target =
          isStatic ? null : method.getDeclaringClass().getConstructor().newInstance();
      boolean reads = method.getParameterTypes()[0] == Reader.class;
      method.invoke(target, reads ? new StringReader(text) : text);
    } catch (InvocationTargetException problem) {
      raised = described(problem.getCause());
    } catch (Throwable problem) {
      raised = described(problem);
    }
    TreeSet<Integer> executed = new TreeSet<>();
    counters.collect(one -> add(one, executed), session -> {}, true);
    StringBuilder line = new StringBuilder("R");
    executed.forEach(number -> line.append(' ').append(number));
    out.println(line.append('\t').append(raised));
  }

  /** The kind of an exception and the innermost watched place that it came through. */
  private String described(Throwable problem) {
    String name = problem.getClass().getSimpleName();
    for (StackTraceElement frame : problem.getStackTrace()) {
      if (isWatched.test(frame.getClassName())) {
        return name + " at " + frame.getClassName() + "." + frame.getMethodName() + ":"
            + frame.getLineNumber();
      }
    }
    return name;
  }

  private void add(ExecutionData data, TreeSet<Integer> executed) {
    String[] methods = loader.methodsOf(data.getId());
    boolean[] probes = data.getProbes();
    String last = null;
    for (int probe = 0; probe < Math.min(probes.length, methods.length); probe++) {
      String name = methods[probe];
      if (probes[probe] && name != null && !name.equals(last)) {
        executed.add(number(name));
        last = name;
      }
    }
  }

  private int number(String name) {
    Integer known = numbers.get(name);
    if (known == null) {
      known = numbers.size();
      numbers.put(name, known);
      out.println("M " + name);
    }
    return known;
  }
}
