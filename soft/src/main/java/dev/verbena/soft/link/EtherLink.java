package dev.verbena.soft.link;

import java.lang.foreign.MemorySegment;

/**
 * How whole Ethernet frames travel over a network interface. One sender, one receiver and one
 * thread in {@link #await} may be active at a time; {@link #wake} may come from any thread.
 */
public interface EtherLink extends AutoCloseable {
  /** Takes what an {@link EtherLink} has received. */
  @FunctionalInterface
  interface Receiver {
    /**
     * One frame, of any content, without its check sequence; VLAN tags are where they were on the
     * wire.
     *
     * @param frame memory that starts with the frame and may be longer; the receiver may write to
     *     it; valid during the call
     * @param length bytes of it
     */
    void frame(MemorySegment frame, int length);
  }

  /** Address of the interface, 48 bits. */
  long mac();

  /** Bytes of the longest frame, VLAN tag included and check sequence not. */
  int maxFrame();

  /**
   * Starts to receive, or changes what is received: what is for the interface's address and for
   * groups, and if {@code promiscuous} all that passes by.
   */
  void listen(boolean promiscuous);

  /**
   * Sends one frame. An error that repeating does not mend counts as sent and lost.
   *
   * @param frame native memory that starts with the frame
   * @return false if the link takes nothing at the moment
   */
  boolean send(MemorySegment frame, int length);

  /**
   * Hands frames that have arrived to the receiver; never blocks.
   *
   * @param most the most frames to hand over
   * @return how many were handed over
   */
  int receive(Receiver receiver, int most);

  /** Blocks until a frame may be there, {@link #wake} was called, or the time has passed. */
  void await(long nanos);

  /** Ends the present {@link #await} or else the next one. */
  void wake();

  /** Leaves the interface. Idempotent; only {@link #wake} may follow. */
  @Override
  void close();
}
