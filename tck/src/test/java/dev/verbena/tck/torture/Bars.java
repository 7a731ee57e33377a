package dev.verbena.tck.torture;

import dev.verbena.verbs.Counter;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run must keep to, beside right bytes, on a computer that does nothing else: how many
 * operations it must have done, and of which kinds, how many connections may be lost on a bad
 * network, how many packets may be sent again, and how long a pair may make no progress under
 * attack.
 */
public final class Bars {
  /** If more packets than this share are lost, a connection may be. */
  private static final double BAD = 0.1;

  /** On such a network one connection may be, or one for each so many operations. */
  private static final long OPERATIONS_PER_LOSS = 100_000;

  /** Packets sent again for each lost one. */
  private static final int MOST_SENT_AGAIN = 3;

  /** The same where packets are also late or damaged. */
  private static final int MOST_SENT_AGAIN_OF_MIXED = 4;

  /** So many batches have operations of all kinds. */
  private static final int BATCHES_OF_ALL = 1000;

  /** Packets of each kind a second: with fewer it was no attack. */
  private static final int FEWEST_ATTACKS = 50;

  /** Nanoseconds without a success under attack, unless batches fail, and rightly so. */
  private static final long LONGEST_GAP = 1_000_000_000;

  /** The same otherwise: far more than a busy computer, a stopped peer or a new one can cause. */
  private static final long STANDSTILL = 10_000_000_000L;

  /** Of the unreliable messages that should arrive by the laws of chance, so many must. */
  private static final double FEWEST_ARRIVE = 0.5;

  /** What a run has not kept to; nothing if all is well. */
  static List<String> breaches(Torture.Result result, Options options) {
    List<String> breaches = new ArrayList<>();
    Long wanted = options.operations();
    if (wanted != null && result.operations() < wanted) {
      breaches.add("only %d of %d operations were done".formatted(result.operations(), wanted));
    }
    breaches.addAll(missing(options, result.deeds()));
    boolean mayOverflow = result.count(Counter.SOCKET_OVERFLOWS) > 0;
    breaches.addAll(silence(options, result.arrived(), result.announced(), mayOverflow));
    boolean attacked = !options.attacks().isEmpty();
    long allowed = mayBeLost(options.shareOfLosses(), result.operations());
    if (result.connectionsLost() > allowed) {
      breaches.add("only %d connections may be lost".formatted(allowed));
    }
    // Guesses of an attacker cause more: each gets an answer.
    long most = mostSentAgain(result) * result.packetsLost();
    if (!attacked && result.packetsLost() > 0 && result.count(Counter.RETRANSMITTED) > most) {
      breaches.add("only %d packets may be sent again".formatted(most));
    }
    boolean mayFail = allowed > 0 || !options.traffic().mischiefs().isEmpty();
    breaches.addAll(
        attacked
            ? standstill(result.longestGap(), LONGEST_GAP + (mayFail ? options.failing() : 0))
            : standstill(result.longestGap(), options));
    result
        .attacks()
        .forEach(
            (attack, packets) -> {
              double fewest = FEWEST_ATTACKS * (result.nanos() / 1e9);
              if (packets < fewest) {
                breaches.add(
                    "only %d packets of the attack %s, less than %.0f"
                        .formatted(packets, attack, fewest));
              }
            });
    return breaches;
  }

  /**
   * How many connections may be lost.
   *
   * @param share of the packets that faults are to drop or damage, 0 to 1
   */
  public static long mayBeLost(double share, long operations) {
    return share > BAD ? Math.max(1, operations / OPERATIONS_PER_LOSS) : 0;
  }

  /** The kinds of operations that each service should have done, and has not. */
  public static List<String> missing(Options options, Deeds deeds) {
    long enough = (long) BATCHES_OF_ALL * options.traffic().batch() * options.services().size();
    if (deeds.all() < enough) {
      return List.of();
    }
    return options.services().stream()
        .flatMap(
            service ->
                service.kinds().stream()
                    .filter(kind -> deeds.of(service, kind) == 0)
                    .map(kind -> "no " + kind + " of " + service + " was done"))
        .toList();
  }

  /**
   * What is wrong if so few unreliable messages have arrived.
   *
   * @param announced those that would have, if none had been lost
   * @param mayBeLost whether any may be lost without faults that lose or exchange packets
   */
  public static List<String> silence(
      Options options, long arrived, long announced, boolean mayBeLost) {
    double share = options.shareOfUnreliableArrivals();
    long fewest = (long) (share < 1 || mayBeLost ? FEWEST_ARRIVE * share * announced : announced);
    return arrived >= fewest
        ? List.of()
        : List.of(
            "%d of %d unreliable messages arrived, not at least %d"
                .formatted(arrived, announced, fewest));
  }

  /** What is wrong if a lane with a living peer had no success for so many nanoseconds. */
  public static List<String> standstill(long longestGap, Options options) {
    return standstill(longestGap, STANDSTILL + options.failing());
  }

  private static List<String> standstill(long longestGap, long longest) {
    return longestGap > longest
        ? List.of("only %.1f s may pass without progress".formatted(longest / 1e9))
        : List.of();
  }

  private static int mostSentAgain(Torture.Result result) {
    return result.count(Counter.FAULTS_DELAYED) + result.count(Counter.FAULTS_CORRUPTED) > 0
        ? MOST_SENT_AGAIN_OF_MIXED
        : MOST_SENT_AGAIN;
  }

  private Bars() {}
}
