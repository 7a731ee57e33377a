package dev.verbena.tck.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a member has done, or several of them.
 *
 * @param lost connections lost although the peer was there
 * @param disturbed connections ended by mischief
 * @param longestGap longest time in which a lane with a living peer had no success, nanoseconds
 * @param arrived messages of unreliable services
 * @param announced those that would have arrived if none had been lost
 * @param progress of each lane to each peer, which grows if something gets through; empty if there
 *     is none
 * @param deeds operations
 */
public record Report(
    long lost,
    long disturbed,
    long longestGap,
    long arrived,
    long announced,
    List<Long> progress,
    Deeds deeds) {
  /** Nothing. */
  public static final Report NONE = new Report(0, 0, 0, 0, 0, List.of(), new Deeds());

  /** In front of the line. */
  private static final String WORD = "report";

  private static final String COMMA = ",";

  /** Of a session with a peer. */
  static Report of(Session session, int peer) {
    long[] own = session.progress();
    List<Long> progress = new ArrayList<>();
    for (int i = 0; i < Member.MOST * own.length; i++) {
      progress.add(i / own.length == peer ? own[i % own.length] : 0L);
    }
    return new Report(
        session.lost(),
        session.disturbed(),
        session.longestGap(),
        session.arrived(),
        session.announced(),
        progress,
        session.deeds());
  }

  /**
   * One word and numbers: connections lost and disturbed, the longest gap, messages that have
   * arrived and that should have; then the progress of each lane; and the operations.
   */
  String line() {
    List<Long> counts = List.of(lost, disturbed, longestGap, arrived, announced);
    return (WORD + " " + list(counts) + " " + list(progress) + " " + deeds.words()).strip();
  }

  /** In brackets, because there may be none. */
  private static String list(List<Long> numbers) {
    return numbers.stream().map(Object::toString).collect(Collectors.joining(COMMA, "[", "]"));
  }

  /** Whether this is such a line. */
  public static boolean isLine(String text) {
    return text.startsWith(WORD + " ");
  }

  /** Reads {@link #line}. */
  public static Report parse(String line) {
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
    return Stream.of(text.substring(1, text.length() - 1).split(COMMA))
        .filter(number -> !number.isEmpty())
        .map(Long::valueOf)
        .toList();
  }

  /** Both together. */
  public Report with(Report other) {
    Deeds sum = new Deeds();
    sum.add(deeds);
    sum.add(other.deeds);
    return new Report(
        lost + other.lost,
        disturbed + other.disturbed,
        Math.max(longestGap, other.longestGap),
        arrived + other.arrived,
        announced + other.announced,
        sum(progress, other.progress),
        sum);
  }

  private static List<Long> sum(List<Long> one, List<Long> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return IntStream.range(0, one.size()).mapToObj(i -> one.get(i) + other.get(i)).toList();
  }
}
