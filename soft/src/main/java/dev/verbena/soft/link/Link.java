package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;

/**
 * How packets travel. A datagram is a UDP payload, complete: from BTH to ICRC (S12.1.2).
 *
 * <p>Three callers may be active at a time: one sender, one receiver, and one engine thread in
 * {@link #await}; {@link #wake} may come from any thread at any time. A link counts refusals,
 * overflows and faults itself (see {@link LinkCounters}); packets and bytes are counted by its
 * user.
 */
public interface Link extends AutoCloseable {
  /**
   * Where each packet is logged, and each chunk on the loopback, at TRACE. Whether it is wanted is
   * asked when a device is opened, or a queue pair is made.
   */
  String PACKET_LOG = "dev.verbena.soft.packets";

  /** Buffers for packets begin on a cache line, so that copies of them are whole lines. */
  int BUFFER_ALIGNMENT = 64;

  /** The largest datagram there is, bytes: a payload of 4096 with every header. */
  int MAX_DATAGRAM = 4096 + 128;

  /** Bytes of a receive buffer that a run of datagrams takes, besides its own. */
  int RUN_CHARGE = 848;

  /**
   * Sends one datagram. One caller at a time. The buffer may be reused on return.
   *
   * <p>An error that repeating does not mend (unreachable, refused, too long for the path) counts
   * as sent and lost, as it would be behind the first router; it is logged once a kind.
   *
   * @param datagram memory that starts with the datagram
   * @param length bytes of it, at most {@link #maxDatagram}
   * @param route where to
   * @param now engine time, nanoseconds
   * @return false if the link takes nothing at the moment: the datagram was not sent, and {@link
   *     #await} returns once trying again makes sense
   */
  boolean send(MemorySegment datagram, long length, Route route, long now);

  /**
   * Sends what waits in a batch, the oldest first, and removes it from there. A caller counts as
   * one of {@link #send(MemorySegment, long, Route, long)}, which says what becomes of each.
   *
   * <p>A link that finds out that it can send no runs any more says so to the batch.
   *
   * @return false if the link took no more at the moment, and some are left
   */
  default boolean send(SendBatch batch, long now) {
    while (!batch.isEmpty()) {
      if (!send(batch.datagram(0), batch.length(0), batch.route(0), now)) {
        return false;
      }
      batch.remove(1);
    }
    return true;
  }

  /**
   * How many datagrams of a run ({@link SendBatch}) it sends as one. Over IPv4 the IDs of these
   * count up from 0, which their ICRCs must say. Always 1 for a link that looks at each.
   */
  default int mostSegments() {
    return 1;
  }

  /**
   * Hands datagrams that have arrived to the receiver; never blocks. One caller at a time. Also
   * sends what the link held back and whose {@link #deadline} has passed.
   *
   * @param most after so many no more are received; what came as one is handed over whole, so that
   *     it may be exceeded by less than 64 KiB
   * @param now engine time, nanoseconds
   * @return how many were handed over
   */
  int receive(Receiver receiver, int most, long now);

  /**
   * Makes what is sent to a multicast group arrive here, this link's own packets included: joins
   * the group on the interface of the local address. A caller counts as the receiver: never while
   * another thread receives.
   *
   * @param group IP address of the same version as the local one, which this link has not joined
   *     yet
   * @throws dev.verbena.verbs.VerbsException if the system refuses, with its errno
   */
  void join(Address group);

  /**
   * Ends {@link #join}; does nothing if the link is not in that group. Never while another thread
   * receives.
   */
  void leave(Address group);

  /**
   * When the link wants {@link #receive} to be called although nothing may have arrived: engine
   * time in nanoseconds, or {@link Long#MAX_VALUE}, as of a link that holds nothing back.
   */
  default long deadline() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether what is sent needs an ICRC. If not, nothing changes packets on this link, and its
   * receivers are told that there is none ({@link Arrival#hasIcrc}).
   */
  default boolean needsIcrc() {
    return true;
  }

  /** The largest datagram that can be sent, bytes. */
  int maxDatagram();

  /**
   * How many packets may be in flight to one destination so that a healthy path loses nothing; at
   * least 4.
   *
   * @param payload bytes of payload of each packet
   */
  int mostInFlight(int payload);

  /**
   * The same for packets of which it is known what they take of a receive buffer on average: their
   * bytes, and {@link #RUN_CHARGE} for each run. At least 1.
   */
  default int mostInFlightOf(int charge) {
    return 1;
  }

  /**
   * How many packets may be on their way to this link, because it has asked for them, so that a
   * healthy path loses nothing; at least 4.
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
   * @param nanos at most so long, in nanoseconds; none if not positive
   */
  void await(long nanos);

  /** Ends the present {@link #await} or else the next one. A system call only if one is blocked. */
  void wake();

  /** The local address. */
  Address address();

  /**
   * What has become of the local address and its interface. Takes some tens of microseconds: once
   * in a while, not for every packet.
   */
  LinkState state();

  /**
   * Gives the address back. Idempotent. No other call may be under way or follow, but {@link
   * #wake}, which then does nothing.
   */
  @Override
  void close();
}
