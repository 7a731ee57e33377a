package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.IpUdpHeader;
import dev.verbena.wire.PcapngWriter;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Writes every packet that the inner link sends and receives to a pcapng file, which Wireshark
 * opens; what the device sends to itself, or to another one that writes the same file, only once,
 * unless it goes to a multicast group. It comes after the faults, so that the file has what really
 * left, with a comment if a fault has touched it, and what a fault has dropped, with a comment that
 * says so. IP and UDP headers are built from what is known: received packets have ID 0 even if the
 * sender used another, and hop limit {@value Route#DEFAULT_HOP_LIMIT} if the link does not know it.
 *
 * <p>The file is up to date whenever the engine waits, and complete when the link is closed.
 */
public final class CaptureLink extends WatchingLink implements FaultLink.Notes {
  private static final int HEADER_BYTES = IpUdpHeader.length(false);

  private final LongSupplier clock;
  private final CaptureFile.Interface file;
  private final MemorySegment sentHeader = Arena.ofAuto().allocate(HEADER_BYTES, Long.BYTES);
  private final MemorySegment receivedHeader = Arena.ofAuto().allocate(HEADER_BYTES, Long.BYTES);
  private byte[] comment = PcapngWriter.NO_COMMENT;

  /**
   * @param inner the link to watch, closed with this one
   * @param path the file, which replaces an existing one unless another device of this process
   *     writes it
   * @param clock wall-clock time, nanoseconds since 1970-01-01 UTC
   * @throws VerbsException EACCES if the file cannot be written
   */
  public CaptureLink(Link inner, Path path, LongSupplier clock) {
    super(inner);
    this.clock = clock;
    this.file = CaptureFile.open(path, inner.address());
  }

  @Override
  public void next(byte[] comment) {
    this.comment = comment;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    // No receiver that writes the same file comes in between, and answers before this is there.
    synchronized (file.order()) {
      long nanos = clock.getAsLong();
      if (!inner.send(datagram, length, route, now)) {
        return false;
      }
      add(nanos, datagram, length, route, comment);
    }
    comment = PcapngWriter.NO_COMMENT;
    return true;
  }

  @Override
  public void dropped(MemorySegment datagram, long length, Route route, byte[] comment) {
    add(clock.getAsLong(), datagram, length, route, comment);
  }

  private void add(long nanos, MemorySegment datagram, long length, Route route, byte[] comment) {
    MemorySegment headers =
        writeHeaders(
            sentHeader,
            inner.address(),
            route.destination(),
            RocePorts.UDP_PORT,
            route.effectiveHopLimit(),
            route.trafficClass() & 0xFF,
            (int) length);
    file.add(nanos, headers, datagram.asSlice(0, length), comment);
  }

  @Override
  void arrived(Arrival arrival) {
    if (file.isSender(arrival.source) && !arrival.destination.isMulticast()) {
      return;
    }
    MemorySegment headers =
        writeHeaders(
            receivedHeader,
            arrival.source,
            arrival.destination,
            arrival.srcPort,
            arrival.hopLimit < 0 ? Route.DEFAULT_HOP_LIMIT : arrival.hopLimit,
            Math.max(arrival.trafficClass, 0),
            (int) arrival.length);
    file.add(
        clock.getAsLong(),
        headers,
        arrival.datagram.asSlice(arrival.offset, arrival.length),
        PcapngWriter.NO_COMMENT);
  }

  /** Writes IP and UDP headers, and returns them. */
  private static MemorySegment writeHeaders(
      MemorySegment to,
      Address src,
      Address dst,
      int srcPort,
      int hopLimit,
      int trafficClass,
      int length) {
    boolean ipv4 = dst.isIpv4();
    if (ipv4) {
      IpUdpHeader.writeIpv4(to, 0, src.ipv4(), dst.ipv4(), trafficClass, hopLimit, 0, length);
    } else {
      IpUdpHeader.writeIpv6(to, 0, src, dst, trafficClass, 0, hopLimit, length);
    }
    int headers = IpUdpHeader.length(ipv4);
    IpUdpHeader.writeUdp(to, headers - IpUdpHeader.UDP_LENGTH, srcPort, RocePorts.UDP_PORT, length);
    return to.asSlice(0, headers);
  }

  @Override
  public void await(long nanos) {
    file.flush();
    inner.await(nanos);
  }

  @Override
  public String whyNoExports() {
    return "the packets of the device are captured";
  }

  @Override
  public void close() {
    inner.close();
    file.close();
  }
}
