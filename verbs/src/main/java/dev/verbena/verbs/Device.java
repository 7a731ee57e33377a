package dev.verbena.verbs;

/**
 * A device that can be opened (struct ibv_device). It stays valid for as long as it is referenced.
 */
public interface Device {
  /** Name, at most 63 characters, such as "soft0". */
  String name();

  /** Node GUID as a number; big-endian in C (ibv_get_device_guid). */
  long guid();

  /** Kind of node. */
  NodeType nodeType();

  /** Transport. */
  TransportType transportType();

  /** The specification with which this device can be opened again. */
  DeviceSpec spec();

  /**
   * Whether the device loses packets on purpose (the option {@code faults}: drop or corrupt).
   * {@link QueuePair#connect} to the device itself then sets a short time-out. Not if packets may
   * also be delayed for longer than a millisecond: they would be taken for lost.
   */
  default boolean losesPackets() {
    return false;
  }

  /**
   * Opens the device (ibv_open_device).
   *
   * @throws VerbsException ENODEV, EADDRINUSE, EADDRNOTAVAIL, EACCES or another error number of the
   *     provider; EBUSY if it is open in this process with other options
   */
  Context open();
}
