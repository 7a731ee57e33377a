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
   * Whether the device loses packets on purpose to a peer that is in this process, too (the option
   * {@code faults}). {@link QueuePair#connect} then sets a short time-out.
   */
  boolean hasFaultsTowards(Gid peer);

  /**
   * Opens the device (ibv_open_device).
   *
   * @throws VerbsException ENODEV, EADDRINUSE, EADDRNOTAVAIL, EACCES or another error number of the
   *     provider; EBUSY if it is open in this process with other options
   */
  Context open();
}
