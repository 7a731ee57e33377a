package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import java.util.Arrays;

/** RDMA WRITE with and without immediate data on RC. */
@ByPacketsToo
final class RdmaWriteTest {

  @OnEveryLinkAndApi
  @Proves({"PS-007", "PS-011", "PS-012", "PS-046", "WR-007", "WR-060", "S1.1/RDMA_WRITE"})
  void writeStoresInThePeersMemoryAndConsumesNoReceive(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] before = pair.right().fill(0, 6000, 1);
      byte[] data = pair.left().fill(0, 3333, 2);
      pair.right().postRecv(1);
      api.post(pair.left().qp(), SendWrs.write(2, pair.right(), 1001, pair.left().sge(0, 3333)));
      api.post(pair.left().qp(), SendWrs.send(3));

      assertThat(pair.left().sent(2).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
      pair.left().sent(3);
      assertThat(pair.right().received(1).opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(pair.right().bytes(0, 1001)).isEqualTo(Arrays.copyOf(before, 1001));
      assertThat(pair.right().bytes(1001, 3333)).isEqualTo(data);
      assertThat(pair.right().bytes(4334, 1666)).isEqualTo(Arrays.copyOfRange(before, 4334, 6000));
    }
  }

  @OnEveryLinkAndApi
  @Proves({
    "PS-011",
    "PS-012",
    "PS-051",
    "WR-008",
    "WR-070",
    "WR-103",
    "S1.1/RDMA_WRITE_WITH_IMM",
    "S1.7.2",
    "S1.7.3",
    "S1.7.4",
    "S3.1.7"
  })
  void writeWithImmediateConsumesAReceiveButNotItsBuffer(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] data = pair.left().fill(0, 5000, 3);
      byte[] before = pair.right().fill(40_000, 8000, 4);
      pair.right().postRecv(1, pair.right().sge(40_000, 8000));
      api.post(
          pair.left().qp(),
          SendWrs.writeImm(2, 0xcafe_0001, pair.right(), 128, pair.left().sge(0, 5000)));

      assertThat(pair.left().sent(2).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
      WorkCompletion received = pair.right().received(1);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
      assertThat(received.hasImm()).isTrue();
      assertThat(received.wcFlags() & WcFlags.WITH_INV).isZero();
      assertThat(received.immData()).isEqualTo(0xcafe_0001);
      assertThat(received.byteLen()).isEqualTo(5000);
      assertThat(pair.right().bytes(128, 5000)).isEqualTo(data);
      assertThat(pair.right().bytes(40_000, 8000)).isEqualTo(before);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.7.1", "S1.7.2"})
  void emptyWriteWithImmediateConsumesAReceiveWhoseElementsDoNotMatter(
      TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      pair.right().postRecv(1, new Sge(1, 100, pair.right().mr().lkey() ^ 0xff));
      pair.right().postRecv(2);
      api.post(pair.left().qp(), SendWrs.writeImm(3, 5, pair.right(), 0));
      byte[] data = pair.left().fill(0, 2500, 6);
      api.post(pair.left().qp(), SendWrs.writeImm(4, 6, pair.right(), 0, pair.left().sge(0, 2500)));

      pair.left().sent(3);
      WorkCompletion first = pair.right().received(1);
      assertThat(first.byteLen()).isZero();
      assertThat(first.immData()).isEqualTo(5);
      assertThat(first.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
      pair.left().sent(4);
      WorkCompletion second = pair.right().received(2);
      assertThat(second.byteLen()).isEqualTo(2500);
      assertThat(second.immData()).isEqualTo(6);
      assertThat(pair.right().bytes(0, 2500)).isEqualTo(data);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.1")
  void emptyWriteDoesNotLookAtKeyAndAddress(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      api.post(
          pair.left().qp(),
          SendWrs.write(1, pair.right(), 0).rkey(pair.right().rkey() ^ 0xff).remoteAddr(1));
      assertThat(pair.left().sent(1).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
      api.post(
          pair.left().qp(),
          SendWrs.write(2, pair.right(), 0, pair.left().sge(0, 0))
              .rkey(pair.right().rkey() ^ 0xff)
              .remoteAddr(-1));
      pair.left().sent(2);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-102", "WR-114", "S1.7.6"})
  void piecesOfOddLengthsAreWrittenOneBehindTheOther(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).mtu(Mtu.MTU_512).open()) {
      byte[] data = pair.left().fill(0, 10_001, 5);
      api.post(
          pair.left().qp(),
          SendWrs.write(
              1,
              pair.right(),
              7,
              pair.left().sge(0, 513),
              pair.left().sge(513, 2),
              pair.left().sge(515, 9486)));
      pair.left().sent(1);
      assertThat(pair.right().bytes(7, 10_001)).as("the pieces").isEqualTo(data);
      assertThat(pair.right().bytes(10_008, 64)).containsOnly(0);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.7")
  void laterWritesWinAndAreSeenWithAMessageThatFollows(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      int rounds = 20;
      for (int i = 0; i < rounds; i++) {
        byte[] last = pair.left().fill(2000, 2000, i);
        pair.right().postRecv(i);
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.write(3L * i, pair.right(), 0, pair.left().sge(0, 2000)),
                SendWrs.write(3L * i + 1, pair.right(), 0, pair.left().sge(2000, 2000)),
                SendWrs.send(3L * i + 2)));
        pair.right().received(i);
        assertThat(pair.right().bytes(0, 2000)).isEqualTo(last);
        pair.left().sent(3L * i);
        pair.left().sent(3L * i + 1);
        pair.left().sent(3L * i + 2);
      }
    }
  }
}
