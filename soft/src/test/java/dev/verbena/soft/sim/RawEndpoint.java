package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.sim.frames.Frame;
import dev.verbena.soft.sim.frames.Rule;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A RAW_PACKET queue pair with its steering rules, and the frames that it must receive. */
final class RawEndpoint extends LoneEndpoint {
  /** A rule of the device, and what it should do. */
  private record Steered(Flow flow, Rule<RawEndpoint> rule) {}

  private final OwnReceives receives;
  private final List<Steered> rules = new ArrayList<>();
  private final Deque<Frame> arrived = new ArrayDeque<>();

  RawEndpoint(Stage stage, Side side, QueuePairEx qp, Scenario scenario) {
    this(
        side,
        qp,
        new FrameDelivery(stage, side),
        new OwnReceives(qp, side, scenario.depth()),
        scenario);
  }

  private RawEndpoint(
      Side side, QueuePairEx qp, FrameDelivery delivery, OwnReceives receives, Scenario scenario) {
    super(side, qp, delivery, receives, scenario);
    this.receives = receives;
    delivery.of(this);
    start();
  }

  @Override
  void start() {
    qp().modify(new QpAttr().qpState(QpState.INIT).portNum(1));
    qp().modify(new QpAttr().qpState(QpState.RTR));
    qp().modify(new QpAttr().qpState(QpState.RTS));
    receives().restart();
    resume(false);
  }

  /** Adds a rule, or removes the oldest one. */
  void changeRules(Rule<RawEndpoint> rule, int most) {
    if (rules.size() < most) {
      rules.add(new Steered(qp().createFlow(rule.attr()), rule));
      from().steering().add(rule);
    } else {
      Steered oldest = rules.removeFirst();
      oldest.flow.close();
      from().steering().remove(oldest.rule);
    }
  }

  /** A frame comes; it is lost if no receive is posted. */
  void arrive(Frame frame) {
    if (receives.posted() > arrived.size()) {
      arrived.add(frame);
    }
  }

  @Override
  void received(WorkCompletion wc) {
    Place place = receives().take(wc);
    if (wc.status() == WcStatus.WR_FLUSH_ERR) {
      return;
    }
    Frame frame = arrived.poll();
    assertThat(frame).as("a frame for %s", wc).isNotNull();
    assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.SUCCESS);
    assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
    byte[] wire = frame.wire();
    assertThat(wc.byteLen()).as("%s", frame).isEqualTo(wire.length);
    boolean valid = frame.packet().hasRightChecksums();
    assertThat(wc.wcFlags()).as("%s", frame).isEqualTo(valid ? WcFlags.IP_CSUM_OK : 0);
    MemorySegment memory = place.memory();
    long at = MemorySegment.ofArray(wire).mismatch(memory.asSlice(0, wire.length));
    assertThat(at).as("first difference of %s", frame).isEqualTo(-1);
    assertThat(Place.isUntouched(memory.asSlice(wire.length))).as("rest of a receive").isTrue();
  }

  /** Checks that every frame was received. */
  void checkAtRest() {
    assertThat(sends().outstanding()).as("requests without completion").isEmpty();
    assertThat(arrived).as("frames that were not received").isEmpty();
  }
}
