package dev.verbena.soft.device.raw;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.SoftObject;
import dev.verbena.soft.engine.ether.EtherPort;
import dev.verbena.soft.engine.ether.FrameTarget;
import dev.verbena.soft.transport.frames.FlowRule;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.util.List;

/** A steering rule of the software device. */
public final class SoftFlow extends SoftObject implements Flow, Lifetime.Ending {

  private final OpenContext context;
  private final QueuePair qp;
  private final EtherPort ether;
  private final FlowRule<FrameTarget> rule;
  private final Lifetime lifetime;

  private <Q extends SoftObject & QueuePair> SoftFlow(Q qp, FrameTarget target, FlowAttr attr) {
    this.qp = qp;
    context = qp.openContext();
    ether = context.ether();
    lifetime = qp.lifetime().child(Kind.FLOW, context.nextNumber(), this);
    rule = ether.addFlow(attr, target);
  }

  /**
   * Makes a rule.
   *
   * @param qp the queue pair of the rule
   * @param target the receiver of the frames
   */
  public static <Q extends SoftObject & QueuePair> SoftFlow create(
      Q qp, FrameTarget target, FlowAttr attr) {
    FlowChecks.check(qp.qpType(), attr);
    SoftFlow flow = new SoftFlow(qp, target, attr);
    flow.lifetime.begin(FlowChecks.FUNCTION, List.of());
    return flow;
  }

  @Override
  public OpenContext openContext() {
    return context;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public QueuePair qp() {
    lifetime.require("qp");
    return qp;
  }

  @Override
  public Runnable release() {
    return ending(ether, rule);
  }

  private static Runnable ending(EtherPort ether, FlowRule<FrameTarget> rule) {
    return () -> ether.removeFlow(rule);
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
