package org.gramspect.coverage;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;

/** The classes in one jar or folder. */
final class Contents {
  private final URLClassLoader place;

  Contents(File place) throws IOException {
    this.place = new URLClassLoader(new URL[] {place.toURI().toURL()}, null);
  }

  boolean has(String className) {
    return place.findResource(className.replace('.', '/') + ".class") != null;
  }
}
