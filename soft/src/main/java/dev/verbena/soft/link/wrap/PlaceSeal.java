package dev.verbena.soft.link.wrap;

import dev.verbena.wire.Address;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.RxeFlushIcrc;
import java.lang.foreign.MemorySegment;

/**
 * Gives a packet that changes its place in a run the ICRC that goes with the new place. Over IPv4
 * the ICRC covers the IP ID, and a link counts the IDs of a run up from 0 ({@link
 * dev.verbena.soft.link.Link#mostSegments}).
 */
final class PlaceSeal {
  private final Icrc icrc = new Icrc();
  private final Address source;

  /**
   * @param source address of the sender
   */
  PlaceSeal(Address source) {
    this.source = source;
  }

  /**
   * Moves a packet whose ICRC is right for its place. A FLUSH keeps the form that its ICRC has.
   *
   * @param packet memory that starts with it
   * @param length bytes with ICRC
   * @param from which of its run it was, from 0
   * @param to which it will be
   */
  void move(MemorySegment packet, int length, Address destination, int from, int to) {
    boolean hasId = source.isIpv4() && destination.isIpv4();
    if (from == to || !hasId || length < RocePacket.MIN_LENGTH) {
      return;
    }
    icrc.addresses(source, destination, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.identification(from, true);
    boolean asRxe =
        RxeFlushIcrc.appliesTo(packet, 0)
            && Icrc.read(packet, length - RocePacket.ICRC_LENGTH)
                == RxeFlushIcrc.compute(icrc, packet, 0, length);
    icrc.identification(to, true);
    if (asRxe) {
      RxeFlushIcrc.seal(icrc, packet, 0, length);
    } else {
      icrc.seal(packet, 0, length);
    }
  }
}
