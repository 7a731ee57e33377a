package dev.verbena.soft.engine;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.qp.IcrcMatch;
import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpTable;
import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcCheck;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.ParseResult;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.RxeFlushIcrc;
import dev.verbena.wire.Transport;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Passes datagrams from the link to their queue pairs. Runs under the link.rx guard. Returns
 * whatever they contain.
 */
final class Inbound implements Receiver {
  private static final int ECN_BITS = 3;
  private static final int CONGESTION_EXPERIENCED = 3;

  /** The moment after an overflow, nanoseconds: each current sender sends something in it. */
  private static final long CONGESTION_NANOS = 200_000;

  private final QpTable<QpRuntime> table;
  private final Multicast multicast;
  private final Tally tally;
  private final Failures failures;
  private final boolean checkIcrc;
  private final RocePacket packet = new RocePacket();
  private final Chunk request = new Chunk();
  private final SpanList payload = new SpanList();
  private final Icrc icrc = new Icrc();
  private Address lastSource = Address.UNSPECIFIED;
  private Address lastDestination = Address.UNSPECIFIED;
  private int lastPort = -1;
  private volatile boolean damaged;

  /** Until then all that comes counts as congested, engine time: this side's buffer was full. */
  private long congestedUntil;

  private boolean congested;
  private IcrcMatch match = IcrcMatch.NONE;
  private long packets;
  private long bytes;

  Inbound(
      QpTable<QpRuntime> table,
      Multicast multicast,
      Tally tally,
      Failures failures,
      boolean checkIcrc) {
    this.table = table;
    this.multicast = multicast;
    this.tally = tally;
    this.failures = failures;
    this.checkIcrc = checkIcrc;
  }

  @Override
  public void datagram(Arrival arrival, long now) {
    long length = arrival.length;
    packets++;
    bytes += length;
    try {
      if (packet.parse(arrival.datagram, arrival.offset, length) != ParseResult.OK) {
        tally.count(Counter.DROPPED_MALFORMED);
        return;
      }
      if (!arrival.hasIcrc) {
        packet.mayBeLong();
        packets += packet.psns - 1;
      }
      Address source = arrival.source;
      Address destination = arrival.destination;
      match = checkIcrc && arrival.hasIcrc ? match(arrival, source, destination) : IcrcMatch.EXACT;
      Opcode.Row row = packet.row;
      if (match == IcrcMatch.NONE) {
        tally.count(Counter.DROPPED_ICRC);
        noteDamage(source);
      } else if (!row.operation.isOfMessage) {
        dispatchNotification(source, row);
      } else {
        if (row.transport == Transport.UD) {
          // A link that does not know it leaves 0; UDP does not show the flow label.
          int trafficClass = Math.max(0, arrival.trafficClass);
          int hopLimit = Math.max(0, arrival.hopLimit);
          request.datagram.route(
              destination, trafficClass, arrival.flowLabel, hopLimit, arrival.local);
        }
        if (destination.isMulticast()) {
          dispatchToGroup(source, destination, row);
        } else {
          // An unknown traffic class is -1.
          int ecn = Math.max(0, arrival.trafficClass) & ECN_BITS;
          congested = now < congestedUntil || ecn == CONGESTION_EXPERIENCED;
          dispatch(source, row);
        }
      }
    } catch (RuntimeException | Error e) {
      failures.add("taking a packet, which is dropped", e);
      if (!Failures.isShortage(e)) {
        tally.count(Counter.DROPPED_MALFORMED);
      }
    }
  }

  /**
   * The senders of the lost datagrams are unknown, so all whose datagrams arrive within the next
   * moment are told.
   */
  @Override
  public void overflowed(long now) {
    congestedUntil = now + CONGESTION_NANOS;
  }

  /** Counts the datagrams since the last call. */
  void countReceived() {
    if (packets > 0) {
      tally.traffic(Counter.PACKETS_RECEIVED, packets, Counter.BYTES_RECEIVED, bytes);
      packets = 0;
      bytes = 0;
    }
  }

  /**
   * Counts only if the packet comes from the peer of its queue pair, because anyone can send any
   * bytes.
   */
  private void noteDamage(Address source) {
    QpRuntime qp = table.find(packet.destQpn);
    if (qp != null && qp.machines.hasPeer(source)) {
      damaged = true;
    }
  }

