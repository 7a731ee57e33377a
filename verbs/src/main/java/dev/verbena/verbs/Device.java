package dev.verbena.verbs;

/** A device that can be opened (struct ibv_device). Stays valid however long it is kept. */
public interface Device {
  /** Name, at most 63 characters, such as "soft0". */
  String name();

  /** Node GUID as a number; C keeps it big-endian (ibv_get_device_guid). */
  long guid();

  /** Kind of node. */
  NodeType nodeType();

  /** Transport. */
  TransportType transportType();

  /** The specification that opens this device again. */
  DeviceSpec spec();

  /**
   * Opens the device (ibv_open_device).
   *
   * @throws VerbsException ENODEV, EADDRINUSE, EADDRNOTAVAIL, EACCES or another error number of the
   *     provider; EBUSY if it is open in this process with other options
   */
  Context open();
}
