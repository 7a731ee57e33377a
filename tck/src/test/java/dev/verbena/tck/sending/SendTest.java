package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import java.util.Arrays;

/** SEND and SEND with immediate data on RC, from buffer to buffer. */
final class SendTest {

  @OnEveryLinkAndApi
  @Proves({"PS-003", "PS-007", "PS-036", "WR-009", "WR-075", "S1.1/SEND", "S3.1.7", "S1.7.3"})
  void sendArrivesInTheReceive(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] data = pair.left().fill(0, 100, 1);
      long wrId = 0xfedc_ba98_7654_3210L;
      pair.right().postRecv(-7, pair.right().sge(4096, 100));
      api.post(pair.left().qp(), SendWrs.send(wrId, pair.left().sge(0, 100)));

      assertThat(pair.left().sent(wrId).opcode()).isEqualTo(WcOpcode.SEND);
      WorkCompletion received = pair.right().received(-7);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(received.byteLen()).isEqualTo(100);
      assertThat(received.wcFlags() & (WcFlags.WITH_IMM | WcFlags.WITH_INV)).isZero();
      assertThat(received.slid()).isZero();
      assertThat(received.dlidPathBits()).isZero();
      assertThat(pair.right().bytes(4096, 100)).isEqualTo(data);
    }
  }

  @OnEveryLinkAndApi
  @Proves({
    "PS-041",
    "WR-010",
    "WR-080",
    "WR-105",
    "S1.1/SEND_WITH_IMM",
    "S1.7.3",
    "S1.7.4",
    "S3.1.7"
  })
  void immediateDataArrivesUnchanged(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] data = pair.left().fill(0, 3000, 2);
      pair.right().postRecv(1, pair.right().sge(0, 3000));
      api.post(pair.left().qp(), SendWrs.sendImm(2, 0x80ff_00a5, pair.left().sge(0, 3000)));

      assertThat(pair.left().sent(2).opcode()).isEqualTo(WcOpcode.SEND);
      WorkCompletion received = pair.right().received(1);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(received.hasImm()).isTrue();
      assertThat(received.immData()).isEqualTo(0x80ff_00a5);
      assertThat(received.wcFlags() & WcFlags.WITH_INV).isZero();
      assertThat(received.byteLen()).isEqualTo(3000);
      assertThat(pair.right().bytes(0, 3000)).isEqualTo(data);
    }
  }

  @OnEveryLinkAndApi
  @Proves({
    "S1.7.6", "WR-017", "WR-104", "WR-114", "PS-005", "PS-006", "PS-031", "PS-032", "PS-033",
    "PR-005", "PR-006", "PR-007", "PR-008", "PR-009"
  })
  void oddElementsAreGatheredAndScatteredAcrossPackets(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).mtu(Mtu.MTU_256).open()) {
      byte[] data = pair.left().fill(0, 5001, 3);
      api.post(
          pair.left().qp(),
          SendWrs.send(
              1,
              pair.left().sge(0, 1),
              pair.left().sge(1, 1999),
              pair.left().sge(2000, 0),
              pair.left().sge(2000, 3001)));
      RecvWr receive =
          new RecvWr()
              .wrId(2)
              .sgList(
                  pair.right().sge(20_000, 2777),
                  pair.right().sge(10_001, 3),
                  pair.right().sge(30_000, 3000),
                  pair.right().sge(50_000, 99))
              .numSge(3);
      pair.right().qp().postRecv(receive);

      pair.left().sent(1);
      assertThat(pair.right().received(2).byteLen()).isEqualTo(5001);
      assertThat(pair.right().bytes(20_000, 2777)).isEqualTo(Arrays.copyOf(data, 2777));
      assertThat(pair.right().bytes(10_001, 3)).isEqualTo(Arrays.copyOfRange(data, 2777, 2780));
      assertThat(pair.right().bytes(30_000, 2221)).isEqualTo(Arrays.copyOfRange(data, 2780, 5001));
      assertThat(pair.right().bytes(32_221, 779)).containsOnly(0);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.6")
  void elementsMayOverlapWhenGathered(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] data = pair.left().fill(0, 1500, 4);
      Sge piece = pair.left().sge(0, 1500);
      pair.right().postRecv(1, pair.right().sge(0, 4000));
      api.post(pair.left().qp(), SendWrs.send(2, piece, pair.left().sge(500, 1000), piece));

      pair.left().sent(2);
      assertThat(pair.right().received(1).byteLen()).isEqualTo(4000);
      assertThat(pair.right().bytes(0, 1500)).isEqualTo(data);
      assertThat(pair.right().bytes(1500, 1000)).isEqualTo(Arrays.copyOfRange(data, 500, 1500));
      assertThat(pair.right().bytes(2500, 1500)).isEqualTo(data);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.1")
  void emptyMessagesConsumeReceives(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      pair.right().postRecv(1, pair.right().sge(0, 10));
      pair.right().postRecv(2);
      pair.right().postRecv(3, pair.right().sge(0, 10));
      pair.left().fill(0, 10, 5);
      api.post(pair.left().qp(), SendWrs.send(11));
      api.post(pair.left().qp(), SendWrs.send(12, pair.left().sge(0, 0), pair.left().sge(5, 0)));
      api.post(pair.left().qp(), SendWrs.sendImm(13, 77));

      for (int i = 1; i <= 3; i++) {
        pair.left().sent(10 + i);
        WorkCompletion received = pair.right().received(i);
        assertThat(received.byteLen()).isZero();
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.hasImm()).isEqualTo(i == 3);
      }
      assertThat(pair.right().bytes(0, 10)).containsOnly(0);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S3.1.9")
  void theRestOfALongReceiveIsNotTouched(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] before = pair.right().fill(0, 4000, 6);
      byte[] data = pair.left().fill(0, 1025, 7);
      pair.right().postRecv(1, pair.right().sge(0, 2000), pair.right().sge(2000, 2000));
      api.post(pair.left().qp(), SendWrs.send(2, pair.left().sge(0, 1025)));

      assertThat(pair.right().received(1).byteLen()).isEqualTo(1025);
      pair.left().sent(2);
      assertThat(pair.right().bytes(0, 1025)).isEqualTo(data);
      assertThat(pair.right().bytes(1025, 2975)).isEqualTo(Arrays.copyOfRange(before, 1025, 4000));
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.1.6", "S1.7.7", "PR-001", "PR-003", "PR-004"})
  void receivesAreConsumedInTheOrderTheyWerePosted(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      int count = 60;
      RecvWr next = null;
      for (int i = count - 1; i >= 0; i--) {
        next = new RecvWr().wrId(i).sgList(pair.right().sge(i * 16L, 16)).next(next);
      }
      pair.right().qp().postRecv(next);
      for (int i = 0; i < count; i++) {
        pair.left().setLong(i * 8L, i);
        api.post(pair.left().qp(), SendWrs.send(i, pair.left().sge(i * 8L, 8)));
      }

      for (int i = 0; i < count; i++) {
        pair.left().sent(i);
        assertThat(pair.right().received(i).byteLen()).isEqualTo(8);
        assertThat(pair.right().getLong(i * 16L)).isEqualTo(i);
      }
      pair.right().assertNothingReceived();
    }
  }

  @OnEveryLink
  void everyLengthAroundThePathMtuArrives(TckLink link) {
    for (Mtu mtu : new Mtu[] {Mtu.MTU_256, Mtu.MTU_1024}) {
      try (QpPair pair = PairSetup.on(link).mtu(mtu).open()) {
        int bytes = mtu.bytes();
        for (int length :
            new int[] {1, 2, 3, 4, 5, bytes - 1, bytes, bytes + 1, 2 * bytes, 64 * bytes - 3}) {
          byte[] data = pair.left().fill(0, length, length);
          pair.right().postRecv(length, pair.right().sge(0, length));
          PostingApi.POST_SEND.post(
              pair.left().qp(), SendWrs.send(length, pair.left().sge(0, length)));
          pair.left().sent(length);
          assertThat(pair.right().received(length).byteLen()).isEqualTo(length);
          assertThat(pair.right().bytes(0, length)).isEqualTo(data);
        }
      }
    }
  }
}
