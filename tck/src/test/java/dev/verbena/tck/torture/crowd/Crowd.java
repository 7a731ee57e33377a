package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.torture.Member;
import dev.verbena.tck.torture.Options;
import dev.verbena.tck.torture.Report;
import dev.verbena.tck.torture.Torture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Processes that do mixed operations with each other, while {@link Chaos} befalls one of them at a
 * time. Each checks every byte and every atomic. Afterwards every one must get ahead with every
 * other one, and those that were spared may not have lost a connection. Used by one thread.
 */
public final class Crowd implements AutoCloseable {
  /** How often it says how far it is, nanoseconds. */
  private static final long TELL = 60_000_000_000L;

  /** The longest pause before something happens, and before a killed member comes back. */
  private static final int MOST_PAUSE_MILLIS = 500;

  /** Shorter than a peer goes on without an answer, with the shortest timeout that is of use. */
  private static final int MOST_STOP_MILLIS = 900;

  private final CrowdOptions options;
  private final Random random;
  private final List<String> addresses = new ArrayList<>();
  private final List<MemberProcess> members = new ArrayList<>();
  private final Map<Chaos, Integer> strikes = new EnumMap<>(Chaos.class);
  private final long begin = System.nanoTime();
  private final JarredClasses classes;
  private long lanes;
  private long lookedAt = begin;
  private long toldAt = begin;

  /** What members have done that were killed. */
  private Report past = Report.NONE;

  private Crowd(CrowdOptions options) throws IOException {
    this.options = options;
    classes = JarredClasses.make(options.chaos().contains(Chaos.DESCRIPTORS));
    random = new Random(options.seed());
    lanes = options.seed() * 100_000;
  }

  /**
   * Runs, and prints the result in one line.
   *
   * @param arguments as {@link CrowdOptions} describes them
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    CrowdOptions options = Options.read(arguments, CrowdOptions::parse);
    System.out.println(options);
    try {
      System.out.println("held: " + run(options));
    } catch (RuntimeException | AssertionError failure) {
      Torture.fail(options.seed(), failure);
    }
  }

  /** Runs to its end; one line that says what happened. */
  static String run(CrowdOptions options) throws IOException, InterruptedException {
    try (Crowd crowd = new Crowd(options)) {
      crowd.start();
      crowd.suffer();
      return crowd.finish();
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError("seed " + options.seed() + ": " + failure.getMessage(), failure);
    }
  }

  private void start() throws IOException {
    for (int i = 0; i < options.processes(); i++) {
      addresses.add(Addresses.next());
      members.add(begin(i));
    }
    for (int i = 0; i < members.size(); i++) {
      for (int j = 0; j < i; j++) {
        introduce(i, j);
      }
    }
    awaitTraffic("at the beginning");
  }

  private MemberProcess begin(int member) throws IOException {
    return MemberProcess.start(
        options, member, addresses.get(member), Addresses.next(), classes.path());
  }

  /** Tells two members of each other, so that both begin with new lanes. */
  private void introduce(int one, int other) {
    tell(one, other);
    tell(other, one);
  }

  private void tell(int member, int peer) {
    members.get(member).introduce(peer, members.get(peer).awaitPort(), lanes++);
  }

  private void introduceAgain(int member) {
    for (int i = 0; i < members.size(); i++) {
      if (i != member) {
        introduce(member, i);
      }
    }
  }

  /** Waits until every member has got ahead with every other one, by each lane. */
  private void awaitTraffic(String when) {
    List<Report> before = members.stream().map(MemberProcess::ask).toList();
    for (int i = 0; i < members.size(); i++) {
      for (int j = 0; j < members.size(); j++) {
        if (i == j) {
          continue;
        }
        MemberProcess member = members.get(i);
        int peer = j;
        List<Long> then = before.get(i).progress();
        String what = "operations of member %d with %d %s".formatted(i, j, when);
        Await.until(
            MemberProcess.PATIENCE,
            () -> what + "\n" + result(),
            () -> isAhead(member.ask().progress(), then, peer));
      }
    }
  }

  /** Whether each lane to a peer is further than then. */
  private static boolean isAhead(List<Long> now, List<Long> then, int peer) {
    int pairs = now.size() / Member.MOST;
    return IntStream.range(peer * pairs, (peer + 1) * pairs)
        .allMatch(i -> now.get(i) > then.get(i));
  }

