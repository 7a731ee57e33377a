package dev.verbena.verbs;

/** Link layer of a port. */
public enum LinkLayer implements Numbered {
  /** Unspecified. */
  UNSPECIFIED(0),
  /** InfiniBand. */
  INFINIBAND(1),
  /** Ethernet: RoCE. */
  ETHERNET(2);

  private final int number;

  LinkLayer(int number) {
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
  public static LinkLayer of(int number) {
    return Numbered.of(LinkLayer.class, number);
  }
}
