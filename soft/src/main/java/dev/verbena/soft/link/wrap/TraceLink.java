package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.wire.ParseResult;
import dev.verbena.wire.RocePacket;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;

/**
 * Logs every packet that the inner link sends and receives, one line each, at TRACE: {@code
 * 10.0.0.1: sent RC SEND_LAST psn 12 ack qpn 0x11, 5 bytes -> 10.0.0.2}. Like a capture it comes
 * after the faults, so that it shows what really left. It exists only if TRACE is on when the link
 * is opened; otherwise packets pay nothing.
 */
public final class TraceLink extends WatchingLink {
  private final Logger log;
  private final String name;
  private final RocePacket sent = new RocePacket();
  private final RocePacket received = new RocePacket();

  private TraceLink(Link inner, Logger log) {
    super(inner);
    this.log = log;
    name = inner.address().toString();
  }

  /** A link that logs, or the link itself if TRACE is off. */
  public static Link over(Link link, Logger log) {
    return log.isLoggable(Level.TRACE) ? new TraceLink(link, log) : link;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    if (!inner.send(datagram, length, route, now)) {
      return false;
    }
    if (log.isLoggable(Level.TRACE)) {
      String packet = text(sent, datagram, 0, length, /* mayBeLong= */ false);
      log.log(Level.TRACE, name + ": sent " + packet + " -> " + route.destination());
    }
    return true;
  }

  @Override
  void arrived(Arrival arrival) {
    if (log.isLoggable(Level.TRACE)) {
      String packet =
          text(received, arrival.datagram, arrival.offset, arrival.length, !arrival.hasIcrc);
      log.log(Level.TRACE, name + ": received " + packet + " <- " + arrival.source);
    }
  }

  private static String text(
      RocePacket packet, MemorySegment datagram, long offset, long length, boolean mayBeLong) {
    if (packet.parse(datagram, offset, length) != ParseResult.OK) {
      return length + " bytes that are no RoCE packet";
    }
    if (mayBeLong) {
      packet.mayBeLong();
    }
    return packet.toString();
  }

  @Override
  public String whyNoExports() {
    return "the packets of the device are logged";
  }
}
