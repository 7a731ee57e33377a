package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.BottleneckLink.Network;
import dev.verbena.soft.engine.Goodput.Sender;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.Unlimited;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Mtu;
import dev.verbena.wire.Address;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Four devices that send to one, in virtual time: each may have in flight what a receive buffer
 * holds for one of them, and nobody knows of the others.
 */
class IncastTest {
  private static final int SENDERS = 4;
  private static final Mtu MTU = Mtu.MTU_1024;

  /** Packets; together the four may have more than three times as many in flight. */
  private static final int ROOM = 50;

  private static final int IN_FLIGHT = 42;
  private static final long NANOS_PER_PACKET = 2_000;
  private static final long DELAY = 10_000;
  private static final long MILLI = 1_000_000;

  private final long[] now = {0};
  private final Lab lab = new Lab(() -> now[0], false, false);
  private final List<Engine> engines = new ArrayList<>();
  private final List<Sender> senders = new ArrayList<>();
  private final long[] done = new long[SENDERS];

  @AfterEach
  void close() {
    lab.close();
  }

  /** Opens all, and returns the receiver's buffer. */
  private SocketBufferLink open(boolean tells) {
    List<SocketBufferLink> buffers = new ArrayList<>();
    Engine far =
        lab.farEngine(
            (link, counters) -> {
              buffers.add(new SocketBufferLink(link, ROOM, NANOS_PER_PACKET, tells));
              return buffers.getFirst();
            });
    engines.add(far);
    for (int i = 0; i < SENDERS; i++) {
      long seed = i;
      Network network = new Network(0.8, DELAY, 1 << 20, 0, IN_FLIGHT);
      Engine near =
          lab.farEngine(
              (link, counters) -> new BottleneckLink(link, network, seed), PeerWindows::new);
      engines.add(near);
      senders.add(Sender.between(near, far, MTU));
    }
    senders.forEach(Sender::begin);
    return buffers.getFirst();
  }

  private void runUntil(long end) {
    while (now[0] < end) {
      boolean again = false;
      for (Engine each : engines) {
        again |= each.step(now[0]);
      }
      for (int i = 0; i < SENDERS; i++) {
        done[i] += senders.get(i).goOn();
      }
      if (!again) {
        long next = engines.stream().mapToLong(Engine::nextDeadline).min().orElseThrow();
        now[0] = Math.max(now[0] + 1, Math.min(end, next));
      }
    }
  }

  @Test
  void onlyWhatIsAcknowledgedTakesPartInTheLimitOfADestination() {
    List<Address> limited = new ArrayList<>();
    CongestionControls controls =
        destination -> {
          limited.add(destination);
          return new Unlimited();
        };
    Engine near = lab.farEngine((link, counters) -> link, () -> controls);
    Engine far = lab.engine();
    Peer.connect(Peer.unreliable(near, 1_000), Peer.unreliable(far, 1_000));
    assertThat(limited).isEmpty();
    Peer.connect(new Peer(near, 1_000), new Peer(far, 1_000));
    assertThat(limited).containsExactly(far.address());
  }

  @Test
  void sendersFindSharesThatTheReceiversBufferHolds() {
    SocketBufferLink buffer = open(true);
    runUntil(100 * MILLI);
    long converging = buffer.overflows();
    assertThat(converging).isPositive();
    Arrays.fill(done, 0);
    runUntil(240 * MILLI);
    assertThat(buffer.overflows()).as("after convergence").isEqualTo(converging);
    assertThat(packetsDone())
        .as("of what the receiver takes")
        .isGreaterThan(9 * 140 * MILLI / NANOS_PER_PACKET / 10);
    assertNobodyIsPoor();
    assertThat(sum(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isPositive();
  }

  /** In two and a half seconds they try so often that some tries go too far. */
  @Test
  void tryingForMoreMakesSharesMoreEvenAndLosesAPacketNowAndThen() {
    SocketBufferLink buffer = open(true);
    runUntil(100 * MILLI);
    long converging = buffer.overflows();
    Arrays.fill(done, 0);
    runUntil(2_500 * MILLI);
    assertThat(buffer.overflows() - converging).isBetween(1L, 20L);
    assertThat(packetsDone())
        .as("of what the receiver takes")
        .isGreaterThan(9 * 2_400 * MILLI / NANOS_PER_PACKET / 10);
    assertNobodyIsPoor();
  }

  @Test
  void withoutNotificationsTheBufferIsOverrunAgainAndAgain() {
    SocketBufferLink buffer = open(false);
    runUntil(100 * MILLI);
    long before = buffer.overflows();
    runUntil(240 * MILLI);
    assertThat(buffer.overflows()).isGreaterThan(before);
    assertThat(sum(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isZero();
  }

  /** Each sender has at least half of an even share. */
  private void assertNobodyIsPoor() {
    assertThat(Arrays.stream(done).min().orElseThrow())
        .as("of " + Arrays.toString(done))
        .isGreaterThan(Arrays.stream(done).sum() / SENDERS / 2);
  }

  private long packetsDone() {
    return Arrays.stream(done).sum() * Goodput.MESSAGE / MTU.bytes();
  }

  private long sum(Counter counter) {
    return IntStream.range(0, engines.size())
        .mapToLong(i -> engines.get(i).tally().get(counter))
        .sum();
  }
}
