package dev.verbena.verbs;

import java.util.Locale;

/** How a software device reaches its peers; the {@code link} option of a {@link DeviceSpec}. */
public enum LinkKind {
  /**
   * Whole messages inside this process. Memory shared with other processes of the same user on this
   * computer, for connected queue pairs, where both devices have this link, the same network
   * namespace, Linux and native access; then WRITEs, READs and atomics are as with SHM. UDP to all
   * others, and for datagrams. {@link Context#links} says what is possible. With faults or a
   * capture everything goes by UDP, and with a log of packets all that leaves this process.
   */
  AUTO,
  /**
   * Packets in memory inside this process; other processes cannot be reached. Both ends need this
   * link: a device with another link is not on this network.
   */
  PACKET,
  /** UDP for every peer, this process included. */
  UDP,
  /**
   * Memory shared with the processes of the same user on this computer, this process included;
   * nobody else is reached. On Linux, and where native access is allowed. As with PACKET, both ends
   * need it, and the address need not be one of this computer. It needs no port. WRITEs and READs
   * of an RC queue pair, of memory from {@link ProtectionDomain#allocMr} at the peer, are one copy,
   * and atomics one of the processor.
   */
  SHM;

  /** The text in a specification: "auto", "packet", "udp", "shm". */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind with this text.
   *
   * @throws VerbsException EINVAL, naming the known kinds
   */
  public static LinkKind parse(String text) {
    for (LinkKind kind : values()) {
      if (kind.key().equals(text)) {
        return kind;
      }
    }
    throw new VerbsException(
        "link", Errno.EINVAL, "'" + text + "' is not a link; known: auto, packet, udp, shm");
  }
}
