package dev.verbena.soft.sim;

import dev.verbena.soft.sim.frames.Frame;
import dev.verbena.soft.sim.frames.Packet;
import java.util.List;

/** TSO of datagrams: segments of TCP in IP over InfiniBand. */
final class DatagramTsoOp extends TsoOp {
  /** The header of IP over InfiniBand in front of IPv4. */
  private static final byte[] IPOIB = {8, 0, 0, 0};

  private final List<DatagramOp> segments;

  /**
   * A request.
   *
   * @param packet with the data of the whole stream
   */
  DatagramTsoOp(long wrId, Packet packet, int mss, Payload stream, UdEndpoint destination) {
    super(wrId, Frame.join(IPOIB, packet.template()), mss, stream);
    segments =
        packet.segments(mss).stream()
            .map(segment -> Payload.expected(Frame.join(IPOIB, segment.bytes())))
            .map(payload -> new DatagramOp(wrId, false, payload, destination))
            .toList();
  }

  /** Bytes in front of the stream in each datagram. */
  static int headerLength(Packet packet) {
    return IPOIB.length + packet.headerLength();
  }

  /** What arrives. */
  List<DatagramOp> segments() {
    return segments;
  }
}
