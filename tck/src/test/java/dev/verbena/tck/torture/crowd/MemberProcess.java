package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.torture.Member;
import dev.verbena.tck.torture.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The process of a {@link Member}, as the one sees it that has started it. Used by one thread. */
final class MemberProcess implements AutoCloseable {
  /** How long a member may take for anything on a very busy computer. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A stack trace, or a thread that did not end: there is no reason for any. */
  private static final Pattern FAILURE =
      Pattern.compile("^\\s+at [a-z.]+|^[^ ]+: .*did not end in time");

  /** Where the JVM finds out what to log. */
  private static final String LOGGING = "java.util.logging.config.file";

  /**
   * A heap of full size from the beginning: if it ran full for the first time late in a member's
   * life, that would look like growth. What is in use of it is looked at apart from that.
   */
  private static final List<String> WHOLE_HEAP = List.of("-Xms128m", "-XX:+AlwaysPreTouch");

  /** Descriptors of a member that is to run out of them. */
  private static final int DESCRIPTORS = 1024;

  /** At so many looks its heap is collected once: some times in each quarter of its life. */
  private static final int LOOKS = Usage.FEWEST / 12;

  private static final long NOT_SAID = -1;

  private final int number;
  private final ChildProcess child;
  private final Usage usage = new Usage();
  private long heard;
  private int port;
  private long heap = NOT_SAID;
  private boolean idle;
  private boolean relieved;
  private Report report = Report.NONE;
  private int reports;

  private MemberProcess(int number, ChildProcess child) {
    this.number = number;
    this.child = child;
  }

  /**
   * Starts one, and does not wait for it.
   *
   * @param address of its device
   * @param spare an address that nobody uses
   * @param classPath of its JVM
   */
  static MemberProcess start(
      CrowdOptions options, int number, String address, String spare, List<String> classPath)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("" + number);
    arguments.add("left=" + options.device(address, number));
    arguments.add("right=" + options.device(spare, number));
    arguments.addAll(options.traffic());
    List<String> java =
        ChildProcess.javaMain(Member.class, classPath, arguments.toArray(String[]::new));
    List<String> command = new ArrayList<>();
    if (options.chaos().contains(Chaos.DESCRIPTORS)) {
      command.addAll(List.of("sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$@\"", "member"));
    }
    command.add(java.getFirst());
    String logging = System.getProperty(LOGGING);
    if (logging != null) {
      command.add("-D" + LOGGING + "=" + logging);
    }
    command.addAll(WHOLE_HEAP);
    command.addAll(options.java());
    command.addAll(java.subList(1, java.size()));
    return new MemberProcess(number, ChildProcess.run(command));
  }

  /** Reads what it has said since the last time; fails if it has ended. */
  private void hear() {
    boolean alive = child.isAlive();
    requireNoFailure();
    if (!alive) {
      throw new AssertionError("member " + number + " has ended; it wrote\n" + said());
    }
  }

  /** Reads what it has said since the last time; fails if that is of a failure. */
  void requireNoFailure() {
    String news = child.output(heard);
    int end = news.lastIndexOf('\n') + 1;
    heard += end;
    news.substring(0, end).lines().forEach(this::hear);
  }

  private void hear(String line) {
    if (line.startsWith("listening on port ")) {
      port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
    } else if (Report.isLine(line)) {
      report = Report.parse(line);
      reports++;
    } else if (line.startsWith("heap ")) {
      heap = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    } else if (line.equals("idle")) {
      idle = true;
    } else if (line.equals("relieved")) {
      relieved = true;
    } else if (FAILURE.matcher(line).find()) {
      throw new AssertionError("member " + number + " has a failure:\n" + said());
    }
  }

  /** Waits until it listens. */
  int awaitPort() {
    until(
        "to listen",
        () -> {
          hear();
          return port > 0;
        });
    return port;
  }

  /** Asks for a report, and waits for it. */
  Report ask() {
    int before = reports;
    child.tell("report");
    until(
        "to report",
        () -> {
          hear();
          return reports > before;
        });
    return report;
  }

  /** What it has reported last. */
  Report report() {
    return report;
  }

  /** Tells it where another one listens. */
  void introduce(int peer, int itsPort, long seed) {
    child.tell("peer " + peer + " " + itsPort + " " + seed);
  }

  /** Has it close its device, and waits until it has opened it again. */
  void reopen() {
    port = 0;
    child.tell("reopen");
    awaitPort();
  }

  /** Has it run out of something for a while, and waits for the end of that. */
  void exhaust(Chaos chaos, int millis) {
    relieved = false;
    child.tell("exhaust " + chaos + " " + millis);
    until(
        "to have " + chaos + " again",
        () -> {
          hear();
          return relieved;
        });
  }

  /** What it has said, apart from reports. */
  String said() {
    return child
        .output()
        .lines()
        .filter(line -> !Report.isLine(line))
        .map(line -> "member " + number + ": " + line)
        .collect(Collectors.joining("\n"));
  }

  /** Looks at what it uses. */
  void look() throws IOException {
    if (usage.looks() % LOOKS == 0) {
      heap = NOT_SAID;
      child.tell("heap");
      until(
          "to collect its heap",
          () -> {
            hear();
            return heap != NOT_SAID;
          });
    }
    usage.look(child.pid(), heap);
  }

  /** What it uses. */
  Usage usage() {
    return usage;
  }

  /** Fails if its use of something grows. */
  void requireNoGrowth() {
    String growth = usage.growth();
    if (!growth.isEmpty()) {
      throw new AssertionError("member " + number + ": " + growth + usage);
    }
  }

  /** Has it begin nothing more. */
  void finish() {
    child.tell("finish");
  }

  /** Waits for the end of what {@link #finish} has begun. */
  void awaitIdle() {
    until(
        "to come to an end",
        () -> {
          hear();
          return idle;
        });
  }

  /** Ends it in order. */
  void quit() throws InterruptedException {
    child.tell("quit");
    if (child.exitCode() != 0) {
      throw new AssertionError("member " + number + " has failed; it wrote\n" + said());
    }
    requireNoFailure();
  }

  /** Kills it without warning. */
  void kill() throws InterruptedException {
    child.kill();
  }

  /** Stops it where it is. */
  void stop() throws IOException, InterruptedException {
    child.stop();
  }

  /** Continues it. */
  void goOn() throws IOException, InterruptedException {
    child.goOn();
  }

  private void until(String what, BooleanSupplier condition) {
    Await.until(PATIENCE, () -> "member " + number + " " + what + "\n" + said(), condition);
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
