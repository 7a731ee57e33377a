package dev.verbena.soft.device.open;

import dev.verbena.soft.link.UserFolder;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The small files in which open devices show other processes of their user what they count: where
 * they are, what they are called, and what is where in them.
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

  /** Two processes may compute the start of a third a bit differently, if clocks are set. */
  private static final long DOUBT_MILLIS = 10_000;

  private static final AtomicInteger LAST = new AtomicInteger();

  /** Process numbers mean something in one namespace only. */
  private static final String NAMESPACE = namespace();

  private static final String MAKER =
      NAMESPACE + "-" + ProcessHandle.current().pid() + "-" + start(ProcessHandle.current()) + "-";

  private CountersFile() {}

  /**
   * The folder with the files, which is made if it is missing.
   *
   * @throws IOException if there is none that is safe
   */
  static Path folder() throws IOException {
    Path folder = UserFolder.get().resolve("counters");
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
    long start = Long.parseLong(name.group(3));
    return ProcessHandle.of(Long.parseLong(name.group(2)))
            .filter(ProcessHandle::isAlive)
            // Another one may have got its number since.
            .filter(process -> Math.abs(start(process) - start) < DOUBT_MILLIS)
            .isPresent()
        ? Maker.ALIVE
        : Maker.DEAD;
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
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
