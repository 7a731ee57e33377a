package dev.verbena.soft.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.fuzz.Victim.Effect;
import dev.verbena.soft.fuzz.Victim.Role;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Opcode;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A blind attacker hits as often as docs/security.md says. So that he hits often enough to be
 * counted, he knows all but the lowest bits of each number, and draws these.
 */
class BlindHitsTest {
  /** Hits to expect of each guess. */
  private static final int HITS = 400;

  /** The chance that a count is further from its mean than allowed. */
  private static final double ERROR = 1e-9;

  /** The most packets of the peer that a forged one makes late. */
  private static final int MOST_LATE = 128;

  /** What he guesses, with the effect that is a hit, and the number of bits that he draws. */
  enum Guess {
    REQUEST(QpType.RC, Opcode.RC_SEND_ONLY, Effect.TAKEN, 2, 5, 0),
    ANSWER(QpType.RC, Opcode.RC_ACKNOWLEDGE, Effect.ENDED, 2, 9, 0),
    DATA(QpType.RC, Opcode.RC_READ_RESPONSE_ONLY, Effect.ACCESSED, 2, 5, 0),
    RECEIVES(QpType.RC, Opcode.RC_ACKNOWLEDGE, Effect.TAKEN, 2, 5, 0),
    BUFFER(QpType.RC, Opcode.VERBENA_BUFFER, Effect.TAKEN, 2, 5, 0),
    WRITE(QpType.RC, Opcode.RC_WRITE_ONLY, Effect.ACCESSED, 1, 3, 2),
    READ(QpType.RC, Opcode.RC_READ_REQUEST, Effect.ACCESSED, 1, 3, 2),
    REPEATED_READ(QpType.RC, Opcode.RC_READ_REQUEST, Effect.ACCESSED, 4, 0, 2),
    XRC_REQUEST(QpType.XRC_RECV, Opcode.XRC_SEND_ONLY, Effect.TAKEN, 1, 3, 2),
    XRC_ANSWER(QpType.XRC_SEND, Opcode.XRC_ACKNOWLEDGE, Effect.ENDED, 2, 9, 0),
    XRC_WRITE(QpType.XRC_RECV, Opcode.XRC_WRITE_ONLY, Effect.ACCESSED, 1, 3, 2),
    XRC_READ(QpType.XRC_RECV, Opcode.XRC_READ_REQUEST, Effect.ACCESSED, 1, 3, 2),
    MESSAGE(QpType.UC, Opcode.UC_SEND_ONLY, Effect.TAKEN, 6, Victim.PSN_BITS, 0),
    MESSAGE_AHEAD(QpType.UC, Opcode.UC_SEND_ONLY, Effect.TAKEN, 0, Victim.PSN_BITS, 0),
    UC_WRITE(QpType.UC, Opcode.UC_WRITE_ONLY, Effect.ACCESSED, 2, Victim.PSN_BITS, 4),
    DATAGRAM(QpType.UD, Opcode.UD_SEND_ONLY, Effect.TAKEN, 3, Victim.PSN_BITS, 6),
    DATAGRAM_TO_GROUP(QpType.UD, Opcode.UD_SEND_ONLY, Effect.TAKEN, 0, Victim.PSN_BITS, 9),
    NOTIFICATION(QpType.RC, Opcode.CNP, Effect.TAKEN, 9, Victim.PSN_BITS, 0);

    final QpType type;
    final int opcode;
    final Effect effect;
    final int qpnBits;
    final int psnBits;
    final int keyBits;

    Guess(QpType type, int opcode, Effect effect, int qpnBits, int psnBits, int keyBits) {
      this.type = type;
      this.opcode = opcode;
      this.effect = effect;
      this.qpnBits = qpnBits;
      this.psnBits = psnBits;
      this.keyBits = keyBits;
    }

