package dev.verbena.soft.device;

import dev.verbena.verbs.ThreadDomain;
import java.util.List;

/** A thread domain of the software device: removes the post guard of queue pairs. */
final class SoftThreadDomain extends SoftObject implements ThreadDomain, Lifetime.Ending {
  private final SoftContext context;
  private final Lifetime lifetime;

  private SoftThreadDomain(SoftContext context) {
    this.context = context;
    this.lifetime = context.lifetime().child(Kind.TD, context.nextNumber(), this);
  }

  static SoftThreadDomain create(SoftContext context) {
    SoftThreadDomain td = new SoftThreadDomain(context);
    td.lifetime.begin("allocTd", List.of());
    return td;
  }

  @Override
  SoftContext softContext() {
    return context;
  }

  @Override
  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public void tearDown() {
    // Holds nothing of its own.
  }

  @Override
  public void dealloc() {
    lifetime.destroy();
  }
}
