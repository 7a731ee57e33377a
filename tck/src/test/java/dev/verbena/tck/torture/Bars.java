package dev.verbena.tck.torture;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /** What a run has not kept to; nothing if all is well. */
  static List<String> breaches(Torture.Result result, Options options) {
    List<String> breaches = new ArrayList<>();
    Long wanted = options.operations();
    if (wanted != null && result.operations() < wanted) {
      breaches.add("only %d of %d operations were done".formatted(result.operations(), wanted));
    }
    breaches.addAll(missing(options, result.operations(), result.kinds()));
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
    long longest = LONGEST_GAP + (mayFail ? options.failing() : 0);
    if (attacked && result.longestGap() > longest) {
      breaches.add("only %.1f s may pass without progress".formatted(longest / 1e9));
    }
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

  /** The kinds of operations that a run should have done, and has not. */
  public static List<String> missing(Options options, long operations, Map<WrOpcode, Long> kinds) {
    if (operations < (long) BATCHES_OF_ALL * options.traffic().batch()) {
      return List.of();
    }
    return options.services().stream()
        .flatMap(service -> service.kinds().stream())
        .distinct()
        .filter(kind -> kinds.getOrDefault(kind, 0L) == 0)
        .map(kind -> "no " + kind + " was done")
        .toList();
  }

  private static int mostSentAgain(Torture.Result result) {
    return result.count(Counter.FAULTS_DELAYED) + result.count(Counter.FAULTS_CORRUPTED) > 0
        ? MOST_SENT_AGAIN_OF_MIXED
        : MOST_SENT_AGAIN;
  }

  private Bars() {}
}
