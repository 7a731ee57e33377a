package dev.verbena.verbs.spi;

import dev.verbena.verbs.Iba;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Carries management datagrams (MADs) between a local port and the agents of its fabric, as
 * datagrams are carried: one may be lost, come twice, or overtake another. Whoever uses it matches
 * answers with requests, repeats what was lost and puts segments together; a transport does none of
 * this.
 *
 * <p>The lower half of a transaction ID is the user's and comes back in the answer. The upper half
 * belongs to the transport, which may set it in what is sent: an answer is told by the lower one.
 *
 * <p>{@link #send} and {@link #close} may be called by any thread, also while another one waits in
 * {@link #receive}; only one thread receives at a time.
 */
public interface MadTransport extends AutoCloseable {
  /**
   * Sends a datagram. That it was sent says nothing of its arrival.
   *
   * @param mad {@value Iba#MAD_LENGTH} bytes, which the transport has copied when this returns
   * @param answerWithin how long an answer is of use; zero if none is expected. A transport must
   *     deliver answers that come in this time, and may drop later ones
   * @throws VerbsException if it cannot be sent, as EINVAL for an address that the port does not
   *     take
   * @throws ObjectClosedException if the transport is closed
   */
  void send(MadAddress to, MemorySegment mad, Duration answerWithin);

  /**
   * Waits for a datagram.
   *
   * @param into gets its {@value Iba#MAD_LENGTH} bytes
   * @param timeout how long to wait; zero does not wait
   * @return where it came from; null if none came in time, or if the transport was closed, which
   *     ends the wait
   * @throws VerbsException if no more can be received
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  @Nullable MadAddress receive(MemorySegment into, Duration timeout) throws InterruptedException;

  /** Gives back what the transport holds. A second call does nothing. */
  @Override
  void close();
}