  /** Whether a packet of a peer was ever damaged on the way. Any thread may call this. */
  boolean hasMetDamage() {
    return damaged;
  }

  private IcrcMatch match(Arrival arrival, Address source, Address destination) {
    int srcPort = arrival.srcPort;
    boolean sameHeaders =
        source.equals(lastSource) && destination.equals(lastDestination) && srcPort == lastPort;
    if (!sameHeaders) {
      if (source.isIpv4() != destination.isIpv4()) {
        return IcrcMatch.NONE;
      }
      icrc.addresses(source, destination, srcPort, RocePorts.UDP_PORT);
      lastSource = source;
      lastDestination = destination;
      lastPort = srcPort;
    }
    MemorySegment segment = packet.segment;
    long offset = packet.offset;
    int length = (int) packet.length;
    // A peer like this device counts IDs up from 0 in each run.
    int place = arrival.place;
    icrc.identification(place, true);
    int difference = icrc.difference(segment, offset, length);
    if (difference == 0) {
      return IcrcMatch.EXACT;
    }
    if (place > 0) {
      icrc.identification(0, true);
      difference = icrc.difference(segment, offset, length);
      if (difference == 0) {
        return IcrcMatch.EXACT;
      }
    }
    // In this order: one in 2^15 of rxe's also looks as if another ID explained it.
    if (RxeFlushIcrc.appliesTo(segment, offset)
        && RxeFlushIcrc.accepts(icrc, segment, offset, length)) {
      return IcrcMatch.OF_RXE_FLUSH;
    }
    return IcrcCheck.isExplained(icrc, difference, length) ? IcrcMatch.OTHER_ID : IcrcMatch.NONE;
  }

  /** Each member of the group gets a copy and checks it itself (S8.6). */
  private void dispatchToGroup(Address source, Address group, Opcode.Row row) {
    if (multicast.cameWithoutPacket(source)) {
      return;
    }
    List<Multicast.Member> members = multicast.members(group);
    boolean datagram =
        packet.destQpn == AddressHandle.MULTICAST_QPN
            && row.transport == Transport.UD
            && row.isRequest;
    if (!datagram || members.isEmpty()) {
      tally.count(Counter.DROPPED_NO_QP);
      return;
    }
    PacketDecoder.request(packet, source, request);
    for (int i = 0; i < members.size(); i++) {
      Multicast.Member member = members.get(i);
      if (multicast.isFor(member, request)) {
        member.qp().tally.received(packet.psns, packet.length);
        member.qp().machines.request(request, match, /* congested= */ false);
      }
    }
  }

  /**
   * Handles what belongs to no message. The recipient of a CNP may ignore it, and all others do so
   * in silence.
   */
  private void dispatchNotification(Address source, Opcode.Row row) {
    boolean isCnp = row.operation == Operation.CNP;
    QpRuntime qp = table.find(packet.destQpn);
    if (qp == null || !qp.setup().hasPeer()) {
      if (!isCnp) {
        tally.count(qp == null ? Counter.DROPPED_NO_QP : Counter.DROPPED_QP_STATE);
      }
      return;
    }
    qp.tally.received(packet.psns, packet.length);
    boolean trusted =
        isCnp
            ? qp.machines.congestionNotified(packet, source, match)
            : qp.machines.bufferTold(packet, source, match);
    if (!trusted) {
      damaged = true;
    }
  }

  private void dispatch(Address source, Opcode.Row row) {
    QpRuntime qp = table.find(packet.destQpn);
    if (qp == null) {
      tally.count(Counter.DROPPED_NO_QP);
      return;
    }
    qp.tally.received(packet.psns, packet.length);
    if (!qp.takes(row.transport, row.isRequest)) {
      qp.tally.count(Counter.DROPPED_QP_STATE);
      return;
    }
    if (row.isRequest) {
      PacketDecoder.request(packet, source, request);
      if (!qp.machines.request(request, match, congested)) {
        damaged = true;
      }
    } else if (!qp.machines.response(packet, source, payload, match, congested)) {
      damaged = true;
    }
  }
}
