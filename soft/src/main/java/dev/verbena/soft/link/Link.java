package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets. A datagram is a complete UDP payload, from BTH to ICRC (S12.1.2).
 *
 * <p>Three callers may be active at a time: one sender, one receiver, and one engine thread in
 * {@link #await}; {@link #wake} may come from any thread at any time. A link counts refusals,
 * losses, overflows and faults itself (see {@link LinkCounters}); its user counts packets and
 * bytes.
 */
public interface Link extends AutoCloseable {
  /**
   * Logger for each packet, and each chunk on the loopback, at TRACE. The level is read when a
   * device is opened, or a queue pair is made.
   */
  String PACKET_LOG = "dev.verbena.soft.packets";

  /** The number of no descriptor. */
  int NO_BELL = -1;

  /** Buffers for packets begin on a cache line, so that copies consist of whole lines. */
  int BUFFER_ALIGNMENT = 64;

  /** Bytes that all headers and the ICRC of a packet fit into. */
  int MAX_OVERHEAD = 128;

  /** The largest datagram in bytes: a payload of 4096 with every header. */
  int MAX_DATAGRAM = 4096 + MAX_OVERHEAD;

  /** Bytes of a receive buffer that a run of datagrams takes in addition to its own. */
  int RUN_CHARGE = 848;

  /**
   * Sends one datagram. One caller at a time. The buffer may be reused on return.
   *
   * <p>After a permanent error (unreachable, refused, too long for the path) the datagram counts as
   * sent and lost, as it would after the first router; each kind of error is logged once, and each
   * datagram counted ({@link dev.verbena.verbs.Counter#SEND_LOST}).
   *
   * @param datagram memory that starts with the datagram
   * @param length bytes of it, at most {@link #maxDatagram}, or those of a long packet
   * @param route the destination
   * @param now engine time, nanoseconds
   * @return false if the link currently takes nothing; the datagram was not sent, and {@link
   *     #await} returns once another try makes sense
   */
  boolean send(MemorySegment datagram, long length, Route route, long now);

  /**
   * Sends the datagrams of a batch, the oldest first, and removes them. A caller counts as one of
   * {@link #send(MemorySegment, long, Route, long)}, which describes the result for each.
   *
   * <p>A link that finds out that it can send no runs any more says so to the batch.
   *
   * @return false if the link currently takes no more, and some are left
   */
  default boolean send(SendBatch batch, long now) {
    while (!batch.isEmpty()) {
      if (!send(batch.datagrams[0], batch.lengths[0], batch.routes[0], now)) {
        return false;
      }
      batch.remove(1);
    }
    return true;
  }

  /**
   * How many datagrams of a run ({@link SendBatch}) it sends as one. Over IPv4 their IDs count up
   * from 0, which their ICRCs must cover. 1 for a link that has no runs, or sends each datagram by
   * itself.
   */
  default int mostSegments() {
    return 1;
  }

  /**
   * Passes received datagrams to the receiver; never blocks. One caller at a time. Also sends
   * delayed datagrams whose {@link #deadline} has passed.
   *
   * @param most the number after which it stops; a run that came as one is passed whole, so the
   *     result may exceed this by less than 64 KiB
   * @param now engine time, nanoseconds
   * @return the number of datagrams passed; a long packet counts as what it takes in the buffer
   */
  int receive(Receiver receiver, int most, long now);

  /**
   * Joins a multicast group on the interface of the local address, so that its datagrams arrive
   * here, including this link's own. A caller counts as the receiver, so never call it while
   * another thread receives.
   *
   * @param group IP address of the same version as the local one, which this link has not joined
   *     yet
   * @throws dev.verbena.verbs.VerbsException if the system refuses, with its errno
   */
  void join(Address group);

  /**
   * Undoes {@link #join}; does nothing if the link is not in that group. Never call it while
   * another thread receives.
   */
  void leave(Address group);

  /** Whether the link may hold datagrams back; senders ask for its {@link #deadline} only then. */
  default boolean holds() {
    return false;
  }

  /**
   * When the link needs a call of {@link #receive} even if nothing has arrived: engine time in
   * nanoseconds, or {@link Long#MAX_VALUE} if it holds nothing. A link that overrides this must
   * override {@link #holds} as well, or senders never ask.
   */
  default long deadline() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether sent packets need an ICRC. If not, nothing changes packets on this link, and its
   * receivers are told that there is none ({@link Arrival#hasIcrc}).
   */
  default boolean needsIcrc() {
    return true;
  }

  /** The largest datagram that can be sent, in bytes; a long packet may be larger. */
  int maxDatagram();

  /**
   * The most bytes of payload in a long packet, which stands for several consecutive packets of a
   * message; 0 if the link carries none. Only a link that crosses no network carries them, and they
   * have no ICRC.
   */
  default int longPayload() {
    return 0;
  }

  /** The largest datagram that its user may have for it, long packets included, in bytes. */
  default int longestDatagram() {
    return Math.max(MAX_DATAGRAM, longPayload() + MAX_OVERHEAD);
  }

  /**
   * What can be used without packets by the processes behind this link, and of theirs; null if
   * nothing can.
   */
  default @Nullable Exports exports() {
    return null;
  }

  /** If it has no {@link #exports}: why, in words for people. */
  default String whyNoExports() {
    return "the device's link carries nothing else";
  }

  /**
   * How many packets may be in flight to one destination so that a healthy path loses nothing; at
   * least 4.
   *
   * @param payload bytes of payload of each packet
   */
  int mostInFlight(int payload);

  /**
   * The same for packets whose average share of a receive buffer is known: their bytes, and {@link
   * #RUN_CHARGE} for each run. At least 1.
   *
   * @param largest bytes of the largest payload among them
   * @param peerBuffer bytes of the peer's receive buffer; 0 if it has not said how many it has
   */
  default int mostInFlightOf(int charge, int largest, int peerBuffer) {
    return 1;
  }

  /**
   * Bytes of its receive buffer, which peers may want to know because what is in flight to this
   * link has to fit into it; 0 if nothing is gained by that.
   */
  default int receiveBuffer() {
    return 0;
  }

  /**
   * How many requested packets may be on the way to this link so that a healthy path loses nothing;
   * at least 4.
   *
   * @param mtu bytes of payload of each packet
   */
  default int mostAnswersInFlight(int mtu) {
    return mostInFlight(mtu);
  }

  /**
   * Blocks until a datagram may be there, a refused send may succeed, {@link #wake} was called, or
   * the time has passed. May return early. The engine thread only.
   *
   * @param nanos the longest time in nanoseconds; does not block if not positive
   */
  void await(long nanos);

  /**
   * Ends the current {@link #await}, or the next one. Makes a system call only if a thread is
   * blocked.
   */
  void wake();

  /**
   * A pipe of this process that other processes can open by its number in /proc: whoever writes a
   * byte to it ends {@link #await}. {@link #NO_BELL} if there is none.
   */
  default int bell() {
    return NO_BELL;
  }

  /**
   * Whether somebody can be reached at an address, as far as the link knows. A caller counts as the
   * sender, and may wait for some system calls.
   *
   * @param now engine time, nanoseconds
   */
  default boolean reaches(Address address, long now) {
    return true;
  }

  /** The local address. */
  Address address();

  /**
   * The state of the local address and its interface. Takes some tens of microseconds, so call it
   * now and then, not for every packet.
   */
  LinkState state();

  /**
   * Frees the address. Idempotent. No other call may be under way or follow, except {@link #wake},
   * which then does nothing.
   */
  @Override
  void close();
}
