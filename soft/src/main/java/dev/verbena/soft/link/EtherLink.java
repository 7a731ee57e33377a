package dev.verbena.soft.link;

import java.lang.foreign.MemorySegment;

/**
 * Carries whole Ethernet frames over a network interface. One sender, one receiver and one thread
 * in {@link #await} may be active at a time; {@link #wake} may come from any thread.
 */
public interface EtherLink extends AutoCloseable {
  /** Receives frames from an {@link EtherLink}. */
  @FunctionalInterface
  interface Receiver {
    /**
     * Takes one frame, of any content, without its check sequence; VLAN tags are as on the wire.
     *
     * @param frame memory that starts with the frame and may be longer; the receiver may write to
     *     it; valid during the call
     * @param length bytes of it
     */
    void frame(MemorySegment frame, int length);
  }

  /** Address of the interface, 48 bits. */
  long mac();

  /** Bytes of the longest frame, with VLAN tag and without check sequence. */
  int maxFrame();

  /**
   * Starts receiving, or changes what is received: frames for the interface's address and for
   * groups, and if {@code promiscuous} all frames.
   */
  void listen(boolean promiscuous);

  /**
   * Sends one frame. After a permanent error the frame counts as sent and lost.
   *
   * @param frame native memory that starts with the frame
   * @return false if the link currently takes nothing
   */
  boolean send(MemorySegment frame, int length);

  /**
   * Passes received frames to the receiver; never blocks.
   *
   * @param most the most frames to pass
   * @return the number of frames passed
   */
  int receive(Receiver receiver, int most);

  /** Blocks until a frame may be there, {@link #wake} was called, or the time has passed. */
  void await(long nanos);

  /** Ends the current {@link #await}, or the next one. */
  void wake();

  /** Leaves the interface. Idempotent; only {@link #wake} may follow. */
  @Override
  void close();
}
