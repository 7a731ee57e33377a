package dev.verbena.verbs;

/** Placement types of a FLUSH (S2.18). */
public final class FlushType {
  /** Globally visible. */
  public static final int GLOBAL = 1;

  /** Persistent. */
  public static final int PERSISTENT = 1 << 1;

  private FlushType() {}
}
