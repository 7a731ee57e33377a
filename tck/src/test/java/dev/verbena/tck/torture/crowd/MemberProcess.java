package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.torture.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The process of a {@link Member}, as the one sees it that has started it. Used by one thread. */
final class MemberProcess implements AutoCloseable {
  /** How long a member may take for anything on a very busy computer. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int number;
  private final ChildProcess child;
  private long heard;
  private int port;
  private boolean idle;
  private Report report = Report.NONE;
  private int reports;

  /**
   * What a member has done.
   *
   * @param lost connections lost although the peer was there
   * @param disturbed connections ended by mischief
   * @param done operations, by peer
   */
  record Report(long lost, long disturbed, List<Long> done) {
    /** Nothing. */
    static final Report NONE =
        new Report(0, 0, Arrays.stream(new long[Member.MOST]).boxed().toList());

    private static Report parse(String line) {
      List<Long> words = Arrays.stream(line.split(" ")).skip(1).map(Long::valueOf).toList();
      return new Report(words.get(0), words.get(1), words.subList(2, words.size()));
    }

    /** Operations with all peers. */
    long operations() {
      return done.stream().mapToLong(Long::longValue).sum();
    }
  }

  private MemberProcess(int number, ChildProcess child) {
    this.number = number;
    this.child = child;
  }

  /** Starts one, and does not wait for it. */
  static MemberProcess start(CrowdOptions options, int number, String address) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("" + number);
    arguments.add("left=" + options.device(address, number));
    arguments.addAll(options.traffic());
    List<String> command =
        new ArrayList<>(ChildProcess.javaMain(Member.class, arguments.toArray(String[]::new)));
    command.addAll(1, options.java());
    return new MemberProcess(number, ChildProcess.run(command));
  }

  /** Reads what it has said since the last time; fails if it has ended. */
  private void hear() {
    boolean alive = child.isAlive();
    String news = child.output(heard);
    int end = news.lastIndexOf('\n') + 1;
    heard += end;
    news.substring(0, end).lines().forEach(this::hear);
    if (!alive) {
      throw new AssertionError("member " + number + " has ended; it wrote\n" + child.output());
    }
  }

  private void hear(String line) {
    if (line.startsWith("listening on port ")) {
      port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
    } else if (line.startsWith("report ")) {
      report = Report.parse(line);
      reports++;
    } else if (line.equals("idle")) {
      idle = true;
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

  /** Waits until all its lanes are done. */
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
      throw new AssertionError("member " + number + " has failed; it wrote\n" + child.output());
    }
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
    Await.until(PATIENCE, () -> "member " + number + " " + what + ": " + child.output(), condition);
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
