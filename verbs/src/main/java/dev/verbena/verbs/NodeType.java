package dev.verbena.verbs;

/** Kind of node (enum ibv_node_type). */
public enum NodeType implements Numbered {
  /** Unknown. */
  UNKNOWN(-1, "unknown"),
  /** Channel adapter. */
  CA(1, "InfiniBand channel adapter"),
  /** Switch. */
  SWITCH(2, "InfiniBand switch"),
  /** Router. */
  ROUTER(3, "InfiniBand router"),
  /** iWARP adapter. */
  RNIC(4, "iWARP NIC"),
  /** usNIC. */
  USNIC(5, "usNIC"),
  /** usNIC over UDP. */
  USNIC_UDP(6, "usNIC UDP"),
  /** Unspecified. */
  UNSPECIFIED(7, "unspecified");

  private final int number;
  private final String text;

  NodeType(int number, String text) {
    this.number = number;
    this.text = text;
  }

  @Override
  public int number() {
    return number;
  }

  /** The text that libibverbs prints for this constant. */
  public String str() {
    return text;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static NodeType of(int number) {
    return Numbered.of(NodeType.class, number);
  }
}