    /** Packets for a hit, by the table of docs/security.md with so many bits. */
    double packets() {
      double numbers = Math.scalb(1.0, qpnBits);
      double psns = Math.scalb(1.0, psnBits);
      return switch (this) {
        case REQUEST, DATA, RECEIVES, BUFFER -> numbers * psns;
        case WRITE, READ, REPEATED_READ, XRC_REQUEST, XRC_WRITE, XRC_READ ->
            numbers * psns * keys();
        case ANSWER, XRC_ANSWER -> numbers * psns / Victim.AWAITED;
        case MESSAGE -> numbers * 256 / 255;
        case MESSAGE_AHEAD -> numbers * Math.scalb(1.0, 8);
        case UC_WRITE -> numbers * keys() * 256 / 255;
        case DATAGRAM, DATAGRAM_TO_GROUP -> numbers * keys();
        case NOTIFICATION -> numbers;
      };
    }

    private double keys() {
      return Math.scalb(1.0, keyBits);
    }

    Role role() {
      return switch (this) {
        case RECEIVES, BUFFER -> Role.WAITS;
        case DATA -> Role.READS;
        case REPEATED_READ -> Role.ANSWERS;
        case DATAGRAM_TO_GROUP -> Role.GROUPED;
        default -> Role.SENDS;
      };
    }

    /** Whether it goes to a request that awaits an answer. */
    boolean answers() {
      return switch (this) {
        case ANSWER, XRC_ANSWER, DATA, RECEIVES, BUFFER -> true;
        default -> false;
      };
    }

    /** Wrong keys, or numbers of shared receive queues, that end a connection before a hit. */
    double ends() {
      return switch (this) {
        case WRITE, READ, XRC_REQUEST, XRC_WRITE, XRC_READ -> keys() - 1;
        default -> 0;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAttackerHitsAsOftenAsTheTableSays(Guess guess) {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int tries = (int) (HITS * guess.packets());
    try (Victim victim = new Victim(seed, guess.type, guess.role())) {
      int key = victim.key(guess.opcode);
      int hits = 0;
      int ends = 0;
      int mostLate = 0;
      for (int i = 0; i < tries; i++) {
        Effect effect =
            victim.take(
                guess.opcode,
                guess(random, victim.qpn(), guess.qpnBits),
                guess(
                    random, guess.answers() ? victim.awaited() : victim.expected(), guess.psnBits),
                guess(random, key, guess.keyBits));
        boolean hit = effect == guess.effect;
        if (guess == Guess.MESSAGE_AHEAD) {
          int late = victim.peerSends(2 * MOST_LATE);
          mostLate = Math.max(mostLate, late);
          hit &= late > 0;
        }
        hits += hit ? 1 : 0;
        ends += effect == Effect.ENDED ? 1 : 0;
      }
      String run = " of %d packets, seed %d".formatted(tries, seed);
      assertCount("hits" + run, hits, HITS);
      if (guess.effect != Effect.ENDED) {
        assertCount("ended connections" + run, ends, HITS * guess.ends());
      }
      assertThat(mostLate)
          .as("late packets of the peer" + run)
          .isEqualTo(guess == Guess.MESSAGE_AHEAD ? MOST_LATE : 0);
    }
  }

  /** A number of which he knows all but the lowest bits. */
  private static int guess(SplittableRandom random, int number, int bits) {
    int unknown = (1 << bits) - 1;
    return (number & ~unknown) | (random.nextInt() & unknown);
  }

  private static void assertCount(String name, int count, double mean) {
    double deviation = mean == 0 ? 0 : deviation(mean);
    assertThat((double) count).as(name).isBetween(mean - deviation, mean + deviation);
  }

  /**
   * By Bernstein's inequality a sum of tosses of mean m is t away from it with a probability of at
   * most 2 exp(-t² / (2 (m + t / 3))).
   */
  private static double deviation(double mean) {
    double third = Math.log(2 / ERROR) / 3;
    return third + Math.sqrt(third * third + 6 * third * mean);
  }
}
