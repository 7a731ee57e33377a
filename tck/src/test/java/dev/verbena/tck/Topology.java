package dev.verbena.tck;

/** Where the two ends of a connection are. */
enum Topology {
  /** On two devices. */
  TWO_DEVICES,
  /** On one device that was opened twice. */
  TWO_CONTEXTS,
  /** In one context, and in one protection domain. */
  ONE_CONTEXT
}
