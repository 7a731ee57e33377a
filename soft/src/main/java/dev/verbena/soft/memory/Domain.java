package dev.verbena.soft.memory;

/** The identity of a protection domain; objects that may be used together share it. */
public final class Domain {
  /** A new domain. */
  public Domain() {}
}
