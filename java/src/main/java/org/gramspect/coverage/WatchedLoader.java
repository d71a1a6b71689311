package org.gramspect.coverage;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.internal.data.CRC64;

/** Loads the classes of a program, those that are watched with JaCoCo's probes in them. */
final class WatchedLoader extends URLClassLoader {
  private final Instrumenter instrumenter;
  private final Predicate<String> isWatched;
  private final Map<Long, String[]> methods = new HashMap<>();

  WatchedLoader(URL[] classpath, Instrumenter instrumenter, Predicate<String> isWatched) {
    super(classpath, ClassLoader.getPlatformClassLoader());
    this.instrumenter = instrumenter;
    this.isWatched = isWatched;
  }

  /** By probe: the methods of a class by the number that JaCoCo has for it. */
  synchronized String[] methodsOf(long id) {
    return methods.getOrDefault(id, new String[0]);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    URL resource = isWatched.test(name) ? findResource(name.replace('.', '/') + ".class") : null;
    if (resource == null) {
      return super.findClass(name);
    }
    byte[] original;
    byte[] probed;
    try (var in = resource.openStream()) {
      original = in.readAllBytes();
      probed = instrumenter.instrument(original, name);
    } catch (IOException problem) {
      throw new ClassNotFoundException(name, problem);
    }
    synchronized (this) {
      methods.put(CRC64.classId(original), Methods.ofProbes(original, name));
    }
    return defineClass(name, probed, 0, probed.length);
  }
}
