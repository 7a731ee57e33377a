package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** Provides information about a device and its ports. Safe for use by any thread. */
public interface NodeSource {
  /** The properties that do not change while the device exists. */
  NodeSnapshot node();

  /**
   * The current state of a port.
   *
   * @param portNum from 1
   * @throws VerbsException if it cannot be read at present
   */
  PortSnapshot port(int portNum);

  /** The device to open for verbs, or null if no verbs provider has it. */
  default @Nullable Device device() {
    return null;
  }
}
