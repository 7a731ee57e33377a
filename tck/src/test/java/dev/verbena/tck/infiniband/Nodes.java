package dev.verbena.tck.infiniband;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** Nodes of the subnet, with one queue pair each, and datagrams between them. */
final class Nodes implements AutoCloseable {
  /** Where a receive begins in an end's memory. */
  static final int RECEIVE = 8192;

  /** Bytes of a datagram. */
  static final int LENGTH = 24;

  private final TckLink link;
  private final PairSetup setup;
  private final List<Context> contexts = new ArrayList<>();

  private Nodes(TckLink link, QpType type) {
    this.link = link;
    setup = PairSetup.on(link).type(type).retryCnt(1);
  }

  /** No nodes yet; their queue pairs will be of this type. */
  static Nodes on(TckLink link, QpType type) {
    return new Nodes(link, type);
  }

  PairSetup setup() {
    return setup;
  }

  /** One more node, whose queue pair is in RESET, or if it is UD in RTS with this P_Key. */
  QpEnd open(int pkeyIndex, String... options) {
    DeviceSpec spec = link.device(Addresses.next(), contexts.size());
    for (String option : options) {
      String[] parts = option.split("=", 2);
      spec = spec.option(parts[0], parts[1]);
    }
    Context context = Devices.open(spec);
    contexts.add(context);
    return another(context, pkeyIndex);
  }

  /** One more queue pair. */
  QpEnd another(Context context, int pkeyIndex) {
    QpEnd end = setup.end(context, context.allocPd());
    if (end.qp().qpType() == QpType.UD) {
      QueuePair qp = end.qp();
      QpAttr init = new QpAttr().qpState(QpState.INIT).portNum(1);
      qp.modify(init.pkeyIndex(pkeyIndex).qkey(PairSetup.QKEY));
      qp.modify(new QpAttr().qpState(QpState.RTR));
      qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(1));
    }
    return end;
  }

  /** Without a global route to this LID. */
  static AhAttr lid(int lid) {
    return AhAttr.to(Gid.ZERO).withDlid(lid).withoutGrh();
  }

  static int lidOf(QpEnd end) {
    return end.context().queryPort(1).lid();
  }

  /** Sends a datagram, repeatedly on a lossy link, until the receiver's one receive has it. */
  WorkCompletion deliver(QpEnd from, QpEnd to, AhAttr address) {
    postReceive(to);
    from.fill(0, LENGTH, 7);
    AddressHandle ah = from.pd().createAh(address);
    WorkCompletion received =
        new QpPair(from, to)
            .deliver(
                link, PostingApi.POST_SEND, from.to(to, ah, SendWrs.send(1, from.sge(0, LENGTH))));
    ah.destroy();
    return received.orThrow();
  }

  /** Sends one datagram. */
  static void send(QpEnd from, int qpn, AhAttr address) {
    AddressHandle ah = from.pd().createAh(address);
    from.qp()
        .postSend(
            SendWrs.send(1, from.sge(0, LENGTH)).ah(ah).remoteQpn(qpn).remoteQkey(PairSetup.QKEY));
    from.sent(1);
    ah.destroy();
  }

  static void postReceive(QpEnd end) {
    end.postRecv(7, end.sge(RECEIVE, Grh.LENGTH + LENGTH));
  }

  @Override
  public void close() {
    contexts.forEach(Context::close);
  }
}
