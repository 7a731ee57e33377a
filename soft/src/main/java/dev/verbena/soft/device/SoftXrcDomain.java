package dev.verbena.soft.device;

import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import java.util.List;

/** A context's handle of an XRC domain of the software device. */
final class SoftXrcDomain extends SoftObject implements XrcDomain, Lifetime.Ending {
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

  static SoftXrcDomain open(OpenContext context, XrcShares shares, XrcdInitAttr attr) {
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
  OpenContext openContext() {
    return context;
  }

  @Override
  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public void tearDown() {
    shares.close(share);
  }
}
