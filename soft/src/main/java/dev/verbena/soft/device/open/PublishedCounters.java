package dev.verbena.soft.device.open;

import dev.verbena.soft.memory.LateErrors;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Population;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows other processes of this user what an open device counts, when they ask ({@link
 * CountersFile}). Asking wakes nobody, and nobody asking costs one look into memory each time the
 * device's thread is about to sleep. A device for which there can be no file works without.
 */
final class PublishedCounters {
  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.device");
  private static final int MOST_PROGRAM = 500;

  private final String device;
  private final Population population;
  private final Counters counters;
  private final @Nullable Path file;
  private final Arena arena = Arena.ofShared();
  // By the device's thread.
  private @Nullable MemorySegment memory;
  private int answered;
  private int version;

  private PublishedCounters(
      String device, Population population, Counters counters, @Nullable Path file) {
    this.device = device;
    this.population = population;
    this.counters = counters;
    this.file = file;
  }

  /** Begins to publish, in the folder of this user. */
  static PublishedCounters start(String device, Population population, Counters counters) {
    Path file = null;
    try {
      Path folder = CountersFile.folder();
      LeftFiles.removeOnce(folder);
      file = folder.resolve(CountersFile.newName());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, device + " cannot publish its counters", e);
    }
    return start(device, population, counters, file);
  }

  /** Publishes in this file, which must not exist, or not at all. */
  static PublishedCounters start(
      String device, Population population, Counters counters, @Nullable Path file) {
    PublishedCounters made = new PublishedCounters(device, population, counters, file);
    if (file != null) {
      made.make(file);
    }
    return made;
  }

  private void make(Path path) {
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      // Its pages must be there before they are touched, as memory may be short.
      ByteBuffer zeros = ByteBuffer.allocate(CountersFile.BYTES);
      while (zeros.hasRemaining()) {
        channel.write(zeros);
      }
      MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, CountersFile.BYTES, arena);
      memory = mapped;
      publish(mapped, 0);
      mapped.set(ValueLayout.JAVA_LONG, CountersFile.MAGIC_AT, CountersFile.MAGIC);
      LateErrors.raise();
    } catch (IOException | InternalError e) {
      memory = null;
      LOG.log(Level.DEBUG, device + " cannot publish its counters in " + path, e);
    }
  }

  /** Answers if somebody asks. Called by the device's thread whenever it is awake. */
  void answer() {
    MemorySegment mapped = memory;
    if (mapped == null) {
      return;
    }
    try {
      int asked = (int) CountersFile.NUMBER.getVolatile(mapped, CountersFile.REQUESTS_AT);
      if (asked != answered) {
        publish(mapped, asked);
      }
      LateErrors.raise();
    } catch (InternalError e) {
      // Somebody has cut the file short.
      memory = null;
      LOG.log(Level.DEBUG, device + " publishes its counters no longer", e);
    }
  }

  private void publish(MemorySegment to, int asked) {
    byte[] text = text().getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, CountersFile.MOST_TEXT);
    CountersFile.NUMBER.setVolatile(to, CountersFile.VERSION_AT, ++version);
    MemorySegment.copy(text, 0, to, ValueLayout.JAVA_BYTE, CountersFile.TEXT_AT, length);
    to.set(ValueLayout.JAVA_INT, CountersFile.LENGTH_AT, length);
    to.set(ValueLayout.JAVA_INT, CountersFile.ANSWERED_AT, asked);
    CountersFile.NUMBER.setVolatile(to, CountersFile.VERSION_AT, ++version);
    answered = asked;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    line(text, "pid ", ProcessHandle.current().pid());
    text.append("program ").append(Program.TEXT).append('\n');
    text.append("device ").append(device).append('\n');
    line(text, "nanos ", System.nanoTime());
    for (Kind kind : Kind.values()) {
      int count = population.count(kind);
      if (count > 0) {
        line(text, "objects " + kind.name().toLowerCase(Locale.ROOT) + " ", count);
      }
    }
    for (Counter counter : Counter.values()) {
      long count = counters.get(counter);
      if (count > 0) {
        line(text, "counter " + counter.key() + " ", count);
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String start, long number) {
    text.append(start).append(number).append('\n');
  }

  /** Removes the file. The device's thread has ended. */
  void close() {
    memory = null;
    arena.close();
    if (file == null) {
      return;
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, file + " is left", e);
    }
  }

  /** How this process was started; looked up once. */
  private static final class Program {
    static final String TEXT = text();

    private static String text() {
      // Java's launcher leaves the main class here; a JVM inside another program has nothing.
      String text = System.getProperty("sun.java.command", "");
      if (text.isEmpty()) {
        ProcessHandle.Info info = ProcessHandle.current().info();
        text = info.commandLine().or(info::command).orElse("");
      }
      String start = text.substring(0, Math.min(text.length(), MOST_PROGRAM));
      return start.replaceAll("\\p{C}", " ");
    }
  }
}
