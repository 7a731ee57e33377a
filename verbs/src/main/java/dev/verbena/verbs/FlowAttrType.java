package dev.verbena.verbs;

/** Which frames a steering rule applies to (enum ibv_flow_attr_type). */
public enum FlowAttrType implements Numbered {
  /** Frames that match all of its specifications. */
  NORMAL(0),
  /** Frames that no NORMAL rule takes, whatever their destination: promiscuous mode. */
  ALL_DEFAULT(1),
  /** Multicast frames that no NORMAL rule takes. */
  MC_DEFAULT(2),
  /** A copy of every frame of the port, the device's own included. */
  SNIFFER(3);

  private final int number;

  FlowAttrType(int number) {
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
  public static FlowAttrType of(int number) {
    return Numbered.of(FlowAttrType.class, number);
  }
}
