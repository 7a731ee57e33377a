package dev.verbena.verbs;

/**
 * What queue pairs of a type can do with on-demand memory (enum ibv_odp_transport_cap_bits): the
 * device brings in a page that is missing. Other operations fail on such memory.
 */
public final class OdpTransportCaps {
  /** Send messages from it. */
  public static final int SEND = 1;

  /** Receive messages into it. */
  public static final int RECV = 1 << 1;

  /** WRITE from it and into it. */
  public static final int WRITE = 1 << 2;

  /** READ from it and into it. */
  public static final int READ = 1 << 3;

  /** Atomics on it. */
  public static final int ATOMIC = 1 << 4;

  /** Receive messages into it from a shared receive queue. */
  public static final int SRQ_RECV = 1 << 5;

  /** FLUSH it. */
  public static final int FLUSH = 1 << 6;

  /** ATOMIC_WRITE from it and into it. */
  public static final int ATOMIC_WRITE = 1 << 7;

  private OdpTransportCaps() {}
}
