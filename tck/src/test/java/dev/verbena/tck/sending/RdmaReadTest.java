package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import java.util.Arrays;

/** RDMA READ on RC. */
@ByPacketsToo
final class RdmaReadTest {

  @OnEveryLinkAndApi
  @Proves({
    "PS-007",
    "PS-011",
    "PS-012",
    "PS-056",
    "WR-006",
    "WR-055",
    "WR-101",
    "S1.1/RDMA_READ",
    "S1.5.5",
    "S1.7.6",
    "S1.7.8"
  })
  void readLandsInTheElementsInOrder(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).mtu(Mtu.MTU_512).open()) {
      byte[] data = pair.right().fill(3, 10_000, 1);
      pair.right().postRecv(9);
      api.post(
          pair.left().qp(),
          SendWrs.read(
              1,
              pair.right(),
              3,
              pair.left().sge(20_000, 4097),
              pair.left().sge(5, 3),
              pair.left().sge(30_000, 5900)));

      WorkCompletion read = pair.left().sent(1);
      assertThat(read.opcode()).isEqualTo(WcOpcode.RDMA_READ);
      assertThat(read.byteLen()).isEqualTo(10_000);
      assertThat(pair.left().bytes(20_000, 4097)).isEqualTo(Arrays.copyOf(data, 4097));
      assertThat(pair.left().bytes(5, 3)).isEqualTo(Arrays.copyOfRange(data, 4097, 4100));
      assertThat(pair.left().bytes(30_000, 5900)).isEqualTo(Arrays.copyOfRange(data, 4100, 10_000));
      assertThat(pair.left().bytes(35_900, 100)).containsOnly(0);
      pair.right().assertNothingReceived();
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.1")
  void emptyReadCompletesAndDoesNotLookAtKeyAndAddress(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      SendWr bare = SendWrs.read(1, pair.right(), 0).rkey(pair.right().rkey() ^ 0xff);
      api.post(pair.left().qp(), bare.remoteAddr(1));
      WorkCompletion read = pair.left().sent(1);
      assertThat(read.opcode()).isEqualTo(WcOpcode.RDMA_READ);
      assertThat(read.byteLen()).isZero();
      api.post(pair.left().qp(), SendWrs.read(2, pair.right(), 0, pair.left().sge(0, 0)));
      assertThat(pair.left().sent(2).byteLen()).isZero();
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.7.7", "S1.7.8"})
  void readSeesWhatEarlierRequestsWrote(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      for (int i = 0; i < 20; i++) {
        byte[] data = pair.left().fill(0, 4000, i);
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.write(2L * i, pair.right(), 100, pair.left().sge(0, 4000)),
                SendWrs.read(2L * i + 1, pair.right(), 100, pair.left().sge(8000, 4000))));
        pair.left().sent(2L * i);
        pair.left().sent(2L * i + 1);
        assertThat(pair.left().bytes(8000, 4000)).isEqualTo(data);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-121", "PS-089", "S1.2/FENCE"})
  void fencedRequestsStartWhenEarlierReadsHaveLanded(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      for (int i = 0; i < 20; i++) {
        byte[] data = pair.right().fill(0, 6000, i);
        Sge buffer = pair.left().sge(0, 6000);
        SendWr copy = SendWrs.write(2L * i + 1, pair.right(), 10_000, buffer);
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.read(2L * i, pair.right(), 0, buffer),
                copy.sendFlags(SendFlags.SIGNALED | SendFlags.FENCE)));
        pair.left().sent(2L * i);
        pair.left().sent(2L * i + 1);
        assertThat(pair.right().bytes(10_000, 6000)).isEqualTo(data);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-121", "PS-089", "S1.2/FENCE"})
  void fencedRequestsStartWhenEarlierAtomicsHaveLanded(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      for (int i = 0; i < 20; i++) {
        pair.right().setLong(0, 1000 + i);
        pair.right().postRecv(i, pair.right().sge(8, 8));
        SendWr report = SendWrs.send(2L * i + 1, pair.left().sge(0, 8));
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.fetchAdd(2L * i, pair.right(), 0, 1, pair.left().sge(0, 8)),
                report.sendFlags(SendFlags.SIGNALED | SendFlags.FENCE)));
        pair.left().sent(2L * i);
        pair.left().sent(2L * i + 1);
        pair.right().received(i);
        assertThat(pair.right().getLong(8)).isEqualTo(1000 + i);
      }
    }
  }

  @OnEveryLink
  void moreReadsThanMayBeOutstandingAllComplete(TckLink link) {
    try (QpPair pair = PairSetup.on(link).maxRdAtomic(2).maxDestRdAtomic(2).open()) {
      int count = 40;
      byte[] data = pair.right().fill(0, count * 1500, 8);
      for (int i = 0; i < count; i++) {
        pair.left()
            .qp()
            .postSend(SendWrs.read(i, pair.right(), i * 1500L, pair.left().sge(i * 1500L, 1500)));
      }
      for (int i = 0; i < count; i++) {
        assertThat(pair.left().sent(i).byteLen()).isEqualTo(1500);
      }
      assertThat(pair.left().bytes(0, data.length)).isEqualTo(data);
    }
  }
}
