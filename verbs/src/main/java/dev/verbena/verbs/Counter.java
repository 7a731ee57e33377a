package dev.verbena.verbs;

import java.util.Locale;

/**
 * What a software device counts, in all and since it was opened. The names are stable. What
 * concerns one queue pair is counted there as well ({@link QueuePair#counters()}): all but what was
 * dropped before a queue pair was found (malformed, ICRC, no such queue pair), and what the link
 * does (overflows, blocked sends, faults), and heap shortages.
 */
public enum Counter {
  /** Packets handed to a packet link, repeats included. */
  PACKETS_SENT,
  /** RoCEv2 packets received from a packet link, before any check. */
  PACKETS_RECEIVED,
  /** Bytes of those sent, from BTH to ICRC. */
  BYTES_SENT,
  /** Bytes of those received. */
  BYTES_RECEIVED,
  /** Messages sent by the message-level loopback, which makes no packets of them. */
  LOOPBACK_MESSAGES,
  /** Messages received by the message-level loopback. */
  LOOPBACK_RECEIVED,
  /** Request packets or loopback messages sent again. */
  RETRANSMITTED,
  /** Expired retransmission timers. */
  TIMEOUTS,
  /** RNR NAKs sent. */
  RNR_NAKS_SENT,
  /** RNR NAKs received. */
  RNR_NAKS_RECEIVED,
  /** PSN sequence error NAKs sent. */
  SEQUENCE_NAKS_SENT,
  /** PSN sequence error NAKs received. */
  SEQUENCE_NAKS_RECEIVED,
  /**
   * Congestion notification packets (CNP) received: the network marked packets that this device
   * sent.
   */
  CONGESTION_NOTIFICATIONS_RECEIVED,
  /** Requests recognised as repeated; on UC, or as late. */
  DUPLICATE_REQUESTS,
  /** Requests refused as invalid (NAK 0x61; in silence on UC and UD). */
  INVALID_REQUESTS,
  /** Requests refused for key, rights or bounds (NAK 0x62; in silence on UC). */
  ACCESS_ERRORS,
  /** Packets dropped: shorter than a header, wrong version, unknown opcode, bad padding. */
  DROPPED_MALFORMED,
  /** Packets dropped: ICRC mismatch. */
  DROPPED_ICRC,
  /** Packets dropped: no such queue pair. */
  DROPPED_NO_QP,
  /** Packets dropped: the queue pair is of another type or in a state that does not receive. */
  DROPPED_QP_STATE,
  /** Packets dropped: not from the connected peer's address. */
  DROPPED_SOURCE,
  /** Packets dropped: P_Key mismatch. */
  DROPPED_PKEY,
  /** Packets dropped: Q_Key mismatch. */
  DROPPED_QKEY,
  /** UC and UD messages dropped: no receive was posted. */
  DROPPED_NO_RECEIVE,
  /**
   * Requests dropped: out of order, with a NAK already sent, or, on UC, of a message of which a
   * part was lost.
   */
  DROPPED_OUT_OF_ORDER,
  /** FLUSH requests dropped because too many wait to be answered; the peer repeats them. */
  DROPPED_NO_ROOM,
  /** Responses dropped: nothing outstanding fits them. */
  DROPPED_STALE_RESPONSE,
  /**
   * Datagrams that the receive buffer of a link could not hold: of the operating system's socket,
   * where that reports them, or of an in-memory link that is in a multicast group.
   */
  SOCKET_OVERFLOWS,
  /** Ethernet frames that RAW_PACKET queue pairs have sent. */
  FRAMES_SENT,
  /** Ethernet frames that steering rules delivered to queue pairs; each counts once. */
  FRAMES_RECEIVED,
  /** Ethernet frames for this station that no steering rule matched. */
  DROPPED_NO_FLOW,
  /** Sends that the socket refused for the moment, tried again later. */
  SEND_BLOCKED,
  /**
   * How often the heap was full when the device needed a little of it: a packet or an event may
   * have been lost; the device goes on.
   */
  HEAP_SHORTAGES,
  /** Packets that the fault decorator dropped. */
  FAULTS_DROPPED,
  /** Packets that the fault decorator sent twice. */
  FAULTS_DUPLICATED,
  /** Packets that the fault decorator swapped with the next one. */
  FAULTS_REORDERED,
  /** Packets that the fault decorator delayed. */
  FAULTS_DELAYED,
  /** Packets in which the fault decorator flipped a bit. */
  FAULTS_CORRUPTED;

  /**
   * The counter with a stable name.
   *
   * @param key as {@link #key()} gives it
   * @throws VerbsException EINVAL if there is none
   */
  public static Counter of(String key) {
    for (Counter counter : values()) {
      if (counter.key().equals(key)) {
        return counter;
      }
    }
    throw new VerbsException("counter", Errno.EINVAL, "there is no counter '" + key + "'");
  }

  /** The stable name, such as "packets_sent". */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
