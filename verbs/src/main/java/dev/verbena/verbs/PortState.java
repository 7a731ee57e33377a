package dev.verbena.verbs;

/** Logical state of a port (enum ibv_port_state). */
public enum PortState implements Numbered {
  /** No state change. */
  NOP(0, "no state change (NOP)"),
  /** Down. */
  DOWN(1, "down"),
  /** Initialising. */
  INIT(2, "init"),
  /** Armed. */
  ARMED(3, "armed"),
  /** Active. */
  ACTIVE(4, "active"),
  /** Active, deferring. */
  ACTIVE_DEFER(5, "active defer");

  private final int number;
  private final String text;

  PortState(int number, String text) {
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
  public static PortState of(int number) {
    return Numbered.of(PortState.class, number);
  }
}
