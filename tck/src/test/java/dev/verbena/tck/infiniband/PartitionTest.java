package dev.verbena.tck.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;

/** Ports with several P_Keys: which of them may communicate. */
final class PartitionTest {
  private static final String TABLE = "pkeys=0xffff,0x8001,0x0001";
  private static final int DEFAULT = 0;
  private static final int FULL = 1;
  private static final int LIMITED = 2;

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void fullMembersTalkToAllOfTheirPartition(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd full = nodes.open(FULL, TABLE);
      QpEnd alsoFull = nodes.open(FULL, TABLE);
      QpEnd limited = nodes.open(LIMITED, TABLE);
      nodes.deliver(full, alsoFull, Nodes.lid(Nodes.lidOf(alsoFull)));
      nodes.deliver(full, limited, Nodes.lid(Nodes.lidOf(limited)));
      nodes.deliver(limited, full, Nodes.lid(Nodes.lidOf(full)));
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void limitedMembersAndStrangersAreDroppedAndCounted(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd sender = nodes.open(LIMITED, TABLE);
      for (int index : new int[] {LIMITED, DEFAULT}) {
        QpEnd receiver = nodes.open(index, TABLE);
        Nodes.postReceive(receiver);
        Await.until(
            "a datagram dropped for its P_Key",
            () -> {
              Nodes.send(sender, receiver.qp().qpNum(), Nodes.lid(Nodes.lidOf(receiver)));
              return receiver.qp().counters().get(Counter.DROPPED_PKEY) > 0;
            });
        assertThat(receiver.context().queryPort(1).badPkeyCntr()).isPositive();
        receiver.assertNothingReceived();
      }
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void anEmptyEntryAndOneBeyondTheTableAreRefused(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.RC)) {
      QpEnd end = nodes.open(DEFAULT, TABLE);
      QpAttr init = new QpAttr().qpState(QpState.INIT).portNum(1).qpAccessFlags(0);
      Refused.of(() -> end.qp().modify(init.pkeyIndex(3)), Errno.EINVAL)
          .from("modifyQp")
          .naming("P_Key index 3 is empty");
      Refused.of(() -> end.qp().modify(init.pkeyIndex(32)), Errno.EINVAL).naming("32 entries");
      end.qp().modify(init.pkeyIndex(LIMITED));
    }
  }
}
