package dev.verbena.tools.kit;

/**
 * What libibverbs' examples and perftest choose for their queue pairs; the commands stay comparable
 * with them, whatever defaults the API has.
 */
public final class UsualValues {
  /** Local ACK timeout code: 67 ms. */
  public static final int TIMEOUT = 14;

  /** Retries, of either kind; for RNR retries, 7 means for ever. */
  public static final int RETRIES = 7;

  /** RNR timer code: 640 µs. */
  public static final int MIN_RNR_TIMER = 12;

  /** The Q_Key of both ends. */
  public static final int QKEY = 0x11111111;

  /** The hop limit of datagrams. */
  public static final int HOPS = 64;

  private UsualValues() {}
}
