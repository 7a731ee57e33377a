package dev.verbena.soft.device;

import dev.verbena.verbs.ProtectionDomain;

/** An object of a protection domain: what all of these answer in the same way. */
abstract class PdObject extends SoftObject {
  /** The domain, also of an object that is closed. */
  abstract SoftProtectionDomain softPd();

  @Override
  final SoftContext softContext() {
    return softPd().softContext();
  }

  /** The object's protection domain. */
  public final ProtectionDomain pd() {
    lifetime().require("pd");
    return softPd();
  }
}
