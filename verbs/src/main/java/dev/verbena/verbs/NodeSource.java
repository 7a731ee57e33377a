package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** Tells what is known of a device and its ports. Any thread may ask. */
public interface NodeSource {
  /** What does not change while the device exists. */
  NodeSnapshot node();

  /**
   * What is known of a port at the moment.
   *
   * @param portNum from 1
   * @throws VerbsException if it cannot be read now
   */
  PortSnapshot port(int portNum);

  /** The device to open for verbs, or null if no provider of verbs has this one. */
  default @Nullable Device device() {
    return null;
  }
}
