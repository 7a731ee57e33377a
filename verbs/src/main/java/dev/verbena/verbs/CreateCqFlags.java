package dev.verbena.verbs;

/** Flags of createCqEx (enum ibv_create_cq_attr_flags; S6.12). */
public final class CreateCqFlags {
  /** The caller serialises; the queue takes no lock. */
  public static final int SINGLE_THREADED = 1;

  /** An overrun loses entries silently. */
  public static final int IGNORE_OVERRUN = 1 << 1;

  private CreateCqFlags() {}
}
