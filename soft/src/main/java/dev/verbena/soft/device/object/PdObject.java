package dev.verbena.soft.device.object;

import dev.verbena.verbs.ProtectionDomain;

/** An object of a protection domain: what all of these answer in the same way. */
public abstract class PdObject extends SoftObject {
  /** The domain, also of an object that is closed. */
  public abstract OpenDomain openPd();

  @Override
  public final OpenContext openContext() {
    return openPd().openContext();
  }

  /** The object's protection domain. */
  public final ProtectionDomain pd() {
    lifetime().require("pd");
    return openPd();
  }
}
