package dev.verbena.soft.memory;

/** The identity of a protection domain: what may be used together has the same one. */
public final class Domain {
  /** A domain that is no other. */
  public Domain() {}
}
