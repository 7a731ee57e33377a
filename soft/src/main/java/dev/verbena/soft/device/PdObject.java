package dev.verbena.soft.device;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.ProtectionDomain;

/** An object of a protection domain: what all of these answer in the same way. */
abstract class PdObject implements SoftObject {
  /** The domain, also of an object that is closed. */
  abstract SoftProtectionDomain softPd();

  @Override
  public final SoftContext softContext() {
    return softPd().softContext();
  }

  /** The object's context. */
  public final Context context() {
    lifetime().require("context");
    return softContext();
  }

  /** The object's protection domain. */
  public final ProtectionDomain pd() {
    lifetime().require("pd");
    return softPd();
  }

  /** Whether the object has ended. */
  public final boolean isClosed() {
    return lifetime().isClosed();
  }

  @Override
  public final String toString() {
    return lifetime().name();
  }
}
