package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.torture.Bars;
import dev.verbena.tck.torture.Member;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a member has done, or several of them.
 *
 * @param lost connections lost although the peer was there
 * @param disturbed connections ended by mischief
 * @param longestGap longest time in which a lane with a living peer had no success, nanoseconds
 * @param done operations, by peer
 * @param kinds how many of them are of each kind; those that occur
 */
record Report(
    long lost, long disturbed, long longestGap, List<Long> done, Map<WrOpcode, Long> kinds) {
  /** Nothing. */
  static final Report NONE = new Report(0, 0, 0, Collections.nCopies(Member.MOST, 0L), Map.of());

  /**
   * Nanoseconds without a success that chaos and a busy computer can cause: far more than a member
   * is stopped, or takes to start.
   */
  private static final long LONGEST_GAP = 10_000_000_000L;

  static Report parse(String line) {
    List<Long> words = Stream.of(line.split(" ")).skip(1).map(Long::valueOf).toList();
    List<Long> counts = words.subList(3, words.size());
    Map<WrOpcode, Long> kinds = new EnumMap<>(WrOpcode.class);
    int next = Member.MOST;
    for (WrOpcode kind : WrOpcode.values()) {
      long number = counts.get(next++);
      if (number > 0) {
        kinds.put(kind, number);
      }
    }
    return new Report(
        words.get(0), words.get(1), words.get(2), counts.subList(0, Member.MOST), kinds);
  }

  /** Both together. */
  Report with(Report other) {
    Map<WrOpcode, Long> sums = new EnumMap<>(WrOpcode.class);
    sums.putAll(kinds);
    other.kinds.forEach((kind, number) -> sums.merge(kind, number, Long::sum));
    return new Report(
        lost + other.lost,
        disturbed + other.disturbed,
        Math.max(longestGap, other.longestGap),
        IntStream.range(0, done.size()).mapToObj(i -> done.get(i) + other.done.get(i)).toList(),
        sums);
  }

  /** Operations with all peers. */
  long operations() {
    return done.stream().mapToLong(Long::longValue).sum();
  }

  /** What is worse than it may be; nothing if all is well. */
  List<String> breaches(CrowdOptions options) {
    List<String> breaches = new ArrayList<>();
    long allowed = Bars.mayBeLost(options.shareOfLosses(), operations());
    if (lost > allowed) {
      breaches.add("only %d connections may be lost".formatted(allowed));
    }
    breaches.addAll(Bars.missing(options.lanes(), operations(), kinds));
    long longest = LONGEST_GAP + options.lanes().failing();
    if (longestGap > longest) {
      breaches.add("only %.1f s may pass without progress".formatted(longest / 1e9));
    }
    return breaches;
  }
}
