package dev.verbena.soft.device.object;

import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.util.List;

/** A thread domain of the software device: removes the post guard of queue pairs. */
public final class SoftThreadDomain extends SoftObject implements ThreadDomain, Lifetime.Ending {
  private final OpenContext context;
  private final Lifetime lifetime;

  private SoftThreadDomain(OpenContext context) {
    this.context = context;
    this.lifetime = context.lifetime().child(Kind.TD, context.nextNumber(), this);
  }

  public static SoftThreadDomain create(OpenContext context) {
    SoftThreadDomain td = new SoftThreadDomain(context);
    td.lifetime.begin("allocTd", List.of());
    return td;
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
  public Runnable release() {
    return Lifetime.NOTHING;
  }

  @Override
  public void dealloc() {
    lifetime.destroy();
  }
}
