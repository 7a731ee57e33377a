package dev.verbena.verbs;

/** Path MTU (enum ibv_mtu): the payload bytes of a full packet. */
public enum Mtu implements Numbered {
  /** 256 bytes of payload. */
  MTU_256(1),
  /** 512 bytes of payload. */
  MTU_512(2),
  /** 1024 bytes of payload. */
  MTU_1024(3),
  /** 2048 bytes of payload. */
  MTU_2048(4),
  /** 4096 bytes of payload. */
  MTU_4096(5);

  private final int number;

  Mtu(int number) {
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
  public static Mtu of(int number) {
    return Numbered.of(Mtu.class, number);
  }

  /** Payload bytes of a full packet, 256 to 4096. */
  public int bytes() {
    return 128 << number;
  }

  /**
   * The MTU of exactly this many bytes.
   *
   * @throws VerbsException EINVAL unless bytes is 256, 512, 1024, 2048 or 4096
   */
  public static Mtu ofBytes(int bytes) {
    for (Mtu mtu : values()) {
      if (mtu.bytes() == bytes) {
        return mtu;
      }
    }
    throw new VerbsException(
        "mtu", Errno.EINVAL, "path MTU " + bytes + " is not one of 256, 512, 1024, 2048, 4096");
  }
}
