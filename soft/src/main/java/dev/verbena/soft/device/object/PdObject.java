package dev.verbena.soft.device.object;

import dev.verbena.verbs.ProtectionDomain;

/** An object of a protection domain, with the methods that all of these share. */
public abstract class PdObject extends SoftObject {
  private final OpenDomain madeFrom;

  /** An object in the domain from which it was made. */
  protected PdObject(OpenDomain pd) {
    madeFrom = pd;
  }

  /** The domain, also of a closed object: the one from which it was made, unless it has moved. */
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
