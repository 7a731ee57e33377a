package dev.verbena.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.util.Arrays;
import java.util.Random;

/**
 * UC: whole messages or none (S12.7). On a lossy link a message is sent again until one arrives; on
 * others the first must.
 */
final class UcTest {
  private static final int LENGTH = 3000;

  @OnEveryLinkAndApi
  @Proves({"S12.7.2", "S1.7.1", "S1.5.8", "WR-076", "PS-035"})
  void sendArrivesInTheReceive(TckLink link, PostingApi api) {
    for (int length : new int[] {0, 1, 1024, LENGTH}) {
      // One pair for each, because a repeated message may arrive late.
      try (QpPair pair = QpPair.open(link, QpType.UC)) {
        byte[] data = pair.left().fill(0, length, length + 1);
        pair.right().postRecv(7, pair.right().sge(8192, LENGTH));
        WorkCompletion received =
            pair.deliver(link, api, SendWrs.send(1, pair.left().sge(0, length)));
        assertThat(received.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(received.wrId()).isEqualTo(7);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.byteLen()).isEqualTo(length);
        assertThat(received.hasImm()).isFalse();
        assertThat(pair.right().bytes(8192, length)).isEqualTo(data);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S12.7.2", "S1.7.3", "S1.7.4", "WR-081", "PS-040"})
  void immediateDataOfASendArrives(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      pair.right().postRecv(7, pair.right().sge(0, LENGTH));
      SendWr wr = SendWrs.sendImm(1, 0x80ff_00a5, pair.left().sge(0, LENGTH));
      WorkCompletion received = pair.deliver(link, api, wr);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(received.hasImm()).isTrue();
      assertThat(received.immData()).isEqualTo(0x80ff_00a5);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S12.7.2", "WR-061", "PS-045"})
  void writeArrivesInTheMemory(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      byte[] data = pair.left().fill(0, LENGTH, 3);
      SendWr wr = SendWrs.write(1, pair.right(), 4096, pair.left().sge(0, LENGTH));
      pair.post(api, wr);
      Await.until(
          "the data of the WRITE",
          () -> {
            if (link.isFaulty()) {
              pair.post(api, wr);
            }
            // Polling some completion queue makes the device take packets quickly.
            pair.right().assertNothingReceived();
            return Arrays.equals(pair.right().bytes(4096, LENGTH), data);
          });
      assertThat(pair.right().bytes(4096 + LENGTH, 8)).containsOnly(0);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S12.7.2", "S1.7.2", "WR-071", "PS-050"})
  void immediateDataOfAWriteConsumesAReceive(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      byte[] data = pair.left().fill(0, LENGTH, 4);
      pair.right().postRecv(7);
      SendWr wr = SendWrs.writeImm(1, 5, pair.right(), 100, pair.left().sge(0, LENGTH));
      WorkCompletion received = pair.deliver(link, api, wr);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
      assertThat(received.immData()).isEqualTo(5);
      assertThat(received.byteLen()).isEqualTo(LENGTH);
      assertThat(pair.right().bytes(100, LENGTH)).isEqualTo(data);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S12.7.1", "S12.11"})
  void whatArrivesIsWholeAndInOrder(TckLink link, PostingApi api) {
    int messages = 60;
    int room = 4096;
    PairSetup setup = PairSetup.on(link).type(QpType.UC).mtu(Mtu.MTU_256);
    try (QpPair pair = setup.mrBytes((long) messages * room).open()) {
      RecvWr next = null;
      for (int i = messages - 1; i >= 0; i--) {
        next = new RecvWr().wrId(i).sgList(pair.right().sge((long) i * room, room)).next(next);
      }
      pair.right().qp().postRecv(next);
      for (int i = 0; i < messages; i++) {
        byte[] data = message(i);
        pair.left().put(0, data);
        pair.post(api, SendWrs.sendImm(i, i, pair.left().sge(0, data.length)));
      }
      byte[] end = message(messages - 1);
      WorkCompletion wc = new WorkCompletion();
      int arrived = 0;
      for (int last = -1; last < messages - 1; last = wc.immData()) {
        // The last message of all can be lost as well: it is sent again until it arrives.
        Await.until(
            "a message behind " + last,
            () -> {
              if (pair.right().recvCq().poll(wc)) {
                return true;
              }
              if (link.isFaulty()) {
                pair.post(api, SendWrs.sendImm(0, messages - 1, pair.left().sge(0, end.length)));
              }
              return false;
            });
        assertThat(wc.wrId()).isEqualTo(arrived);
        assertThat(wc.immData()).isGreaterThan(last);
        assertThat(pair.right().bytes((long) arrived * room, wc.byteLen()))
            .isEqualTo(message(wc.immData()));
        arrived++;
      }
      if (!link.isFaulty()) {
        assertThat(arrived).isEqualTo(messages);
      }
    }
  }

  /** The bytes of a message of one to twelve packets, unlike those of all others. */
  private static byte[] message(int number) {
    byte[] data = new byte[1 + number * 50];
    new Random(number).nextBytes(data);
    return data;
  }

  @OnEveryLinkAndApi
  @Proves("S1.2/FENCE")
  void aFenceHoldsNothingUp(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      SendWr wr = SendWrs.send(1).sendFlags(SendFlags.SIGNALED | SendFlags.FENCE);
      try {
        api.post(pair.left().qp(), wr);
      } catch (WorkRequestException refusal) {
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        return;
      }
      pair.left().sent(1);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S12.7.2")
  void readsAndAtomicsAreRefused(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      QpEnd left = pair.left();
      for (SendWr wr :
          new SendWr[] {
            SendWrs.read(1, pair.right(), 0, left.sge(0, 8)),
            SendWrs.fetchAdd(2, pair.right(), 0, 1, left.sge(0, 8)),
            SendWrs.compareSwap(3, pair.right(), 0, 1, 2, left.sge(0, 8))
          }) {
        Refused.of(() -> api.post(left.qp(), wr), Errno.EINVAL, Errno.EOPNOTSUPP);
      }
      api.post(left.qp(), SendWrs.send(4));
      left.sent(4);
      left.assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves("S4.5.2")
  void aDrainedSendQueueHoldsRequestsUntilItGoesOn(TckLink link) throws InterruptedException {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      QpEnd left = pair.left();
      pair.post(PostingApi.WR, SendWrs.send(1));
      left.qp().modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
      try (AsyncEvent event = Events.await(left.context(), EventType.SQ_DRAINED)) {
        assertThat(event.qp()).isSameAs(left.qp());
      }
      left.qp().postSend(SendWrs.list(SendWrs.send(2), SendWrs.send(3)));
      left.assertNothingSent();
      left.qp().modify(new QpAttr().qpState(QpState.RTS));
      left.sent(2);
      left.sent(3);
    }
  }

  @OnEveryLink
  @Proves("S4.5.1")
  void theFirstPacketInRtrEstablishesTheConnection(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link).type(QpType.UC);
    try (QpPair pair = setup.openUnconnected()) {
      setup.toInit(pair.right().qp());
      setup.toRtr(pair.right().qp(), pair.left().qp().endpoint());
      setup.connect(pair.left().qp(), pair.right().qp().endpoint());
      pair.right().postRecv(7);
      pair.deliver(link, PostingApi.POST_SEND, SendWrs.send(1));
      try (AsyncEvent event = Events.await(pair.right().context(), EventType.COMM_EST)) {
        assertThat(event.qp()).isSameAs(pair.right().qp());
      }
      assertThat(pair.right().queryState()).isEqualTo(QpState.RTR);
    }
  }
}
