package dev.verbena.verbs.spi;

import dev.verbena.verbs.Iba;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Carries management datagrams (MADs) between a local port and the agents of its fabric,
 * unreliably: a datagram may be lost, duplicated or reordered. The user of a transport matches
 * responses with requests, repeats lost requests and reassembles segments; the transport does none
 * of this.
 *
 * <p>The lower half of a transaction ID belongs to the user and is returned in the response. The
 * upper half belongs to the transport, which may set it when sending: match responses by the lower
 * half.
 *
 * <p>{@link #send} and {@link #close} may be called by any thread, even while another one waits in
 * {@link #receive}; only one thread may receive at a time.
 */
public interface MadTransport extends AutoCloseable {
  /**
   * Sends a datagram, which may or may not arrive.
   *
   * @param mad {@value Iba#MAD_LENGTH} bytes, which the transport copies before it returns
   * @param answerWithin how long a response is useful; zero if none is expected. A transport must
   *     deliver responses that arrive within this time, and may drop later ones
   * @throws VerbsException if it cannot be sent, for instance EINVAL for an address that the port
   *     does not accept
   * @throws ObjectClosedException if the transport is closed
   */
  void send(MadAddress to, MemorySegment mad, Duration answerWithin);

  /**
   * Waits for a datagram.
   *
   * @param into receives its {@value Iba#MAD_LENGTH} bytes
   * @param timeout how long to wait; zero does not wait
   * @return the sender's address; null if no datagram arrives in time, or if the transport is
   *     closed, which ends the wait
   * @throws VerbsException if nothing more can be received
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  @Nullable MadAddress receive(MemorySegment into, Duration timeout) throws InterruptedException;

  /** Releases the resources of the transport. A second call does nothing. */
  @Override
  void close();
}
