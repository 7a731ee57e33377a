package dev.verbena.tck.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of a crowd: its lanes post to all the others, and its targets serve theirs. Lines on
 * its standard input tell what to do, and it answers on the standard output:
 *
 * <ul>
 *   <li>{@code peer NUMBER PORT SEED}: another member listens there, for the first time or anew
 *   <li>{@code reopen}: close the device under traffic, and open it again
 *   <li>{@code exhaust SHORTAGE MILLISECONDS}: run out of something, and say {@code relieved} then
 *   <li>{@code report}: say what was done so far, as {@link Report#line}
 *   <li>{@code heap}: say how many kilobytes of Java's heap are in use after a collection
 *   <li>{@code finish}: begin nothing more, and say {@code idle} once all is checked
 *   <li>{@code quit}: end, as at the end of the input
 * </ul>
 */
public final class Member implements AutoCloseable {
  /** The most processes of a crowd. */
  public static final int MOST = 8;

  private static final String END = "quit";
  private static final long PAUSE_NANOS = 100_000;

  private final Options options;
  private final int number;
  private final Queue<String> orders = new ConcurrentLinkedQueue<>();
  private final List<Tie> ties = new ArrayList<>();

  private TargetServer server;

  /** What closed sessions have done. */
  private Report past = Report.NONE;

  private boolean finishing;
  private boolean idle;
  private boolean ended;

  /** The lanes to a peer. */
  private record Tie(int peer, Session session) {
    Report report() {
      return Report.of(session, peer);
    }
  }

  /** The most lanes between two members whose messages are distinguishable. */
  public static int mostPairs() {
    return Script.LANES / (MOST * MOST);
  }

  private Member(Options options, int number) throws IOException {
    this.options = options;
    this.number = number;
    server = TargetServer.open(options.left(), 0);
  }

  /**
   * Takes part until told to end, or something is wrong.
   *
   * @param arguments its number, and options as {@link Options#HELP} says; the left device is its
   *     own, and the right one a spare one
   */
  public static void main(String[] arguments) throws IOException {
    Options options = Options.parse(Arrays.copyOfRange(arguments, 1, arguments.length));
    try (Member member = new Member(options, Integer.parseInt(arguments[0]))) {
      Thread.ofPlatform().daemon().start(member::listen);
      member.run();
    }
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        orders.add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      orders.add(END);
    }
  }

  private void run() throws IOException {
    while (!ended) {
      String order = orders.poll();
      if (order != null) {
        obey(order.split(" "));
      }
      if (!act() && order == null) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Does what is to be done; whether there was anything. */
  private boolean act() throws IOException {
    boolean busy = server.act();
    for (Tie tie : ties) {
      long before = tie.session.done();
      tie.session.act(!finishing);
      busy |= tie.session.done() != before;
    }
    ties.stream().filter(tie -> tie.session.isOrphaned()).toList().forEach(this::end);
    if (finishing && !idle && ties.stream().allMatch(tie -> tie.session.isIdle())) {
      idle = true;
      System.out.println("idle");
    }
    return busy;
  }

  private void obey(String[] order) throws IOException {
    switch (order[0]) {
      case "peer" ->
          join(Integer.parseInt(order[1]), Integer.parseInt(order[2]), Long.parseLong(order[3]));
      case "reopen" -> reopen();
      case "exhaust" -> {
        long nanos = Long.parseLong(order[2]) * 1_000_000;
        Shortage.valueOf(order[1]).hold(nanos, options.right());
        System.out.println("relieved");
      }
      case "report" -> System.out.println(total().line());
      case "heap" -> System.out.println("heap " + heap());
      case "finish" -> finishing = true;
      case END -> ended = true;
      default -> throw new IllegalArgumentException("no order: " + order[0]);
    }
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10;
  }

  private void join(int peer, int port, long seed) {
    int lane = (number * MOST + peer) * options.pairs();
    try {
      ties.add(new Tie(peer, Session.open(options.to(Options.loopback(port), lane, seed))));
    } catch (UncheckedIOException e) {
      // It may have been killed meanwhile; then its successor will be announced.
      System.out.println("no answer from " + peer + ": " + e.getMessage());
    }
  }

  private void reopen() throws IOException {
    past = total();
    ties.forEach(tie -> tie.session.abandon());
    ties.clear();
    server.close();
    server = TargetServer.open(options.left(), 0);
  }

  private void end(Tie tie) {
    past = past.with(tie.report());
    ties.remove(tie);
    tie.session.close();
  }

  private Report total() {
    return ties.stream().map(Tie::report).reduce(past, Report::with);
  }

  @Override
  public void close() {
    ties.forEach(tie -> tie.session.close());
    server.close();
  }
}
