package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Subject.Unavailable;
import dev.verbena.tools.kit.JavaCommand;
import dev.verbena.tools.kit.ToolException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Aeron, by its own sample programs. A publisher and a subscriber are processes, and so are their
 * media drivers: one for both in shared memory, one each over UDP. All of them use threads that
 * never sleep by default, which takes more than two processors; so the drivers have one thread.
 */
final class AeronPrograms implements AutoCloseable {
  /** Has the class path of Aeron, if it is installed. */
  private static final String CLASS_PATH = "VERBENA_AERON";

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final List<String> OPTIONS =
      List.of(
          "-XX:-UsePerfData",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "-Duser.language=en",
          // After an interrupt, too, which ends this process, and all others by a signal.
          "-Daeron.dir.delete.on.shutdown=true");

  private static final String IN_MEMORY = "Aeron IPC";
  private static final String OVER_UDP = "Aeron UDP";
  private static final String IPC = "aeron:ipc";
  private static final String FOLDER = "aeron.dir=";
  private static final String IDLE = "aeron.shared.idle.strategy=";
  private static final int PINGS_IPC = 5_000_000;
  private static final int PINGS_UDP = 5_000;

  /** Ping warms up ten times by this part of its messages. */
  private static final int WARM_UP = 50;

  private static final int ENOUGH_PROCESSORS = 4;

  /** Starts a program that gets a processor before others. */
  private static final List<String> FIRST = List.of("nice", "-n", "-20");

  /** The largest datagrams, which take the fewest system calls. */
  private static final String UDP_MTU = "aeron.mtu.length=65504";

  private static final String IPC_MTU = "aeron.ipc.mtu.length=8192";
  private static final Pattern RATE = Pattern.compile("([-+.e0-9]+) msgs/sec, .*");
  private static final Pattern COUNT = Pattern.compile("Duration (\\d+)ms - ([0-9,]+) messages.*");

  private final String classPath;
  private final Path folder;
  private final List<Child> children = new ArrayList<>();

  private AeronPrograms() {
    @Nullable String path = System.getenv(CLASS_PATH);
    if (path == null) {
      throw new Unavailable("is not here: bin/verbena compare --install, in the source tree");
    }
    classPath = path;
    try {
      folder =
          Files.isDirectory(SHARED_MEMORY)
              ? Files.createTempDirectory(SHARED_MEMORY, "verbena-aeron-")
              : Files.createTempDirectory("verbena-aeron-");
    } catch (IOException e) {
      throw ToolException.failure("no folder for Aeron", e);
    }
  }

  private interface Measure {
    double run(AeronPrograms aeron, int seconds) throws InterruptedException;
  }

  private static Subject peer(String name, Measure measure) {
    return Subject.peer(
        name,
        seconds -> {
          try (AeronPrograms aeron = new AeronPrograms()) {
            return Figure.of(measure.run(aeron, seconds));
          }
        });
  }

  /** 8 bytes there and back through shared memory: ns one way, the median. */
  static Subject ipcLatency() {
    return peer(
        IN_MEMORY,
        (aeron, seconds) ->
            1e3 * aeron.pingPong(aeron.driver(IDLE + "backoff"), IPC, IPC, PINGS_IPC));
  }

  /**
   * The same over UDP: µs one way. Ping and Pong spin, and their one driver needs a processor, too.
   * Where there are too few, it takes one for as long as it has something to do.
   */
  static Subject udpLatency() {
    boolean spins = Runtime.getRuntime().availableProcessors() >= ENOUGH_PROCESSORS;
    String idle = IDLE + (spins ? "noop" : "sleep-ns");
    return peer(
        OVER_UDP,
        (aeron, seconds) -> aeron.pingPong(aeron.driver(FIRST, idle), udp(), udp(), PINGS_UDP));
  }

  /** Messages in one direction through shared memory: GB/s. */
  static Subject ipcBandwidth(int bytes) {
    return peer(
        IN_MEMORY,
        (aeron, seconds) -> {
          String driver = aeron.driver(IPC_MTU);
          return bytes / 1e9 * aeron.stream(driver, driver, IPC, bytes, seconds);
        });
  }

  /** The same over UDP. */
  static Subject udpBandwidth(int bytes) {
    return udpStream(bytes, bytes / 1e9);
  }

  /** Messages in one direction over UDP: millions a second. */
  static Subject udpRate(int bytes) {
    return udpStream(bytes, 1e-6);
  }

