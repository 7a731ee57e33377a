package dev.verbena.soft.device;

import dev.verbena.soft.engine.ether.EtherPort;
import dev.verbena.soft.engine.ether.FrameTarget;
import dev.verbena.soft.transport.frames.FlowRule;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.QueuePair;
import java.util.List;

/** A steering rule of the software device. */
final class SoftFlow extends SoftObject implements Flow, Lifetime.Ending {

  private final SoftQueuePair qp;
  private final EtherPort ether;
  private final FlowRule<FrameTarget> rule;
  private final Lifetime lifetime;

  private SoftFlow(SoftQueuePair qp, FlowAttr attr) {
    this.qp = qp;
    SoftContext context = qp.softContext();
    ether = context.ether();
    lifetime = qp.lifetime().child(Kind.FLOW, context.nextNumber(), this);
    rule = ether.addFlow(attr, qp.frameTarget());
  }

  static SoftFlow create(SoftQueuePair qp, FlowAttr attr) {
    FlowChecks.check(qp.qpType(), attr);
    SoftFlow flow = new SoftFlow(qp, attr);
    flow.lifetime.begin(FlowChecks.FUNCTION, List.of());
    return flow;
  }

  @Override
  SoftContext softContext() {
    return qp.softContext();
  }

  @Override
  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public QueuePair qp() {
    lifetime.require("qp");
    return qp;
  }

  @Override
  public void tearDown() {
    ether.removeFlow(rule);
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
