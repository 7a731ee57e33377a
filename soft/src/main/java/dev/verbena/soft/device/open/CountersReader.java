package dev.verbena.soft.device.open;

import dev.verbena.soft.link.UserFolder;
import dev.verbena.verbs.spi.DeviceReport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the devices of this user for their counters, and of all users if this is root ({@link
 * CountersFile}). Files may hold anything, and may change or vanish at any time, and a user who
 * means harm may put something else in their place: what makes no sense is left out. It never maps
 * them, so that none can end this process by becoming shorter.
 */
public final class CountersReader {
  /** The most files of one user. */
  static final int MOST_FILES = 1024;

  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.device");
  private static final long PAUSE_MILLIS = 5;

  private CountersReader() {}

  /**
   * Looks into the folders that this process may read; finds nothing if there can be none.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public static List<DeviceReport> look(Duration timeout) throws InterruptedException {
    return look(UserFolder.SHARED, timeout);
  }

  /** Looks into the users' folders in this one. */
  static List<DeviceReport> look(Path shared, Duration timeout) throws InterruptedException {
    List<UserFolder.Opened> folders = UserFolder.openAll(shared, CountersFile.FOLDER);
    try {
      return look(folders, timeout);
    } finally {
      folders.forEach(UserFolder.Opened::close);
    }
  }

  private static List<DeviceReport> look(List<UserFolder.Opened> folders, Duration timeout)
      throws InterruptedException {
    List<Asked> waiting = new ArrayList<>();
    folders.forEach(folder -> askAll(folder, waiting));
    List<DeviceReport> reports = new ArrayList<>();
    long start = System.nanoTime();
    long limit = TimeUnit.NANOSECONDS.convert(timeout);
    while (true) {
      boolean isOver = System.nanoTime() - start >= limit;
      waiting.removeIf(asked -> asked.isDone(isOver, reports));
      if (waiting.isEmpty() || isOver) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    reports.sort(Comparator.comparingLong(DeviceReport::pid).thenComparing(DeviceReport::device));
    return reports;
  }

  private static void askAll(UserFolder.Opened folder, List<Asked> asked) {
    int files = 0;
    try {
      for (Path path : folder.files()) {
        if (++files > MOST_FILES) {
          break;
        }
        Path name = UserFolder.nameOf(path);
        LeftFiles.removeIfLeft(folder.files(), name);
        ask(folder, name).ifPresent(asked::add);
      }
    } catch (DirectoryIteratorException e) {
      LOG.log(Level.DEBUG, "a folder of " + folder.user() + " cannot be read", e);
    }
  }

  /** Raises the number of requests of a file, if it is one of ours. */
  private static Optional<Asked> ask(UserFolder.Opened folder, Path name) {
    try (FileChannel channel = open(folder, name)) {
      ByteBuffer bytes = read(channel);
      if (bytes.limit() < CountersFile.BYTES
          || bytes.getLong((int) CountersFile.MAGIC_AT) != CountersFile.MAGIC) {
        return Optional.empty();
      }
      int request = bytes.getInt((int) CountersFile.REQUESTS_AT) + 1;
      ByteBuffer number =
          ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(request).flip();
      channel.write(number, CountersFile.REQUESTS_AT);
      return Optional.of(new Asked(folder, name, request));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, name + " cannot be read", e);
      return Optional.empty();
    }
  }

  /**
   * Opens a file, and no link. Should it be a pipe, this does not wait, because it would write as
   * well, and there is nothing to read at an offset of it.
   */
  private static FileChannel open(UserFolder.Opened folder, Path name) throws IOException {
    Set<OpenOption> options =
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    return (FileChannel) folder.files().newByteChannel(name, options);
  }

  private static ByteBuffer read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(CountersFile.BYTES).order(ByteOrder.nativeOrder());
    int more;
    do {
      more = channel.read(bytes, bytes.position());
    } while (more > 0);
    return bytes.flip();
  }

  /** A device that was asked. */
  private record Asked(UserFolder.Opened folder, Path file, int request) {
    /**
     * Adds its answer, or if there is no more time what it said last; returns true once there is
     * nothing to wait for.
     */
    boolean isDone(boolean isOver, List<DeviceReport> reports) {
      ByteBuffer bytes;
      boolean isTorn;
      try (FileChannel channel = open(folder, file)) {
        bytes = read(channel);
        isTorn = bytes.limit() < CountersFile.BYTES || isChanging(bytes, read(channel));
      } catch (IOException e) {
        // The device was closed.
        return true;
      }
      if (isTorn) {
        return isOver;
      }
      boolean answers = bytes.getInt((int) CountersFile.ANSWERED_AT) - request >= 0;
      if (answers || (isOver && CountersFile.maker(file) == CountersFile.Maker.ALIVE)) {
        DeviceReport report = parse(folder.user(), bytes, answers);
        if (report != null) {
          reports.add(report);
        }
      }
      return answers || isOver;
    }

    private static boolean isChanging(ByteBuffer before, ByteBuffer after) {
      int at = (int) CountersFile.VERSION_AT;
      return after.limit() < CountersFile.BYTES
          || (before.getInt(at) & 1) != 0
          || before.getInt(at) != after.getInt(at);
    }
  }

  /** Null if the text lacks what a report must have. */
  static @Nullable DeviceReport parse(String user, ByteBuffer bytes, boolean answers) {
    int length = Math.clamp(bytes.getInt((int) CountersFile.LENGTH_AT), 0, CountersFile.MOST_TEXT);
    String text =
        StandardCharsets.UTF_8.decode(bytes.slice((int) CountersFile.TEXT_AT, length)).toString();
    long pid = -1;
    long nanos = 0;
    String program = "";
    String device = "";
    Map<String, Long> objects = new HashMap<>();
    Map<String, Long> counters = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      String[] words = line.split(" ", 3);
      switch (words[0]) {
        case "pid" -> pid = number(words, 1);
        case "nanos" -> nanos = number(words, 1);
        case "program" -> program = rest(line);
        case "device" -> device = rest(line);
        case "objects" -> add(objects, words);
        case "counter" -> add(counters, words);
        default -> {
          // Of a newer version.
        }
      }
    }
    return pid < 0 || device.isEmpty()
        ? null
        : new DeviceReport(user, pid, program, device, answers, nanos, objects, counters);
  }

  private static void add(Map<String, Long> numbers, String[] words) {
    long number = number(words, 2);
    if (number >= 0) {
      numbers.put(printable(words[1]), number);
    }
  }

  private static String rest(String line) {
    return printable(line.substring(line.indexOf(' ') + 1));
  }

  /** Without what should not reach a terminal. */
  private static String printable(String text) {
    return text.replaceAll("\\p{C}", "?");
  }

  /** A number that is not negative; -1 if the word is not there or is something else. */
  private static long number(String[] words, int index) {
    if (words.length <= index || !words[index].matches("\\d{1,18}")) {
      return -1;
    }
    return Long.parseLong(words[index]);
  }
}
