package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Counter;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Checked traffic of two devices to which an attacker sends packets, too. */
final class AttackTest {
  /** Code of 8.6 s, so that only a loss caused by an attack shows as a time-out. */
  private static final int NEVER_BY_ITSELF = 21;

  private static final int PAIRS = 4;
  private static final int PACKETS_BETWEEN_NAKS = 1024;
  private static final int MOST_RUNS = 5;

  private static Session open(String services, String attack) {
    return Session.open(
        Options.parse(
            "service=" + services,
            "left=soft:" + Addresses.next() + "?link=udp",
            "right=soft:" + Addresses.next() + "?link=udp",
            "stranger=" + Addresses.next(),
            "attack=" + attack,
            "pairs=" + PAIRS,
            "size=8192",
            "timeout=" + NEVER_BY_ITSELF,
            "seed=" + TckLink.SEED % 100_000));
  }

  /** Keeps the lanes busy until this number of packets of each kind has been sent. */
  private static Torture.Result endure(Session session, long each, Attack... attacks) {
    session.driveUntil(
        each + " packets of each kind",
        () -> Arrays.stream(attacks).allMatch(attack -> session.attacks(attack) >= each));
    Torture.Result result = session.finish();
    Await.until("all packets to be received", session::isAttackOver);
    assertThat(result.connectionsLost()).as(result.text()).isZero();
    return result;
  }

  private static void expect(Session session, Counter counter, long atLeast, String what) {
    assertThat(session.count(counter)).as("%s of %s", counter, what).isGreaterThan(atLeast);
  }

  @Test
  @Proves("S12.10")
  void noPacketOfAnybodyElseChangesAByteOrEndsAConnection() {
    try (Session session = open("all", "all")) {
      Torture.Result result = endure(session, 500, Attack.values());
      String what = result.text();
      expect(session, Counter.DROPPED_SOURCE, session.attacks(Attack.STRANGER) / 2, what);
      expect(session, Counter.DROPPED_ICRC, session.attacks(Attack.MUTATED) / 4, what);
      expect(session, Counter.DROPPED_NO_QP, session.attacks(Attack.NOWHERE) / 2, what);
      expect(session, Counter.DUPLICATE_REQUESTS, session.attacks(Attack.REPLAYED) / 4, what);
      // One in five or four misses in it, and two in five are malformed.
      expect(session, Counter.DROPPED_PKEY, session.attacks(Attack.SEALED) / 20, what);
      expect(session, Counter.DROPPED_QKEY, session.attacks(Attack.BLIND) / 8, what);
      expect(session, Counter.DROPPED_STALE_RESPONSE, session.attacks(Attack.BLIND) / 8, what);
      assertThat(session.count(Counter.DROPPED_MALFORMED)).as(what).isPositive();
    }
  }

  @Test
  void everyMessageOfUnreliableServicesArrivesUnlessASocketOverflows() {
    for (int run = 0; ; run++) {
      try (Session session = open("uc,ud", "all")) {
        Torture.Result result = endure(session, 500, Attack.values());
        if (session.count(Counter.SOCKET_OVERFLOWS) == 0) {
          assertThat(result.arrived()).as(result.text()).isEqualTo(session.announced());
          return;
        }
        // Then only the next run is conclusive.
        assertThat(run).as(result.text()).isLessThan(MOST_RUNS);
      }
    }
  }

  @Test
  @Proves("S12.6.9")
  void packetsInAPeersNameWithGuessedNumbersCauseNoTimeOut() {
    try (Session session = endureGuesses(Attack.BLIND)) {
      assertThat(session.count(Counter.UNLIKELY_PSNS))
          .isGreaterThan(session.attacks(Attack.BLIND) / 4);
    }
  }

  @Test
  @Proves("S12.6.2")
  void thoseOfThemThatAreCloselyAheadMakeAPeerGoBackNoMoreOften() {
    endureGuesses(Attack.AHEAD).close();
  }

  /** A session after many guesses, which have caused few NAKs and no time-out. */
  private static Session endureGuesses(Attack attack) {
    for (int run = 0; ; run++) {
      Session session = open("rc,xrc", attack.name().toLowerCase(Locale.ROOT));
      try {
        Torture.Result result = endure(session, 3_000, attack);
        long overflows = session.count(Counter.SOCKET_OVERFLOWS);
        assertThat(session.count(Counter.TIMEOUTS))
            .as(result.text())
            .isLessThanOrEqualTo(overflows);
        assertThat(session.count(Counter.SEQUENCE_NAKS_SENT))
            .as(result.text())
            .isBetween(1L, mostNaks(result) + overflows);
        // Losses in the system's socket do not count: then only the next run is conclusive.
        if (overflows == 0 || run == MOST_RUNS) {
          return session;
        }
      } catch (RuntimeException | Error failure) {
        session.close();
        throw failure;
      }
      session.close();
    }
  }

  /** The first one of each end, and then one for so many packets of its peer. */
  private static long mostNaks(Torture.Result result) {
    return 2 * PAIRS + result.count(Counter.PACKETS_SENT) / PACKETS_BETWEEN_NAKS;
  }
}
