package dev.verbena.wire;

/** What our own captures say besides the packets, so that readers know it again. */
public final class CaptureNotes {
  /** The names of their interfaces begin so; an address follows. */
  public static final String INTERFACE = "verbena ";

  /** A packet's comment begins so if a fault has changed what became of it. */
  public static final String FAULT = "fault: ";

  /** The comment of a packet that a fault has dropped: it is in the file, but did not leave. */
  public static final String DROPPED = FAULT + "dropped";

  private CaptureNotes() {}
}
