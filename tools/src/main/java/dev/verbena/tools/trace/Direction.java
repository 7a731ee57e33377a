package dev.verbena.tools.trace;

import dev.verbena.wire.Address;

/**
 * The way of a packet to a queue pair.
 *
 * @param src address of the sender
 * @param dst address of the receiver
 * @param qpn queue pair of the receiver
 * @param srcQpn queue pair of the sender; {@link #NOT_SAID} but for datagrams
 */
record Direction(Address src, Address dst, int qpn, int srcQpn) {
  /** Only datagrams name the queue pair that sent them. */
  static final int NOT_SAID = -1;

  /**
   * Whether another way leads from the same address to the same queue pair. Of datagrams that
   * cannot be read the sender's queue pair is not known.
   */
  boolean leadsWhere(Direction other) {
    return src.equals(other.src) && dst.equals(other.dst) && qpn == other.qpn;
  }

  /** The same way of a packet that cannot be read. */
  Direction unread() {
    return new Direction(src, dst, qpn, NOT_SAID);
  }

  /** The way of datagrams back. */
  Direction back() {
    return new Direction(/* src= */ dst, /* dst= */ src, /* qpn= */ srcQpn, /* srcQpn= */ qpn);
  }

  /** Such as {@code 10.0.0.2 qp 0x11}. */
  static String end(Address address, int qpn) {
    return address + " qp " + (qpn == NOT_SAID ? "?" : "0x" + Integer.toHexString(qpn));
  }
}
