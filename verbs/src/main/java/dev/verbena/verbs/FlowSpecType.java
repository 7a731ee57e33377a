package dev.verbena.verbs;

/** Kind of a flow specification (enum ibv_flow_spec_type); only the kinds that are supported. */
public enum FlowSpecType implements Numbered {
  /** Ethernet header. */
  ETH(0x20),
  /** IPv4 addresses. */
  IPV4(0x30),
  /** IPv6 header. */
  IPV6(0x31),
  /** IPv4 header with more than its addresses. */
  IPV4_EXT(0x32),
  /** TCP ports. */
  TCP(0x40),
  /** UDP ports. */
  UDP(0x41),
  /** A number that completions report. */
  ACTION_TAG(0x1000),
  /** Matching frames are dropped. */
  ACTION_DROP(0x1001);

  private final int number;

  FlowSpecType(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static FlowSpecType of(int number) {
    return Numbered.of(FlowSpecType.class, number);
  }
}
