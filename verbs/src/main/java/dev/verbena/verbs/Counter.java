package dev.verbena.verbs;

import java.util.Locale;

/**
 * What a software device counts, in total since it was opened. The names are stable. Most counters
 * also exist for each queue pair ({@link QueuePair#counters()}). The exceptions are packets dropped
 * before a queue pair was found (malformed, ICRC, no such queue pair), events on the link
 * (overflows, blocked sends, faults), and heap shortages.
 */
public enum Counter {
  /**
   * Packets handed to a packet link, repeats included. Through shared memory one that stands for
   * several counts as these, here and when received.
   */
  PACKETS_SENT,
  /** RoCEv2 packets received from a packet link, before any check. */
  PACKETS_RECEIVED,
  /** Bytes of the packets sent, from BTH to ICRC. */
  BYTES_SENT,
  /** Bytes of the packets received, from BTH to ICRC. */
  BYTES_RECEIVED,
  /** Messages sent by the message-level loopback, which makes no packets. */
  LOOPBACK_MESSAGES,
  /** Bytes of data that these messages have carried, repeats and answers to READs included. */
  LOOPBACK_BYTES,
  /** Messages received by the message-level loopback. */
  LOOPBACK_RECEIVED,
  /**
   * WRITEs, READs and atomics that this device has executed itself, in memory of another process
   * that both have mapped ({@link LinkKind#SHM}). They are no packets, and the other device does
   * not count them.
   */
  DIRECT_MESSAGES,
  /** Bytes of data that these WRITEs, READs and atomics have moved. */
  DIRECT_BYTES,
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
   * Congestion notification packets (CNP) sent: the network marked packets of the peer, or they
   * filled this device's receive buffer.
   */
  CONGESTION_NOTIFICATIONS_SENT,
  /**
   * Congestion notification packets (CNP) received: the network marked packets that this device
   * sent.
   */
  CONGESTION_NOTIFICATIONS_RECEIVED,
  /** Requests recognised as repeated, or, on UC, as late. */
  DUPLICATE_REQUESTS,
  /**
   * Requests, other than datagrams, whose PSN is more than 65,536 from the expected one. A peer
   * sends such ones only if it starts over, so somebody else may be guessing.
   */
  UNLIKELY_PSNS,
  /** Requests refused as invalid (NAK 0x61; silently on UC and UD). */
  INVALID_REQUESTS,
  /** Requests refused for key, rights or bounds (NAK 0x62; silently on UC). */
  ACCESS_ERRORS,
  /** Packets dropped: shorter than a header, wrong version, unknown opcode, bad padding. */
  DROPPED_MALFORMED,
  /** Packets dropped: ICRC mismatch. */
  DROPPED_ICRC,
  /** Packets dropped: no such queue pair. */
  DROPPED_NO_QP,
  /** Packets dropped: the queue pair has another type or is in a state that does not receive. */
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
   * Requests dropped: out of order after a NAK was already sent, or, on UC, part of a message that
   * has lost a packet.
   */
  DROPPED_OUT_OF_ORDER,
  /** FLUSH requests dropped because too many are waiting for a response; the peer repeats them. */
  DROPPED_NO_ROOM,
  /** Responses dropped: they match no outstanding request. */
  DROPPED_STALE_RESPONSE,
  /**
   * Datagrams that did not fit into the receive buffer of a link: the operating system's socket,
   * where it reports them, or an in-memory link that has joined a multicast group. Through shared
   * memory the sender counts them, as {@link #SEND_LOST}.
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
   * Packets and frames that a link gave up: the system refused them for good, no device in memory
   * has the address, or the peer's process takes nothing from shared memory. Packets lost in the
   * network are not in it.
   */
  SEND_LOST,
  /**
   * How often the heap was full when the device had to allocate: a packet or an event may have been
   * lost; the device carries on.
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
   * The counter with this stable name.
   *
   * @param key a name as {@link #key()} returns it
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
