package dev.verbena.verbs;

/** Flags of {@link ProtectionDomain#adviseMr}. */
public final class AdviseMrFlags {
  /** The call returns when it is done. Without it, the device may do it later, or not at all. */
  public static final int FLUSH = 1;

  private AdviseMrFlags() {}
}
