package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.kit.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of this JVM, if need be with a jar for each folder: a process that has no
 * descriptors left can go on loading classes only from files that are open.
 */
final class JarredClasses implements AutoCloseable {
  private final List<String> path = new ArrayList<>();
  private final List<Path> jars = new ArrayList<>();

  private JarredClasses() {}

  /**
   * Makes the jars.
   *
   * @param needed whether they are needed; without, folders stay folders
   */
  static JarredClasses make(boolean needed) throws IOException {
    JarredClasses classes = new JarredClasses();
    for (String entry : ChildProcess.classPath()) {
      boolean packs = needed && Files.isDirectory(Path.of(entry));
      classes.path.add(packs ? classes.pack(Path.of(entry)).toString() : entry);
    }
    return classes;
  }

  private Path pack(Path folder) throws IOException {
    Path jar = Files.createTempFile("classes", ".jar");
    jars.add(jar);
    // Also if somebody interrupts the run.
    jar.toFile().deleteOnExit();
    try (OutputStream bytes = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(bytes);
        Stream<Path> all = Files.walk(folder)) {
      out.setLevel(0);
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  List<String> path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    for (Path jar : jars) {
      Files.delete(jar);
    }
  }
}
