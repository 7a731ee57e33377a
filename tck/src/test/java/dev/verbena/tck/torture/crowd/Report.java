package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.torture.Bars;
import dev.verbena.tck.torture.Deeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a member has done, or several of them.
 *
 * @param lost connections lost although the peer was there
 * @param disturbed connections ended by mischief
 * @param longestGap longest time in which a lane with a living peer had no success, nanoseconds
 * @param arrived messages of unreliable services
 * @param announced those that would have arrived if none had been lost
 * @param progress of each lane to each peer, which grows if something gets through; empty if this
 *     is of several members
 * @param deeds operations
 */
record Report(
    long lost,
    long disturbed,
    long longestGap,
    long arrived,
    long announced,
    List<Long> progress,
    Deeds deeds) {
  /** Nothing. */
  static final Report NONE = new Report(0, 0, 0, 0, 0, List.of(), new Deeds());

  /** Reads the line of a member. */
  static Report parse(String line) {
    List<String> words = List.of(line.split(" "));
    List<Long> counts = numbers(words.get(1));
    return new Report(
        counts.get(0),
        counts.get(1),
        counts.get(2),
        counts.get(3),
        counts.get(4),
        numbers(words.get(2)),
        Deeds.parse(words.subList(3, words.size())));
  }

  private static List<Long> numbers(String text) {
    return Stream.of(text.split(",")).map(Long::valueOf).toList();
  }

  /** Both together. */
  Report with(Report other) {
    Deeds sum = new Deeds();
    sum.add(deeds);
    sum.add(other.deeds);
    return new Report(
        lost + other.lost,
        disturbed + other.disturbed,
        Math.max(longestGap, other.longestGap),
        arrived + other.arrived,
        announced + other.announced,
        List.of(),
        sum);
  }

  /** What is worse than it may be; nothing if all is well. */
  List<String> breaches(CrowdOptions options) {
    List<String> breaches = new ArrayList<>();
    long allowed = Bars.mayBeLost(options.shareOfLosses(), deeds.all());
    if (lost > allowed) {
      breaches.add("only %d connections may be lost".formatted(allowed));
    }
    breaches.addAll(Bars.missing(options.lanes(), deeds));
    // A socket may overflow while its process is stopped.
    breaches.addAll(Bars.silence(options.lanes(), arrived, announced, true));
    breaches.addAll(Bars.standstill(longestGap, options.lanes()));
    return breaches;
  }
}
