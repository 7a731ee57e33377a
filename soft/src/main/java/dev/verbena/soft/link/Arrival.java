package dev.verbena.soft.link;

import dev.verbena.wire.LocalRoute;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A datagram as it was received, of any content: it comes from the network. A link uses the same
 * object for many, so it is valid only during {@link Receiver#datagram}. Addresses are halves as
 * {@link dev.verbena.wire.RoceAddress} has them.
 */
public final class Arrival {
  private final MemorySegment buffer;
  private long length;
  private long srcHi;
  private long srcLo;
  private long dstHi;
  private long dstLo;
  private int srcPort;
  private int hopLimit;
  private int trafficClass;
  private int flowLabel;
  private @Nullable LocalRoute local;

  /**
   * @param buffer where datagrams are put
   */
  Arrival(MemorySegment buffer) {
    this.buffer = buffer;
  }

  Arrival length(long bytes) {
    length = bytes;
    return this;
  }

  Arrival from(long hi, long lo, int port) {
    srcHi = hi;
    srcLo = lo;
    srcPort = port;
    return this;
  }

  Arrival to(long hi, long lo) {
    dstHi = hi;
    dstLo = lo;
    return this;
  }

  Arrival hopLimit(int value) {
    hopLimit = value;
    return this;
  }

  Arrival trafficClass(int value) {
    trafficClass = value;
    return this;
  }

  Arrival flowLabel(int value) {
    flowLabel = value;
    return this;
  }

  Arrival local(@Nullable LocalRoute value) {
    local = value;
    return this;
  }

  /** Memory that starts with the datagram and may be longer. */
  public MemorySegment datagram() {
    return buffer;
  }

  /** Bytes of the datagram. */
  public long length() {
    return length;
  }

  /** Upper half of the sender's address. */
  public long srcHi() {
    return srcHi;
  }

  /** Lower half of the sender's address. */
  public long srcLo() {
    return srcLo;
  }

  /** Upper half of the address it was sent to. */
  public long dstHi() {
    return dstHi;
  }

  /** Lower half of the address it was sent to. */
  public long dstLo() {
    return dstLo;
  }

  /** UDP source port, 16 bits. */
  public int srcPort() {
    return srcPort;
  }

  /** IPv4 time to live or IPv6 hop limit, 8 bits; -1 if unknown. */
  public int hopLimit() {
    return hopLimit;
  }

  /** IPv4 type of service or IPv6 traffic class, 8 bits; -1 if unknown. */
  public int trafficClass() {
    return trafficClass;
  }

  /** IPv6 flow label, 20 bits; 0 if unknown. */
  public int flowLabel() {
    return flowLabel;
  }

  /** How it has travelled within an InfiniBand subnet; null with RoCE. */
  public @Nullable LocalRoute local() {
    return local;
  }
}
