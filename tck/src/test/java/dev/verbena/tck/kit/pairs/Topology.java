package dev.verbena.tck.kit.pairs;

/** Where the two ends of a connection are. */
public enum Topology {
  /** On two devices. */
  TWO_DEVICES,
  /** On one device, opened twice. */
  TWO_CONTEXTS,
  /** In one context, and in one protection domain. */
  ONE_CONTEXT
}
