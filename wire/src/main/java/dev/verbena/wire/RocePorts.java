package dev.verbena.wire;

/** UDP ports of RoCE v2, and the mapping from flow labels to source ports (S12.1.1). */
public final class RocePorts {
  /** Destination port of every RoCE v2 packet; also the source port of our packets. */
  public static final int UDP_PORT = 4791;

  private static final int FLOW_LABEL_MASK = 0xFFFFF;

  private RocePorts() {}

  /**
   * The source port that adapters and Linux derive from a flow label.
   *
   * @param flowLabel low 20 bits count
   * @return 0xC000..0xFFFF
   */
  public static int sourcePort(int flowLabel) {
    return ((flowLabel & 0x3FFF) ^ (flowLabel & 0xFC000) >> 14) | 0xC000;
  }

  /**
   * The flow label that Linux derives from the two queue pair numbers if none is given.
   *
   * @return 20 bits; the same for both directions
   */
  public static int flowLabel(int localQpn, int remoteQpn) {
    long v = (localQpn & 0xFFFFFFFFL) * (remoteQpn & 0xFFFFFFFFL);
    v ^= v >>> 20;
    v ^= v >>> 40;
    return (int) v & FLOW_LABEL_MASK;
  }
}
