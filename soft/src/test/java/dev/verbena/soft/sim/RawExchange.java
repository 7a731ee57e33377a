package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.sim.frames.Frame;
import dev.verbena.soft.sim.frames.Network;
import dev.verbena.soft.sim.frames.Packet;
import dev.verbena.soft.sim.frames.Rule;
import dev.verbena.soft.sim.frames.Upper;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Several RAW_PACKET queue pairs on both sides, whose frames go where the steering rules say. */
final class RawExchange extends LoneExchange<RawEndpoint> {
  private static final int MOST_RULES = 3;

  /** Ethernet with a tag, IPv6, and TCP. */
  private static final int MAX_TSO_HEADER = 18 + 40 + 20;

  private static final int PIECES = 5;

  private static final long GROUP = 0x0300_0000_0001L;
  private static final long NOBODY = 0x0200_0000_0002L;
  private static final int PORT = 2000;

  RawExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    super(scenario, random, stage);
    add(stage.left());
    add(stage.right());
    add(dice().isEven() ? stage.left() : stage.right());
  }

  private void add(Side side) {
    QueuePairEx qp =
        side.pd()
            .createQpEx(
                new QpInitAttr(QpType.RAW_PACKET)
                    .sendCq(side.cq())
                    .recvCq(side.cq())
                    .maxSendWr(scenario().depth())
                    .maxRecvWr(scenario().depth())
                    .maxSendSge(PIECES)
                    .maxTsoHeader(MAX_TSO_HEADER)
                    .sendOps(SendOps.SEND, SendOps.TSO));
    RawEndpoint endpoint = new RawEndpoint(stage(), side, qp, scenario());
    add(endpoint);
    endpoint.changeRules(forStation(endpoint), MOST_RULES);
  }

  @Override
  public void act() {
    if (dice().oneIn(12)) {
      RawEndpoint endpoint = someone();
      stage().poll();
      endpoint.changeRules(rule(endpoint), 1 + dice().below(MOST_RULES));
    } else {
      super.act();
      sendRest(stage().left());
      sendRest(stage().right());
    }
  }

  /**
   * Lets all posted frames leave before there are more receives or other rules. A post sends only
   * so many at once, and TSO may make more of a few requests; the device sends the rest in its next
   * turns.
   */
  private void sendRest(Side side) {
    stage().stepUntil(() -> sent(side) >= side.steering().sent());
    assertThat(sent(side)).as("frames sent").isEqualTo(side.steering().sent());
  }

  private static long sent(Side side) {
    return side.context().counters().get(Counter.FRAMES_SENT);
  }

  /** Checks that no frame was lost. */
  @Override
  public void finish() {
    for (RawEndpoint endpoint : endpoints()) {
      drive(() -> endpoint.sends().hasRoom(1));
      endpoints().forEach(each -> each.receives().ensure(1));
      authorOf(endpoint).postClosing((wrId, dice) -> frame(endpoint, wrId));
      drive(() -> endpoint.sends().isIdle());
    }
    endpoints().forEach(RawEndpoint::checkAtRest);
  }

  @Override
  Op something(RawEndpoint from, long wrId) {
    return dice().oneIn(3) ? segments(from, wrId) : frame(from, wrId);
  }

  @Override
  Op unreadable(RawEndpoint from, long wrId) {
    Frame frame = frame(from, new byte[0], Network.NONE, Upper.TCP, false);
    Payload payload = Payload.gather(from.from(), 100, dice()).withUnknownLkeys();
    return new FrameOp(wrId, frame, payload, false).refusedWith(WcStatus.LOC_PROT_ERR);
  }

  private Op frame(RawEndpoint from, long wrId) {
    Payload body = Payload.gather(from.from(), dice().packetLength(), dice());
    Network network = dice().among(Network.values());
    Frame frame = frame(from, body.data(), network, dice().among(Upper.values()), dice().isEven());
    byte[] header = Arrays.copyOf(frame.bytes(), frame.headerLength());
    return new FrameOp(wrId, frame, from.behind(wrId, header, body), dice().isEven());
  }

  private Op segments(RawEndpoint from, long wrId) {
    Payload stream = Payload.gather(from.from(), dice().length(), dice()).fromMemory();
    Network network = dice().isEven() ? Network.IPV4 : Network.IPV6;
    Frame frame = frame(from, stream.data(), network, Upper.TCP, false);
    return new FrameTsoOp(wrId, frame, TsoOp.FEWEST + dice().below(dice().mtu()), stream);
  }

  private Frame frame(RawEndpoint from, byte[] data, Network network, Upper upper, boolean sealed) {
    int any = dice().below(1 << 30);
    Packet packet = Packet.of(network, upper, PORT + dice().below(2), any, data, sealed);
    return new Frame(station(), from.from().steering().station(), dice().below(3), packet);
  }

  private long station() {
    return switch (dice().below(8)) {
      case 0 -> NOBODY;
      case 1, 2 -> GROUP;
      case 3, 4 -> stage().left().steering().station();
      default -> stage().right().steering().station();
    };
  }

  private Rule<RawEndpoint> forStation(RawEndpoint endpoint) {
    long own = endpoint.from().steering().station();
    return new Rule<>(FlowAttrType.NORMAL, 1, true, false, own, null, null, 0, 0, endpoint);
  }

  private Rule<RawEndpoint> rule(RawEndpoint endpoint) {
    return switch (dice().below(10)) {
      case 0 -> Rule.of(FlowAttrType.SNIFFER, endpoint);
      case 1 -> Rule.of(FlowAttrType.ALL_DEFAULT, endpoint);
      case 2 -> Rule.of(FlowAttrType.MC_DEFAULT, endpoint);
      case 3, 4 -> forStation(endpoint);
      default ->
          new Rule<>(
              FlowAttrType.NORMAL,
              dice().below(3),
              !dice().oneIn(4),
              dice().oneIn(8),
              dice().isEven() ? station() : null,
              dice().isEven() ? dice().among(Network.values()) : null,
              dice().isEven() ? dice().among(Upper.values()) : null,
              PORT + dice().below(2),
              dice().below(3),
              endpoint);
    };
  }
}
