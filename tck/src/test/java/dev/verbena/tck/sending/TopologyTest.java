package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.Topology;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;

/** Connections inside one device, down to a queue pair that is its own peer. */
@ByPacketsToo
final class TopologyTest {

  @OnEveryLinkAndApi
  @Proves("S1.7.13")
  void twoContextsOfOneDeviceMayBeConnected(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).topology(Topology.TWO_CONTEXTS).open()) {
      assertEverythingWorks(pair, api);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.13")
  void twoQueuePairsOfOneContextMayBeConnected(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).topology(Topology.ONE_CONTEXT).open()) {
      assertEverythingWorks(pair, api);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.13")
  void aQueuePairMayBeItsOwnPeer(TckLink link, PostingApi api) {
    PairSetup setup = PairSetup.on(link);
    try (Context context = Devices.open(link.device())) {
      QpEnd end = setup.end(context, context.allocPd());
      setup.connect(end.qp(), end.qp().endpoint());
      assertEverythingWorks(new QpPair(end, end), api);
    }
  }

  private static void assertEverythingWorks(QpPair pair, PostingApi api) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    for (int i = 0; i < 10; i++) {
      byte[] data = left.fill(0, 4000, i);
      right.setLong(32_000, i);
      right.postRecv(1, right.sge(10_000, 4000));
      right.postRecv(2);
      api.post(
          left.qp(),
          SendWrs.list(
              SendWrs.send(1, left.sge(0, 4000)),
              SendWrs.writeImm(2, i, right, 16_000, left.sge(0, 4000)),
              SendWrs.read(3, right, 16_000, left.sge(24_000, 4000)),
              SendWrs.fetchAdd(4, right, 32_000, 10, left.sge(40_000, 8))));
      for (int wrId = 1; wrId <= 4; wrId++) {
        left.sent(wrId);
      }
      right.received(1);
      assertThat(right.received(2).immData()).isEqualTo(i);
      assertThat(right.bytes(10_000, 4000)).isEqualTo(data);
      assertThat(right.bytes(16_000, 4000)).isEqualTo(data);
      assertThat(left.bytes(24_000, 4000)).isEqualTo(data);
      assertThat(left.getLong(40_000)).isEqualTo(i);
      assertThat(right.getLong(32_000)).isEqualTo(i + 10);
    }
  }
}
