package dev.verbena.soft.transport;

import dev.verbena.soft.queue.Destination;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.wire.Address;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Grh;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.LocalRoute;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The part of a UD chunk besides its message: its sender, and the fields of the IP header that the
 * receiver sees. Mutable and reused.
 */
public final class DatagramHeader {
  /** RoCE v2, by UDP; the other bits indicate the IP header. */
  private static final int OVER_UDP = 8;

  private static final int OVER_IPV6 = OVER_UDP | 1;
  private static final int OVER_IPV4 = OVER_UDP | 2;

  private @Nullable Destination destination;
  private int sourceQpn;
  private int qkey;
  private Address sentTo = Address.UNSPECIFIED;
  private int trafficClass;
  private int flowLabel;
  private int hopLimit;
  private @Nullable LocalRoute local;

  DatagramHeader() {}

  /** Sets the destination; known to its sender only. */
  public void destination(@Nullable Destination where) {
    destination = where;
  }

  /** Sets the sender, and the Q_Key that the receiver must have. */
  public void sender(int qpn, int key) {
    sourceQpn = qpn;
    qkey = key;
  }

  /**
   * Sets the fields of the IP header.
   *
   * @param to the address to which it was sent
   * @param tos IPv4 type of service or IPv6 traffic class, 8 bits
   * @param label IPv6 flow label, 20 bits
   * @param ttl IPv4 time to live or IPv6 hop limit, 8 bits
   * @param within its route within an InfiniBand subnet; null with RoCE
   */
  public void route(Address to, int tos, int label, int ttl, @Nullable LocalRoute within) {
    sentTo = to;
    trafficClass = tos;
    flowLabel = label;
    hopLimit = ttl;
    local = within;
  }

  /** The destination, or null at its receiver. */
  public @Nullable Destination destination() {
    return destination;
  }

  /** The sender's queue pair number. */
  public int sourceQpn() {
    return sourceQpn;
  }

  /** Q_Key. */
  public int qkey() {
    return qkey;
  }

  /** The address to which it was sent. */
  public Address sentTo() {
    return sentTo;
  }

  /** Its route within an InfiniBand subnet; null with RoCE. */
  public @Nullable LocalRoute local() {
    return local;
  }

  /**
   * Whether it has the header that precedes its payload in a receive, which is not always so on
   * InfiniBand.
   */
  public boolean hasGrh() {
    return local == null || local.isGlobal();
  }

  /** Writes its route to a completion. */
  public void describe(WorkCompletion completion) {
    LocalRoute within = local;
    completion.srcQp(sourceQpn);
    if (within == null) {
      completion.slid(0).dlidPathBits(0).sl(ipVersion());
    } else {
      completion.slid(within.slid()).dlidPathBits(within.dlidPathBits()).sl(within.sl());
    }
  }

  /**
   * The value for the service level in a completion. Ethernet has no service level, so it indicates
   * the IP header at the start of the receive, as Mellanox's adapters do and UCX before 1.19
   * requires.
   */
  private int ipVersion() {
    return sentTo.isIpv4() ? OVER_IPV4 : OVER_IPV6;
  }

  /**
   * Writes the 40 bytes that precede the payload of this chunk in a receive (S3.3.2, S3.3.3), also
   * for a chunk that was never a packet.
   */
  public void writeGrh(Chunk chunk, MemorySegment into) {
    int payload = (int) chunk.payload.total;
    int packet =
        Bth.LENGTH
            + Deth.LENGTH
            + (chunk.hasImm ? ImmDt.LENGTH : 0)
            + payload
            + Bth.padFor(payload)
            + RocePacket.ICRC_LENGTH;
    if (local == null) {
      Grh.write(into, 0, chunk.source, sentTo, trafficClass, flowLabel, hopLimit, packet);
    } else {
      Grh.writeIba(into, 0, chunk.source, sentTo, trafficClass, flowLabel, hopLimit, packet);
    }
  }
}
