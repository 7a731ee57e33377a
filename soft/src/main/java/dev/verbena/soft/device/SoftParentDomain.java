package dev.verbena.soft.device;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.SoftThreadDomain;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.ObjectRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parent domain: another domain's identity, with a thread domain (S11.8). */
final class SoftParentDomain extends SoftProtectionDomain implements ParentDomain {
  private final SoftProtectionDomain pd;
  private final @Nullable SoftThreadDomain td;

  private SoftParentDomain(
      OpenContext context, SoftProtectionDomain pd, @Nullable SoftThreadDomain td) {
    super(context, pd.domain(), pd.lifetime(), Kind.PARENT_DOMAIN);
    this.pd = pd;
    this.td = td;
  }

  static SoftParentDomain create(
      OpenContext context, ProtectionDomain pd, @Nullable ThreadDomain td) {
    String function = "allocParentDomain";
    context.lifetime().require(function);
    SoftProtectionDomain below = context.own(function, pd, SoftProtectionDomain.class);
    ObjectRules.underParent(function, below);
    SoftThreadDomain threads =
        td == null ? null : context.own(function, td, SoftThreadDomain.class);
    SoftParentDomain parent = new SoftParentDomain(context, below, threads);
    parent.lifetime().begin(function, threads == null ? List.of() : List.of(threads.lifetime()));
    return parent;
  }

  @Override
  public boolean locks() {
    return td == null;
  }

  @Override
  public ProtectionDomain pd() {
    lifetime().require("pd");
    return pd;
  }

  @Override
  public @Nullable ThreadDomain td() {
    lifetime().require("td");
    return td;
  }
}
