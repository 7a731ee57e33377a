package dev.verbena.soft.device.open;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.soft.link.socket.ChannelUdpLink;
import dev.verbena.soft.link.socket.FfmUdpLink;
import dev.verbena.soft.link.socket.NativeUdp;
import dev.verbena.soft.link.socket.PortHolders;
import dev.verbena.soft.link.wrap.CaptureLink;
import dev.verbena.soft.link.wrap.FaultLink;
import dev.verbena.soft.link.wrap.TraceLink;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Opens the packet link that a device specification selects. */
public final class Links {

  private static final System.Logger PACKETS = System.getLogger(Link.PACKET_LOG);

  private Links() {}

  /**
   * Opens a link at an address. {@link LinkKind#PACKET} stays within this process, {@link
   * LinkKind#SHM} with this user's processes; the other kinds are UDP: by system calls on Linux
   * (the JVM may warn that native access was not enabled), by {@link ChannelUdpLink} elsewhere and
   * if native access is denied, which is logged in one line.
   *
   * @param address the local address
   * @param faults faults for sent packets; null for none
   * @param capture a file for sent and received packets; null for none
   * @param wallClock nanoseconds since 1970-01-01 UTC, for the capture
   * @throws VerbsException EADDRINUSE, EADDRNOTAVAIL or EACCES if the address is not available,
   *     EACCES if the capture file cannot be written
   */
  public static Link open(
      Address address,
      LinkKind kind,
      @Nullable FaultSpec faults,
      @Nullable Path capture,
      LinkCounters counters,
      LongSupplier wallClock) {
    return decorated(
        bare(address, kind, counters, damages(faults) || capture != null),
        faults,
        capture,
        counters,
        wallClock);
  }

  /**
   * Opens the link to other processes on this computer of a device whose packets nobody changes or
   * looks at.
   *
   * @param network its link to everybody
   * @throws VerbsException if there cannot be one, with the reason
   */
  public static SharedMemoryLink openOnHost(Link network, LinkCounters counters) {
    if (PACKETS.isLoggable(Level.TRACE)) {
      throw new VerbsException(
          "openDevice", Errno.EOPNOTSUPP, "a log of packets needs all to be sent by the network");
    }
    return SharedMemoryLink.beside(network, counters);
  }

  /**
   * Opens a link of the InfiniBand subnet of this process. The parameters are those of {@link
   * #open}.
   *
   * @throws VerbsException EADDRINUSE if the address is not available, EACCES if the capture file
   *     cannot be written
   */
  public static Link openInfiniBand(
      Address address,
      @Nullable FaultSpec faults,
      @Nullable Path capture,
      LinkCounters counters,
      LongSupplier wallClock) {
    Link link = MemoryNetwork.infiniBand().open(address, counters);
    return decorated(link, faults, capture, counters, wallClock);
  }

  /** Whether the port of a UDP link at this address is taken, as far as the system tells. */
  public static boolean isTaken(Gid address) {
    return PortHolders.ofThisComputer().isHeld(address);
  }

  /** Wraps the link in its decorators; closes it if one fails. */
  private static Link decorated(
      Link bare,
      @Nullable FaultSpec faults,
      @Nullable Path capture,
      LinkCounters counters,
      LongSupplier wallClock) {
    Link link = TraceLink.over(bare, PACKETS);
    try {
      return decorate(link, faults, capture, counters, wallClock);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  /**
   * @param icrc whether packets need an ICRC on each link, because somebody damages them or looks
   *     at them
   */
  private static Link bare(Address address, LinkKind kind, LinkCounters counters, boolean icrc) {
    return switch (kind) {
      case PACKET -> MemoryNetwork.shared().open(address, counters);
      case SHM -> SharedMemoryLink.open(address, counters, icrc);
      case AUTO, UDP ->
          NativeUdp.isAvailable()
              ? FfmUdpLink.open(address, counters)
              : ChannelUdpLink.open(address, counters);
    };
  }

  private static boolean damages(@Nullable FaultSpec faults) {
    return faults != null && faults.corrupt() > 0;
  }

  private static Link decorate(
      Link link,
      @Nullable FaultSpec faults,
      @Nullable Path capture,
      LinkCounters counters,
      LongSupplier wallClock) {
    FaultSpec active = faults == null || !faults.isActive() ? null : faults;
    if (capture == null) {
      return active == null ? link : FaultLink.over(link, active, counters);
    }
    CaptureLink captured = new CaptureLink(link, capture, wallClock);
    return active == null ? captured : FaultLink.over(captured, active, counters);
  }
}