  private void suffer() throws IOException, InterruptedException {
    List<Chaos> kinds = new ArrayList<>();
    while (isEarly() || !kinds.isEmpty() || strikes.size() < options.chaos().size()) {
      pause(MOST_PAUSE_MILLIS);
      if (kinds.isEmpty()) {
        kinds.addAll(options.chaos());
        Collections.shuffle(kinds, random);
      }
      if (!kinds.isEmpty()) {
        Chaos chaos = kinds.removeLast();
        int victim = victim(chaos);
        strikes.merge(chaos, 1, Integer::sum);
        strike(chaos, victim);
        awaitTraffic("after " + chaos + " of " + victim);
      }
      look();
    }
  }

  /** Looks about once a second at what each member uses. */
  private void look() throws IOException {
    if (System.nanoTime() - lookedAt > 1_000_000_000L) {
      lookedAt = System.nanoTime();
      for (MemberProcess member : members) {
        member.look();
      }
      if (lookedAt - toldAt > TELL) {
        toldAt = lookedAt;
        System.out.println(result());
      }
    }
  }

  /** The first member keeps its process and its device, so that its use of them can be judged. */
  private int victim(Chaos chaos) {
    int spared = chaos == Chaos.KILL || chaos == Chaos.DEVICE ? 1 : 0;
    return spared + random.nextInt(members.size() - spared);
  }

  private boolean isEarly() {
    return System.nanoTime() - begin < options.seconds() * 1_000_000_000L;
  }

  private void strike(Chaos chaos, int victim) throws IOException, InterruptedException {
    MemberProcess member = members.get(victim);
    switch (chaos) {
      case KILL -> {
        bury(member);
        member.kill();
        member.requireNoFailure();
        member.close();
        pause(MOST_PAUSE_MILLIS);
        members.set(victim, begin(victim));
        introduceAgain(victim);
      }
      case STOP -> {
        member.stop();
        pause(MOST_STOP_MILLIS);
        member.goOn();
      }
      case HEAP, NATIVE, DESCRIPTORS -> member.exhaust(chaos, random.nextInt(MOST_PAUSE_MILLIS));
      case DEVICE -> {
        member.reopen();
        introduceAgain(victim);
      }
    }
  }

  private void bury(MemberProcess member) {
    past = past.with(member.ask());
    member.requireNoGrowth();
  }

  /** Lets them work undisturbed for a random time. */
  private void pause(int mostMillis) {
    long until = System.nanoTime() + random.nextInt(mostMillis) * 1_000_000L;
    for (long left = 1; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private String finish() throws InterruptedException {
    members.forEach(MemberProcess::finish);
    members.forEach(MemberProcess::awaitIdle);
    members.forEach(MemberProcess::ask);
    String result = result();
    members.forEach(MemberProcess::requireNoGrowth);
    for (MemberProcess member : members) {
      member.quit();
    }
    List<String> breaches = options.breaches(total());
    if (!breaches.isEmpty()) {
      StringBuilder said =
          new StringBuilder(String.join(", ", breaches)).append(": ").append(result);
      members.forEach(member -> said.append('\n').append(member.said()));
      throw new AssertionError(said.toString());
    }
    return result;
  }

  private Report total() {
    return members.stream().map(MemberProcess::report).reduce(past, Report::with);
  }

  private String result() {
    Report total = total();
    double seconds = (System.nanoTime() - begin) / 1e9;
    return """
    seed %d: %d processes, %.1f s, %,d operations, %,.0f/s, %s, %d connections lost, \
    %d ended by mischief, %d of %d unreliable messages received, longest gap %.0f ms, the first uses %s, %s\
    """
        .formatted(
            options.seed(),
            members.size(),
            seconds,
            total.deeds().all(),
            total.deeds().all() / seconds,
            strikes,
            total.lost(),
            total.disturbed(),
            total.arrived(),
            total.announced(),
            total.longestGap() / 1e6,
            members.getFirst().usage(),
            total.deeds());
  }

  @Override
  public void close() throws IOException {
    for (MemberProcess member : members) {
      member.close();
    }
    classes.close();
  }
}
