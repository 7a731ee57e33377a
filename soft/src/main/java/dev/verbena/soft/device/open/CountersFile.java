package dev.verbena.soft.device.open;

import dev.verbena.soft.link.UserFolder;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The small files in which open devices show other processes of their user, and root's, what they
 * count: where they are, what they are called, and what is where in them.
 *
 * <p>A reader raises the number of {@code requests}; the device then writes a text, whose length
 * comes first, and sets {@code answered} to that number. Around this it raises the {@code version},
 * which is odd meanwhile, so that a reader notices a text that has changed under its eyes. Nobody
 * wakes the device: it looks when its thread is awake anyway.
 *
 * <p>The text consists of lines that begin with {@code pid}, {@code program}, {@code device},
 * {@code nanos}, {@code objects KIND} or {@code counter KEY}; readers skip others.
 */
final class CountersFile {
  /** The folder with the files, inside the user's. */
  static final String FOLDER = "counters";

  /** The length of a file. */
  static final int BYTES = 8192;

  /** What a file begins with; another layout needs another one. */
  static final long MAGIC = 0x3154_4e43_4e42_5256L; // "VRBNCNT1"

  static final long MAGIC_AT = 0;
  static final long REQUESTS_AT = 8;
  static final long ANSWERED_AT = 12;
  static final long VERSION_AT = 16;
  static final long LENGTH_AT = 20;
  static final long TEXT_AT = 64;

  /** The most bytes of text. */
  static final int MOST_TEXT = BYTES - (int) TEXT_AT;

  /** For the numbers; at an offset in the memory. */
  static final VarHandle NUMBER = ValueLayout.JAVA_INT.varHandle();

  /** A namespace of process numbers, a process, when it started, and which of its devices. */
  private static final Pattern NAME =
      Pattern.compile("(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-(\\d{1,9})");

  /** Of /proc/PID/stat: the name, in which may be anything, and the 22nd field. */
  private static final Pattern STARTED = Pattern.compile("(?s).*\\)(?: \\S+){19} (\\d{1,18}) .*");

  private static final AtomicInteger LAST = new AtomicInteger();

  /** Process numbers mean something in one namespace only. */
  private static final String NAMESPACE = namespace();

  private static final String MAKER =
      NAMESPACE
          + "-"
          + ProcessHandle.current().pid()
          + "-"
          + started(ProcessHandle.current().pid())
          + "-";

  private CountersFile() {}

  /**
   * The folder with the files, which is made if it is missing.
   *
   * @throws IOException if there is none that is safe
   */
  static Path folder() throws IOException {
    Path folder = UserFolder.get().resolve(FOLDER);
    UserFolder.make(folder);
    return folder;
  }

  /** A name for another device of this process. */
  static String newName() {
    return MAKER + LAST.incrementAndGet();
  }

  /** What a file's name tells of the process that made it. */
  enum Maker {
    ALIVE,
    DEAD,
    /** It is another name, or made in another container. */
    UNKNOWN
  }

  /** Who made a file. */
  static Maker maker(Path file) {
    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
    if (!name.matches() || !name.group(1).equals(NAMESPACE)) {
      return Maker.UNKNOWN;
    }
    // Another one may have got its number since.
    return started(Long.parseLong(name.group(2))) == Long.parseLong(name.group(3))
        ? Maker.ALIVE
        : Maker.DEAD;
  }

  /**
   * When a process started, by the ticks since the computer did: ProcessHandle has it by the clock,
   * and tells another time after that was set. Returns -1 if there is no such process.
   */
  private static long started(long pid) {
    try {
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      Matcher started = STARTED.matcher(stat);
      return started.matches() ? Long.parseLong(started.group(1)) : -1;
    } catch (IOException e) {
      return -1;
    }
  }

  /** Digits, 0 if there is nothing to know. */
  private static String namespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
    } catch (IOException e) {
      return "0";
    }
  }
}
