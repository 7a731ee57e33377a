package dev.verbena.soft.device;

import dev.verbena.verbs.ProtectionDomain;

/** An object of a protection domain: what all of these answer in the same way. */
abstract class PdObject extends SoftObject {
  /** The domain, also of an object that is closed. */
  abstract OpenDomain openPd();

  @Override
  final OpenContext openContext() {
    return openPd().openContext();
  }

  /** The object's protection domain. */
  public final ProtectionDomain pd() {
    lifetime().require("pd");
    return openPd();
  }
}
