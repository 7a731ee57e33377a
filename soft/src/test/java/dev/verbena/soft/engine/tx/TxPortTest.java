package dev.verbena.soft.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TxPortTest {
  private static final Address HERE = Address.ofIpv4(0x0A000001);
  private static final Address THERE = Address.ofIpv4(0x0A000002);
  private static final Route ROUTE = new Route(THERE, 0, 64, 0);
  private static final int SEGMENTS = 4;

  /** Keeps sent packets; claims to send this many as one. */
  private static final class KeepingLink extends ForwardingLink {
    final List<MemorySegment> sent = new ArrayList<>();
    int takes = Integer.MAX_VALUE;
    Runnable whenSending = () -> {};

    KeepingLink() {
      super(new MemoryNetwork().open(HERE, (counter, count) -> {}));
    }

    @Override
    public boolean send(MemorySegment datagram, long length, Route route, long now) {
      if (sent.size() >= takes) {
        return false;
      }
      whenSending.run();
      byte[] bytes = datagram.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      sent.add(MemorySegment.ofArray(bytes));
      return true;
    }

    @Override
    public int mostSegments() {
      return SEGMENTS;
    }
  }

  private static final int PATIENCE_SECONDS = 60;

  private final KeepingLink link = new KeepingLink();
  private final Tally tally = new Tally();
  private final TxPort port =
      new TxPort(
          link,
          RankedGuard.make(Rank.LINK_TX),
          () -> 0,
          new Schedule(() -> 0, new Failures("test", tally)));
  private final FlushForm flushes = new FlushForm();

  private boolean commit(int psn, int length) {
    return commit(Opcode.RC_SEND_ONLY, psn, length, false);
  }

  private boolean commit(int opcode, int psn, int length, boolean overtakes) {
    MemorySegment packet = port.begin();
    Bth.write(packet, 0, opcode, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, 17, psn);
    return port.commit(length, ROUTE, overtakes, flushes, tally) > 0;
  }

  private List<Integer> psns() {
    return link.sent.stream().map(packet -> Bth.psn(packet, 0)).toList();
  }

  @Test
  void packetsWaitForTheFlushUnlessARunIsFull() {
    for (int i = 0; i < SEGMENTS - 1; i++) {
      commit(i, 100);
    }
    assertThat(link.sent).isEmpty();
    port.flush();
    assertThat(psns()).containsExactly(0, 1, 2);
    port.flush();
    assertThat(link.sent).hasSize(3);
    for (int i = 0; i < SEGMENTS; i++) {
      commit(3 + i, 100);
    }
    assertThat(psns()).containsExactly(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  @Timeout(PATIENCE_SECONDS)
  void aFlushDoesNotWaitForTheThreadThatIsSending() throws InterruptedException {
    commit(0, 100);
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch flushed = new CountDownLatch(1);
    link.whenSending =
        () -> {
          sending.countDown();
          try {
            flushed.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    Thread other = Thread.ofPlatform().start(port::flush);
    sending.await();
    port.flush();
    assertThat(link.sent).as("the other one is still sending").isEmpty();
    flushed.countDown();
    other.join();
    assertThat(psns()).containsExactly(0);
  }

  @Test
  void eachRunIsChargedOnce() {
    for (int i = 0; i < SEGMENTS + 1; i++) {
      Bth.write(
          port.begin(), 0, Opcode.RC_SEND_ONLY, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, 17, i);
      int charge = port.commit(100, ROUTE, false, flushes, tally);
      assertThat(charge).isEqualTo(i % SEGMENTS == 0 ? 104 + Link.RUN_CHARGE : 104);
    }
  }

  @Test
  @Proves("S12.4.1")
  void theIcrcSaysWhichIdASegmentGets() {
    int[] lengths = {100, 100, 100, 60, 60, 60};
    for (int i = 0; i < lengths.length; i++) {
      commit(i, lengths[i]);
    }
    port.flush();
    assertIds(0, 1, 2, 3, 0, 1);
  }

  /** The packets have been sent with the ICRCs of these IP IDs. */
  private void assertIds(int... ids) {
    Icrc icrc = new Icrc();
    icrc.addresses(HERE, THERE, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    assertThat(link.sent).hasSameSizeAs(ids);
    for (int i = 0; i < ids.length; i++) {
      icrc.identification(ids[i], true);
      MemorySegment packet = link.sent.get(i);
      assertThat(icrc.difference(packet, 0, (int) packet.byteSize())).as("packet %d", i).isZero();
    }
  }

  @Test
  @Proves("S12.4.1")
  void aRequestLeavesBeforeTheAnswerInFrontOfItAndTheyAreOneRun() {
    commit(Opcode.RC_ACKNOWLEDGE, 1, 16, true);
    commit(Opcode.RC_SEND_ONLY, 2, 20, true);
    port.flush();
    assertThat(psns()).containsExactly(2, 1);
    assertIds(0, 1);
  }

  @Test
  void nothingElseOvertakes() {
    commit(Opcode.RC_ACKNOWLEDGE, 1, 16, true);
    commit(Opcode.RC_SEND_ONLY, 2, 20, false);
    commit(Opcode.RC_ACKNOWLEDGE, 3, 16, true);
    commit(Opcode.RC_READ_RESPONSE_ONLY, 4, 40, true);
    commit(Opcode.RC_SEND_ONLY, 5, 44, true);
    port.flush();
    assertThat(psns()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void whatTheLinkRefusesLeavesLaterInItsOrder() {
    link.takes = 2;
    int psn = 0;
    while (commit(psn, 100)) {
      psn++;
    }
    assertThat(psns()).containsExactly(0, 1);
    assertThat(tally.get(Counter.PACKETS_SENT)).isEqualTo(psn);
    link.takes = Integer.MAX_VALUE;
    port.flush();
    assertThat(link.sent).hasSize(psn);
    assertThat(commit(psn, 100)).isTrue();
    port.close();
    assertThat(psns()).isSorted().hasSize(psn + 1);
    assertThat(commit(psn, 100)).as("a closed port loses packets").isTrue();
    port.flush();
    assertThat(link.sent).hasSize(psn + 1);
  }
}
