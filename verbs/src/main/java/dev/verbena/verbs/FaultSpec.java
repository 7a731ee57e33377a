package dev.verbena.verbs;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Faults that a software device applies to the packets it sends. Text form: {@code
 * drop:0.05,dropnth:7+9,dup:0.01,reorder:0.02,delay:0.01@2ms,corrupt:0.001,seed:7}, where any one
 * part is enough; times end in us, ms or s. The constructor and the methods {@code with...} throw a
 * {@link VerbsException} with EINVAL for a probability, a number or a time that is out of range.
 *
 * @param drop probability that a packet is lost, 0 to 1
 * @param dropNth the packets that are lost whatever the probability, by their numbers: the first
 *     that the device sends is 1, and one that is sent again has a new number; kept in rising order
 * @param duplicate probability that it is sent twice
 * @param reorder probability that it is swapped with the next one, which must come within 1 ms: for
 *     a program that has one packet in flight at a time, take {@code delay}, or post several
 *     requests before waiting for the first
 * @param delay probability that it is delayed
 * @param delayTime longest delay: 0 to 1 hour, in whole microseconds (fractions are cut off)
 * @param corrupt probability that one of its bits is flipped
 * @param seed seed of the random sequence
 */
public record FaultSpec(
    double drop,
    List<Long> dropNth,
    double duplicate,
    double reorder,
    double delay,
    Duration delayTime,
    double corrupt,
    long seed) {
  /**
   * No faults, to start from: {@code NONE.withDrop(0.05).withSeed(7)}. The seed is 1, so devices
   * that are given no other seed lose the same packets.
   */
  public static final FaultSpec NONE =
      new FaultSpec(0, List.of(), 0, 0, 0, Duration.ofMillis(1), 0, 1);

  private static final long MAX_DELAY_MICROS = Duration.ofHours(1).toNanos() / 1000;

  /**
   * Checks that each probability is in 0 to 1, each number of a packet above 0, and the delay time
   * in 0 to 1 hour.
   */
  public FaultSpec {
    check("drop", drop);
    dropNth = dropNth.stream().sorted().distinct().toList();
    if (!dropNth.isEmpty() && dropNth.getFirst() < 1) {
      throw refused("dropnth " + dropNth.getFirst() + ": the first packet is 1");
    }
    check("dup", duplicate);
    check("reorder", reorder);
    check("delay", delay);
    check("corrupt", corrupt);
    if (delayTime.isNegative() || delayTime.compareTo(Duration.ofHours(1)) > 0) {
      throw refused("delay time " + delayTime + " is not in 0 to 1 hour");
    }
    delayTime = delayTime.truncatedTo(ChronoUnit.MICROS);
  }

  /**
   * Parses the text form.
   *
   * @throws VerbsException EINVAL, naming the invalid part
   */
  public static FaultSpec parse(String text) {
    double drop = 0;
    List<Long> dropNth = List.of();
    double duplicate = 0;
    double reorder = 0;
    double delay = 0;
    Duration delayTime = NONE.delayTime;
    double corrupt = 0;
    long seed = NONE.seed;
    Set<String> given = new HashSet<>();
    for (String part : text.split(",", -1)) {
      int colon = part.indexOf(':');
      if (colon < 0) {
        throw refused("'" + part + "' is not of the form KIND:VALUE");
      }
      String kind = part.substring(0, colon);
      String value = part.substring(colon + 1);
      if (!given.add(kind)) {
        throw refused("'" + text + "' gives " + kind + " twice");
      }
      switch (kind) {
        case "drop" -> drop = probability(part, value);
        case "dropnth" -> dropNth = numbers(part, value);
        case "dup" -> duplicate = probability(part, value);
        case "reorder" -> reorder = probability(part, value);
        case "corrupt" -> corrupt = probability(part, value);
        case "seed" -> seed = number(part, value);
        case "delay" -> {
          int at = value.indexOf('@');
          delay = probability(part, at < 0 ? value : value.substring(0, at));
          delayTime = at < 0 ? delayTime : time(part, value.substring(at + 1));
        }
        default ->
            throw refused(
                "'"
                    + kind
                    + "' is not a fault; known: drop, dropnth, dup, reorder, delay, corrupt, seed");
      }
    }
    return new FaultSpec(drop, dropNth, duplicate, reorder, delay, delayTime, corrupt, seed);
  }

  /** The same with another probability that a packet is lost, 0 to 1. */
  public FaultSpec withDrop(double probability) {
    return new FaultSpec(probability, dropNth, duplicate, reorder, delay, delayTime, corrupt, seed);
  }

  /** The same with other packets that are lost, by their numbers from 1; none for no numbers. */
  public FaultSpec withDropNth(long... numbers) {
    List<Long> all = LongStream.of(numbers).boxed().toList();
    return new FaultSpec(drop, all, duplicate, reorder, delay, delayTime, corrupt, seed);
  }

  /** The same with another probability that a packet is sent twice, 0 to 1. */
  public FaultSpec withDuplicate(double probability) {
    return new FaultSpec(drop, dropNth, probability, reorder, delay, delayTime, corrupt, seed);
  }

  /** The same with another probability that a packet is swapped with the next one, 0 to 1. */
  public FaultSpec withReorder(double probability) {
    return new FaultSpec(drop, dropNth, duplicate, probability, delay, delayTime, corrupt, seed);
  }

  /**
   * The same with other delays.
   *
   * @param probability that a packet is delayed, 0 to 1
   * @param longest the longest delay: 0 to 1 hour, in whole microseconds
   */
  public FaultSpec withDelay(double probability, Duration longest) {
    return new FaultSpec(drop, dropNth, duplicate, reorder, probability, longest, corrupt, seed);
  }

  /** The same with another probability that a bit of a packet is flipped, 0 to 1. */
  public FaultSpec withCorrupt(double probability) {
    return new FaultSpec(drop, dropNth, duplicate, reorder, delay, delayTime, probability, seed);
  }

  /** The same with another seed. */
  public FaultSpec withSeed(long number) {
    return new FaultSpec(drop, dropNth, duplicate, reorder, delay, delayTime, corrupt, number);
  }

  /** Whether packets can get lost: dropped, or damaged so that their receiver drops them. */
  public boolean losesPackets() {
    return drop > 0 || !dropNth.isEmpty() || corrupt > 0;
  }

  /** Whether any fault can happen. */
  public boolean isActive() {
    return losesPackets() || duplicate > 0 || reorder > 0 || delay > 0;
  }

  /** The text form that {@link #parse} reads, without probabilities of 0. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    note(text, "drop", drop, "");
    if (!dropNth.isEmpty()) {
      text.add("dropnth:" + dropNth.stream().map(String::valueOf).collect(Collectors.joining("+")));
    }
    note(text, "dup", duplicate, "");
    note(text, "reorder", reorder, "");
    note(text, "delay", delay, "@" + delayTime.toNanos() / 1000 + "us");
    note(text, "corrupt", corrupt, "");
    return text.add("seed:" + seed).toString();
  }

  private static void note(StringJoiner text, String part, double probability, String more) {
    if (probability > 0) {
      text.add(part + ":" + probability + more);
    }
  }

  private static double probability(String part, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw refused("'" + part + "': '" + value + "' is not a probability, such as 0.01");
    }
  }

  private static long number(String part, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw refused("'" + part + "': '" + value + "' is not a whole number");
    }
  }

  private static List<Long> numbers(String part, String value) {
    return Arrays.stream(value.split("\\+", -1)).map(each -> number(part, each)).toList();
  }

  private static Duration time(String part, String value) {
    String digits = value.replaceFirst("[a-z]+$", "");
    String unit = value.substring(digits.length());
    long microsPerUnit =
        switch (unit) {
          case "us" -> 1;
          case "ms" -> 1_000;
          case "s" -> 1_000_000;
          default -> throw refused("'" + part + "': a time ends in us, ms or s");
        };
    long count = number(part, digits);
    if (count < 0 || count > MAX_DELAY_MICROS / microsPerUnit) {
      throw refused("'" + part + "': " + count + " " + unit + " is not in 0 to 1 hour");
    }
    return Duration.of(count * microsPerUnit, ChronoUnit.MICROS);
  }

  private static void check(String kind, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw refused(kind + " probability " + probability + " is not in 0 to 1");
    }
  }

  private static VerbsException refused(String detail) {
    return new VerbsException("faults", Errno.EINVAL, detail);
  }
}
