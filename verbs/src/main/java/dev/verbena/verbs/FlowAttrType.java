package dev.verbena.verbs;

/** Which frames a steering rule is about (enum ibv_flow_attr_type). */
public enum FlowAttrType implements Numbered {
  /** Those that match all of its specifications. */
  NORMAL(0),
  /** Those that no NORMAL rule takes, whatever address they are for: promiscuous mode. */
  ALL_DEFAULT(1),
  /** Those to groups that no NORMAL rule takes. */
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
