package dev.verbena.soft.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.Pair;
import dev.verbena.soft.link.Link;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Address;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePorts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More forged congestion notifications than packets slow a connection down, and do not stop it. */
class NotificationFloodTest {
  private static final int WRITES = 100;
  private static final int BYTES = 1 << 16;
  private static final int AT_ONCE = 16;
  private static final int MOST_ROUNDS = 1_000_000;

  private final List<Tap> taps = new ArrayList<>();
  private final Icrc icrc = new Icrc();

  @Test
  void aConnectionGetsAheadHoweverManyNotificationsAreForged() {
    try (Pair pair = Pair.tapped(1, FaultSpec.NONE, Pair.WIDE, this::tap)) {
      Context context = pair.left();
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(WRITES);
      MemoryRegion source = pd.allocMr(BYTES, 0);
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq).maxSendWr(WRITES).maxSendSge(1));
      ProtectionDomain peerPd = pair.right().allocPd();
      MemoryRegion target = peerPd.allocMr(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
      QueuePair peer = peerPd.createQp(QpInitAttr.rc(pair.right().createCq(1)));
      peer.connect(qp.endpoint(), Access.REMOTE_WRITE);
      qp.connect(peer.endpoint());
      SendWr write =
          new SendWr()
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(new Sge(source.addr(), BYTES, source.lkey()))
              .rkey(target.rkey())
              .remoteAddr(target.addr());
      for (int i = 0; i < WRITES; i++) {
        qp.postSend(write);
      }
      Draft notification = notification(qp.qpNum());
      WorkCompletion wc = new WorkCompletion();
      int done = 0;
      long sent = 0;
      for (int round = 0; done < WRITES; round++) {
        assertThat(round).as("rounds until %d WRITEs", done).isLessThan(MOST_ROUNDS);
        for (int i = 0; i < AT_ONCE && taps.getFirst().hasRoom(); i++) {
          taps.getFirst().put(notification, taps.getLast().address(), 0);
          sent++;
        }
        pair.step();
        while (cq.poll(wc)) {
          assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
          done++;
        }
      }
      assertThat(sent).isGreaterThan(context.counters().get(Counter.PACKETS_SENT));
      assertThat(context.counters().get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED))
          .isGreaterThan(sent - 2 * AT_ONCE);
      assertThat(context.counters().get(Counter.RETRANSMITTED)).isZero();
    }
  }

  private Tap tap(Link link) {
    taps.add(new Tap(link, (datagram, length) -> {}));
    return taps.getLast();
  }

  /** In the peer's name. */
  private Draft notification(int qpn) {
    Draft draft = new Draft();
    draft.length(Opcode.row(Opcode.CNP).headerLength + Draft.ICRC);
    draft.opcode(Opcode.CNP);
    draft.pkey(0xffff);
    draft.qpn(qpn);
    Address source = taps.getLast().address();
    icrc.addresses(source, taps.getFirst().address(), RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.seal(draft.memory(), 0, draft.length());
    return draft;
  }
}
