package dev.verbena.soft.sim.frames;

/** What a frame carries. */
public enum Network {
  /** Data of a type for experiments. */
  NONE(0x88b5, 0),
  /** IPv4 without options. */
  IPV4(0x0800, 20),
  /** IPv6 without extension headers. */
  IPV6(0x86dd, 40);

  private final int etherType;
  private final int headerLength;

  Network(int etherType, int headerLength) {
    this.etherType = etherType;
    this.headerLength = headerLength;
  }

  /** The type in the Ethernet header. */
  public int etherType() {
    return etherType;
  }

  int headerLength() {
    return headerLength;
  }
}