  private static Subject udpStream(int bytes, double factor) {
    return peer(
        OVER_UDP,
        (aeron, seconds) -> {
          String from = aeron.driver(UDP_MTU, IDLE + "yield");
          String to = aeron.driver(UDP_MTU, IDLE + "yield");
          return factor * aeron.stream(from, to, udp(), bytes, seconds);
        });
  }

  /** Messages from thread to thread of one process: millions a second. */
  static Subject ipcRate(int bytes) {
    return peer(
        IN_MEMORY,
        (aeron, seconds) -> {
          String where = FOLDER + aeron.folder.resolve("driver");
          Child child = aeron.sample("EmbeddedExclusiveIpcThroughput", where, length(bytes));
          return mean(child, seconds) / 1e6;
        });
  }

  /** Starts a driver, and returns the property that tells programs where it is. */
  private String driver(String... properties) {
    return driver(List.of(), properties);
  }

  private String driver(List<String> launcher, String... properties) {
    String where = FOLDER + folder.resolve("driver" + children.size());
    List<String> command = new ArrayList<>(launcher);
    command.addAll(
        java("driver.MediaDriver", with(properties, where, "aeron.threading.mode=SHARED")));
    children.add(Child.start(command));
    return where;
  }

  private Child sample(String program, String... properties) {
    Child child = Child.start(java("samples." + program, properties));
    children.add(child);
    return child;
  }

  private List<String> java(String program, String... properties) {
    List<String> command = new ArrayList<>(List.of(JavaCommand.java()));
    command.addAll(OPTIONS);
    for (String each : properties) {
      command.add("-D" + each);
    }
    command.addAll(List.of("-cp", classPath, "io.aeron." + program));
    return command;
  }

  /** The median of half a round trip, in µs. */
  private double pingPong(String driver, String there, String back, int messages)
      throws InterruptedException {
    String[] properties = {
      driver,
      "aeron.sample.ping.channel=" + there,
      "aeron.sample.pong.channel=" + back,
      "aeron.sample.exclusive.publications=true",
      "aeron.sample.messages=" + messages,
      "aeron.sample.warmup.messages=" + messages / WARM_UP,
      length(Long.BYTES)
    };
    sample("Pong", properties);
    Child ping = sample("Ping", properties);
    String median = ping.awaitLine(line -> line.matches(" +[0-9.]+ 0\\.5000.*"));
    return Printed.columns(median)[0] / 2;
  }

  /** Messages a second that arrive. */
  private double stream(String from, String to, String channel, int bytes, int seconds)
      throws InterruptedException {
    String[] properties = {
      "aeron.sample.channel=" + channel,
      "aeron.sample.idleStrategy=backoff",
      "aeron.sample.messages=" + Long.MAX_VALUE,
      length(bytes)
    };
    Child subscriber = sample("RateSubscriber", with(properties, to));
    sample("StreamingPublisher", with(properties, from));
    return mean(subscriber, seconds);
  }

  private static String[] with(String[] properties, String... more) {
    return Stream.of(properties, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /**
   * The mean messages a second that a program tells each second, in the second half of the time.
   */
  private static double mean(Child child, int seconds) throws InterruptedException {
    // The first second is not whole, because the other program has to start.
    List<String> lines = child.awaitLines(1 + seconds, line -> rate(line) > 0);
    return lines.subList(1 + seconds / 2, lines.size()).stream()
        .mapToDouble(AeronPrograms::rate)
        .average()
        .orElseThrow();
  }

  /** The messages a second that a line tells; 0 if it tells none. */
  static double rate(String line) {
    Matcher rate = RATE.matcher(line);
    if (rate.matches()) {
      return Double.parseDouble(rate.group(1));
    }
    Matcher count = COUNT.matcher(line);
    return count.matches()
        ? 1e3
            * Double.parseDouble(count.group(2).replace(",", ""))
            / Integer.parseInt(count.group(1))
        : 0;
  }

  private static String length(int bytes) {
    return "aeron.sample.messageLength=" + bytes;
  }

  private static String udp() {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return "aeron:udp?endpoint=127.0.0.1:" + socket.getLocalPort();
    } catch (IOException e) {
      throw ToolException.failure("no UDP port is free", e);
    }
  }

  @Override
  public void close() {
    children.forEach(Child::close);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw ToolException.failure("cannot delete " + folder, e);
    }
  }
}
