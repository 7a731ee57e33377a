package dev.verbena.soft.device;

/** What every object of this device can tell. */
interface SoftObject {
  /** The context it belongs to. */
  SoftContext softContext();

  /** When it ends. */
  Lifetime lifetime();
}
