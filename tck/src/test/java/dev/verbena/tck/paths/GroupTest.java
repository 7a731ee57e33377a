package dev.verbena.tck.paths;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.path.Paths;

/** Multicast groups named by a path. */
final class GroupTest {
  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"PY-146", "PY-148"})
  void aMemberByAPathGetsWhatIsSentByThePath(TckLink link) {
    try (QpPair pair = PairSetup.on(link).type(QpType.UD).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      IbPath group =
          Paths.resolveLocally(
              IbPath.builder(left.context().endPort())
                  .dgid(Addresses.nextGroup())
                  .dqpn(AddressHandle.MULTICAST_QPN)
                  .qkey(PairSetup.QKEY)
                  .build());
      left.qp().establish(group);
      right.qp().establish(group.copy(b -> b.endPort(right.context().endPort())));
      right.qp().attachMcast(group);
      right.postRecv(7, right.sge(0, Grh.LENGTH + 100));
      byte[] data = left.fill(0, 100, 1);
      pair.deliver(
          link,
          PostingApi.POST_SEND,
          SendWrs.send(1, left.sge(0, 100))
              .ah(left.pd().ah(group))
              .remoteQpn(group.dqpn())
              .remoteQkey(group.qkey()));
      assertThat(right.bytes(Grh.LENGTH, 100)).isEqualTo(data);
      right.qp().detachMcast(group);
      Refused.of(() -> right.qp().detachMcast(group), Errno.EINVAL);
    }
  }
}
