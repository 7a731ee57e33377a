package dev.verbena.tck.datagrams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;

/** Special queue pair numbers in datagrams, which no queue pair has. */
final class SpecialQpnTest {
  private static final int MULTICAST = 0xffffff;
  private static final int BYTES = 64;
  private static final int GRH = Grh.LENGTH;

  @OnEveryLinkAndApi(of = LinkLayer.ETHERNET)
  @Proves("S1.7.12")
  void theHighestNumberIsTheGroupAndTheLowestTwoAreNobody(TckLink link, PostingApi api) {
    Gid group = Addresses.nextGroup();
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd right = pair.right();
      right.qp().attachMcast(group, 0);
      AddressHandle toGroup = pair.left().pd().createAh(AhAttr.to(group));
      AddressHandle toPeer = pair.left().ahTo(right);
      right.postRecv(1, right.sge(0, BYTES));
      right.postRecv(2, right.sge(BYTES, BYTES));

      send(pair, api, toPeer, 0, 10);
      send(pair, api, toPeer, 1, 11);
      assertThat(sendUntilReceived(pair, api, toGroup, MULTICAST, 12).wrId()).isEqualTo(1);
      assertThat(right.getLong(GRH)).as("what nobody was sent is not there").isEqualTo(12);
    }
  }

  private static WorkCompletion sendUntilReceived(
      QpPair pair, PostingApi api, AddressHandle ah, int qpn, long value) {
    WorkCompletion wc = new WorkCompletion();
    Await.until(
        "a datagram for " + Integer.toHexString(qpn),
        () -> {
          send(pair, api, ah, qpn, value);
          return pair.right().recvCq().poll(wc);
        });
    return wc;
  }

  private static void send(QpPair pair, PostingApi api, AddressHandle ah, int qpn, long value) {
    QpEnd left = pair.left();
    left.setLong(0, value);
    SendWr wr = SendWrs.send(value, left.sge(0, Long.BYTES));
    api.post(left.qp(), wr.ah(ah).remoteQpn(qpn).remoteQkey(PairSetup.QKEY));
    left.sent(value);
  }
}
