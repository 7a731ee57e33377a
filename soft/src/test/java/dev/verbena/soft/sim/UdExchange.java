package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.sim.frames.Network;
import dev.verbena.soft.sim.frames.Packet;
import dev.verbena.soft.sim.frames.Upper;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import java.util.random.RandomGenerator;

/** Several UD queue pairs on both sides; each sends to all, and to itself. */
final class UdExchange extends LoneExchange<UdEndpoint> {
  private static final int PRIVILEGED = 1 << 31;
  private static final int MAX_TSO_HEADER = 64;

  /** Enough tries for one message to pass the worst network. */
  private static final int MOST_TRIES = 200;

  UdExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    super(scenario, random, stage);
    add(stage.left());
    add(stage.right());
    add(dice().isEven() ? stage.left() : stage.right());
  }

  /** Checks that all can reach each other, whatever was lost. */
  @Override
  public void finish() {
    for (UdEndpoint from : endpoints()) {
      for (UdEndpoint to : endpoints()) {
        boolean arrived = false;
        int tries = scenario().faults().isActive() ? MOST_TRIES : 1;
        for (int i = 0; i < tries && !arrived; i++) {
          arrived = reaches(from, to);
        }
        assertThat(arrived).as("a datagram comes through").isTrue();
      }
    }
  }

  private boolean reaches(UdEndpoint from, UdEndpoint to) {
    drive(() -> from.sends().hasRoom(1));
    stage().drainNetwork();
    to.receives().ensure(1);
    Op op = authorOf(from).postClosing((wrId, d) -> datagram(from, to, wrId, true));
    drive(() -> from.sends().isIdle());
    stage().drainNetwork();
    return to.hasReceived(op);
  }

  @Override
  Op unreadable(UdEndpoint from, long wrId) {
    UdEndpoint to = someone();
    Payload payload =
        Payload.gather(from.from(), 1 + dice().below(dice().mtu()), dice()).withUnknownLkeys();
    return new DatagramOp(wrId, false, payload, to)
        .to(to.addressFor(from, to.qkey()))
        .refusedWith(WcStatus.LOC_PROT_ERR);
  }

  /** Mostly a valid one; sometimes one that the destination must drop (S3.3.6). */
  @Override
  Op something(UdEndpoint from, long wrId) {
    UdEndpoint to = someone();
    Op op = dice().oneIn(4) ? segments(from, to, wrId) : datagram(from, to, wrId, dice().isEven());
    switch (dice().below(8)) {
      case 0 -> op.to(to.addressFor(from, to.qkey() ^ 1)).refusedWith(WcStatus.SUCCESS);
      case 1 -> {
        // Stands for the Q_Key of the sender (S1.7.11).
        op.to(to.addressFor(from, PRIVILEGED | dice().below(1 << 16)));
        if (from.qkey() != to.qkey()) {
          op.refusedWith(WcStatus.SUCCESS);
        }
      }
      default -> {}
    }
    return op;
  }

  private Op datagram(UdEndpoint from, UdEndpoint to, long wrId, boolean withImm) {
    Payload payload = Payload.gather(from.from(), dice().packetLength(), dice());
    return new DatagramOp(wrId, withImm, payload, to).to(to.addressFor(from, to.qkey()));
  }

  private Op segments(UdEndpoint from, UdEndpoint to, long wrId) {
    Payload stream = Payload.gather(from.from(), dice().length(), dice()).fromMemory();
    int any = dice().below(1 << 30);
    Packet packet = Packet.of(Network.IPV4, Upper.TCP, 2000, any, stream.data(), true);
    int room = dice().mtu() - DatagramTsoOp.headerLength(packet);
    int mss = TsoOp.FEWEST + dice().below(room - TsoOp.FEWEST);
    return new DatagramTsoOp(wrId, packet, mss, stream, to).to(to.addressFor(from, to.qkey()));
  }

  private void add(Side side) {
    SharedPool pool = side.pool();
    QueuePairEx qp =
        side.pd()
            .createQpEx(
                new QpInitAttr(QpType.UD)
                    .sendCq(side.cq())
                    .recvCq(side.cq())
                    .maxSendWr(scenario().depth())
                    .maxRecvWr(scenario().depth())
                    .maxTsoHeader(MAX_TSO_HEADER)
                    .srq(pool == null || dice().isEven() ? null : pool.srq())
                    .sendOps(SendOps.SEND, SendOps.SEND_WITH_IMM, SendOps.TSO));
    DatagramDelivery datagrams = new DatagramDelivery(scenario().faults());
    int qkey = 0x1000 + dice().below(2);
    add(new UdEndpoint(side, qp, qkey, datagrams, endpoints(), scenario()));
  }
}
