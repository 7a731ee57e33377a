package dev.verbena.soft.device.object;

import dev.verbena.soft.memory.Domain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;

/**
 * A protection domain as the objects made in it know it. A subclass, which knows all of these
 * objects, adds factories.
 */
public abstract class OpenDomain extends SoftObject implements ProtectionDomain, Lifetime.Ending {
  private final OpenContext context;
  private final Domain domain;
  private final Lifetime lifetime;

  /**
   * @param domain identity, which a parent domain shares with the domain below it
   */
  protected OpenDomain(OpenContext context, Domain domain, Lifetime owner, Kind kind) {
    this.context = context;
    this.domain = domain;
    this.lifetime = owner.child(kind, context.nextNumber(), this);
  }

  @Override
  public final OpenContext openContext() {
    return context;
  }

  @Override
  public final Lifetime lifetime() {
    return lifetime;
  }

  /** The identity that regions and queue pairs of this domain share. */
  public final Domain domain() {
    return domain;
  }

  /** Whether several threads may use objects of this domain at the same time. */
  public boolean locks() {
    return true;
  }

  @Override
  public final Runnable release() {
    return Lifetime.NOTHING;
  }

  @Override
  public final void dealloc() {
    lifetime.destroy();
  }
}
