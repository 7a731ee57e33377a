package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;

/**
 * Invalidation on unreliable connections, which do not report a refused key: data written with an
 * invalid key is missing when later data has arrived.
 */
final class MwUnreliableTest {

  @OnEveryLinkAndApi
  @Proves({
    "PS-070",
    "PS-075",
    "WR-004",
    "WR-005",
    "WR-046",
    "WR-051",
    "S5.3.9",
    "S1.5.4",
    "S1.1/LOCAL_INV"
  })
  void aWindowThatItsOwnerInvalidatesIsDead(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.unreliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int dead = MwSetup.bound(right, api, mw, 1, mr, MwSetup.RIGHTS);
      writeUntilItArrives(pair, api, dead, mr, 0, 11);
      api.post(right.qp(), MwSetup.invalidate(5, dead));
      assertThat(right.sent(5).opcode()).isEqualTo(WcOpcode.LOCAL_INV);

      write(pair, api, dead, mr, 0, 12);
      // Only an unbound window can be bound.
      writeUntilItArrives(
          pair, api, MwSetup.bound(right, api, mw, 2, mr, MwSetup.RIGHTS), mr, 8, 13);
      assertThat(word(mr, 0)).as("what was written before").isEqualTo(11);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-080", "WR-086", "WR-011", "S1.1.a", "S1.7.5", "S1.5.4", "S1.1/SEND_WITH_INV"})
  void aWindowThatThePeerInvalidatesIsDead(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.unreliable(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int dead = MwSetup.bound(right, api, mw, 1, mr, MwSetup.RIGHTS);
      writeUntilItArrives(pair, api, dead, mr, 0, 11);

      byte[] data = left.fill(64, 3000, 7);
      right.postRecv(7, right.sge(0, 3000));
      WorkCompletion received = new WorkCompletion();
      // A repetition of one that has arrived names an invalid key, and is dropped.
      Await.until(
          "a SEND_WITH_INV to arrive",
          () -> {
            api.post(left.qp(), MwSetup.sendInv(6, dead, left.sge(64, 3000)));
            assertThat(left.sent(6).opcode()).isEqualTo(WcOpcode.SEND);
            return right.recvCq().poll(received);
          });
      assertThat(received.wrId()).isEqualTo(7);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(received.wcFlags()).isEqualTo(WcFlags.WITH_INV);
      assertThat(received.invalidatedRkey()).isEqualTo(dead);
      assertThat(right.bytes(0, 3000)).isEqualTo(data);

      write(pair, api, dead, mr, 0, 12);
      writeUntilItArrives(
          pair, api, MwSetup.bound(right, api, mw, 2, mr, MwSetup.RIGHTS), mr, 8, 13);
      assertThat(word(mr, 0)).as("what was written before").isEqualTo(11);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.6/04")
  void aKeyThatIsNotBoundStopsTheSendQueueOnly(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.unreliable(link).open()) {
      QpEnd right = pair.right();
      api.post(right.qp(), MwSetup.invalidate(5, MwSetup.type2(right).rkey()));
      right.awaitSend(5, WcStatus.LOC_QP_OP_ERR);
      right.awaitState(QpState.SQE);
    }
  }

  private static void writeUntilItArrives(
      QpPair pair, PostingApi api, int key, MemoryRegion mr, long offset, long value) {
    Await.until(
        "a WRITE to arrive",
        () -> {
          write(pair, api, key, mr, offset, value);
          return word(mr, offset) == value;
        });
  }

  private static void write(
      QpPair pair, PostingApi api, int key, MemoryRegion mr, long offset, long value) {
    pair.left().setLong(0, value);
    api.post(pair.left().qp(), MwSetup.write(3, pair, key, mr.addr() + offset));
    pair.left().sent(3);
  }

  private static long word(MemoryRegion mr, long offset) {
    return mr.memory().get(ValueLayout.JAVA_LONG, offset);
  }
}
