package dev.verbena.soft.transport.frames;

import java.lang.foreign.MemorySegment;

/** Sends Ethernet frames. */
public interface FrameOut {
  /** Bytes of the longest frame, without its check sequence. */
  int maxFrame();

  /**
   * Sends a frame.
   *
   * @param frame native memory that starts with the frame
   * @return false if it is currently not taken
   */
  boolean send(MemorySegment frame, int length);
}
