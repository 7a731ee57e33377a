package dev.verbena.soft.device.object;

import dev.verbena.verbs.ProtectionDomain;

/** An object of a protection domain: what all of these answer in the same way. */
public abstract class PdObject extends SoftObject {
  private final OpenDomain madeFrom;

  /** In the domain from which it was made. */
  protected PdObject(OpenDomain pd) {
    madeFrom = pd;
  }

  /**
   * The domain, also of an object that is closed: the one it was made from, unless it has moved.
   */
  public OpenDomain openPd() {
    return madeFrom;
  }

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
