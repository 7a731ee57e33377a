package dev.verbena.verbs;

/**
 * Static rate of a path (enum ibv_rate). The numbers are not in order of speed. The constants are
 * named after the rate in Gbit/s; {@code RATE_2_5} is 2.5.
 */
public enum Rate implements Numbered {
  /** The port's own rate. */
  MAX(0, -1, -1),
  /** 2.5 Gbit/s. */
  RATE_2_5(2, 1, 2500),
  /** 5 Gbit/s. */
  RATE_5(5, 2, 5000),
  /** 10 Gbit/s. */
  RATE_10(3, 4, 10000),
  /** 20 Gbit/s. */
  RATE_20(6, 8, 20000),
  /** 30 Gbit/s. */
  RATE_30(4, 12, 30000),
  /** 40 Gbit/s. */
  RATE_40(7, 16, 40000),
  /** 60 Gbit/s. */
  RATE_60(8, 24, 60000),
  /** 80 Gbit/s. */
  RATE_80(9, 32, 80000),
  /** 120 Gbit/s. */
  RATE_120(10, 48, 120000),
  /** 14 Gbit/s. */
  RATE_14(11, -1, 14062),
  /** 56 Gbit/s. */
  RATE_56(12, -1, 56250),
  /** 112 Gbit/s. */
  RATE_112(13, -1, 112500),
  /** 168 Gbit/s. */
  RATE_168(14, -1, 168750),
  /** 25 Gbit/s. */
  RATE_25(15, -1, 25781),
  /** 100 Gbit/s. */
  RATE_100(16, -1, 103125),
  /** 200 Gbit/s. */
  RATE_200(17, -1, 206250),
  /** 300 Gbit/s. */
  RATE_300(18, -1, 309375),
  /** 28 Gbit/s. */
  RATE_28(19, 11, 28125),
  /** 50 Gbit/s. */
  RATE_50(20, 20, 53125),
  /** 400 Gbit/s. */
  RATE_400(21, 160, 425000),
  /** 600 Gbit/s. */
  RATE_600(22, 240, 637500),
  /** 800 Gbit/s. */
  RATE_800(23, 320, 850000),
  /** 1200 Gbit/s. */
  RATE_1200(24, 480, 1275000);

  private final int number;
  private final int mult;
  private final int mbps;

  Rate(int number, int mult, int mbps) {
    this.number = number;
    this.mult = mult;
    this.mbps = mbps;
  }

  @Override
  public int number() {
    return number;
  }

  /** The multiple of 2.5 Gbit/s, or -1 if there is none (ibv_rate_to_mult). */
  public int toMult() {
    return mult;
  }

  /**
   * The rate in Mbit/s, from 14 Gbit/s on the encoded line rate; -1 for {@link #MAX}
   * (ibv_rate_to_mbps).
   */
  public int toMbps() {
    return mbps;
  }

  /** The rate with this multiple, or {@link #MAX} if there is none (mult_to_ibv_rate). */
  public static Rate ofMult(int mult) {
    for (Rate rate : values()) {
      if (rate.mult == mult && mult > 0) {
        return rate;
      }
    }
    return MAX;
  }

  /** The rate with this many Mbit/s, or {@link #MAX} if there is none (mbps_to_ibv_rate). */
  public static Rate ofMbps(int mbps) {
    for (Rate rate : values()) {
      if (rate.mbps == mbps && mbps > 0) {
        return rate;
      }
    }
    return MAX;
  }

  /**
   * The fastest rate that a port of this speed supports, by the nominal rates.
   *
   * @param speed in units of 100 Mbit/s, as {@link PortAttr#speed}
   * @return {@link #MAX}, the port's own rate, if the port is slower than all of them
   */
  static Rate ofSpeed(long speed) {
    Rate fastest = MAX;
    for (Rate rate : values()) {
      if (rate.nominal() <= speed && rate.nominal() > fastest.nominal()) {
        fastest = rate;
      }
    }
    return fastest;
  }

  /**
   * The nominal rate, after which the constant is named, in units of 100 Mbit/s; 0 for {@link
   * #MAX}.
   */
  private long nominal() {
    String[] gigabits = name().split("_", -1);
    return this == MAX
        ? 0
        : Long.parseLong(gigabits[1]) * 10
            + (gigabits.length > 2 ? Long.parseLong(gigabits[2]) : 0);
  }

  /**
   * The rate with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static Rate of(int number) {
    return Numbered.of(Rate.class, number);
  }
}
