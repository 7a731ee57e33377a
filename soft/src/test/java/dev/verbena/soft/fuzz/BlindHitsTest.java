package dev.verbena.soft.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

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

  /** What he guesses, with the number of bits that he draws. */
  enum Guess {
    REQUEST(QpType.RC, Opcode.RC_SEND_ONLY, 3, 6, 0),
    ANSWER(QpType.RC, Opcode.RC_ACKNOWLEDGE, 3, 10, 0),
    RECEIVES(QpType.RC, Opcode.RC_ACKNOWLEDGE, 3, 6, 0),
    MESSAGE(QpType.UC, Opcode.UC_SEND_ONLY, 6, Victim.PSN_BITS, 0),
    DATAGRAM(QpType.UD, Opcode.UD_SEND_ONLY, 3, Victim.PSN_BITS, 6),
    DATAGRAM_TO_GROUP(QpType.UD, Opcode.UD_SEND_ONLY, 0, Victim.PSN_BITS, 9),
    NOTIFICATION(QpType.RC, Opcode.CNP, 9, Victim.PSN_BITS, 0);

    final QpType type;
    final int opcode;
    final int qpnBits;
    final int psnBits;
    final int qkeyBits;

    Guess(QpType type, int opcode, int qpnBits, int psnBits, int qkeyBits) {
      this.type = type;
      this.opcode = opcode;
      this.qpnBits = qpnBits;
      this.psnBits = psnBits;
      this.qkeyBits = qkeyBits;
    }

    /** Packets for a hit, by the table of docs/security.md with so many bits. */
    double packets() {
      double numbers = Math.scalb(1.0, qpnBits);
      double psns = Math.scalb(1.0, psnBits);
      return switch (this) {
        case REQUEST, RECEIVES -> numbers * psns;
        case ANSWER -> numbers * psns / Victim.AWAITED;
        case MESSAGE, NOTIFICATION -> numbers;
        case DATAGRAM, DATAGRAM_TO_GROUP -> numbers * Math.scalb(1.0, qkeyBits);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAttackerHitsAsOftenAsTheTableSays(Guess guess) {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int tries = (int) (HITS * guess.packets());
    boolean waits = guess == Guess.RECEIVES;
    try (Victim victim = new Victim(seed, guess.type, guess == Guess.DATAGRAM_TO_GROUP, waits)) {
      boolean answers = guess == Guess.ANSWER || waits;
      int hits = 0;
      for (int i = 0; i < tries; i++) {
        int qpn = guess(random, victim.qpn(), guess.qpnBits);
        int psn = guess(random, answers ? victim.awaited() : victim.expected(), guess.psnBits);
        int qkey = guess(random, Victim.QKEY, guess.qkeyBits);
        hits += victim.isHitBy(guess.opcode, qpn, psn, qkey) ? 1 : 0;
      }
      assertThat((double) hits)
          .as("hits of %d packets, seed %d", tries, seed)
          .isBetween(HITS - deviation(), HITS + deviation());
    }
  }

  /** A number of which he knows all but the lowest bits. */
  private static int guess(SplittableRandom random, int number, int bits) {
    int unknown = (1 << bits) - 1;
    return (number & ~unknown) | (random.nextInt() & unknown);
  }

  /**
   * By Bernstein's inequality a sum of tosses of mean m is t away from it with a probability of at
   * most 2 exp(-t² / (2 (m + t / 3))).
   */
  private static double deviation() {
    double third = Math.log(2 / ERROR) / 3;
    return third + Math.sqrt(third * third + 6 * third * HITS);
  }
}
