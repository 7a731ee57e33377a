package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.SoftObject;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.util.List;

/** A context's handle of an XRC domain of the software device. */
public final class SoftXrcDomain extends SoftObject implements XrcDomain, Lifetime.Ending {
  private final OpenContext context;
  private final XrcShares shares;
  private final XrcShare share;
  private final Lifetime lifetime;

  private SoftXrcDomain(OpenContext context, XrcShares shares, XrcShare share) {
    this.context = context;
    this.shares = shares;
    this.share = share;
    this.lifetime = context.lifetime().child(Kind.XRCD, context.nextNumber(), this);
  }

  public static SoftXrcDomain open(OpenContext context, XrcShares shares, XrcdInitAttr attr) {
    context.lifetime().require("openXrcd");
    SoftXrcDomain xrcd = new SoftXrcDomain(context, shares, shares.open(attr));
    xrcd.lifetime.begin("openXrcd", List.of());
    return xrcd;
  }

  /** The domain itself. */
  XrcShare share() {
    return share;
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
    return ending(shares, share);
  }

  private static Runnable ending(XrcShares shares, XrcShare share) {
    return () -> shares.close(share);
  }
}
