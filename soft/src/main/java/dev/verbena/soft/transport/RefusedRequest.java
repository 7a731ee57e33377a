package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Region;
import dev.verbena.verbs.Access;
import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A request of a peer that is not executed: its sender, the cause and the consequence. A responder
 * has one object, and fills it only in this case: first the cause where it is found, then the rest.
 */
public final class RefusedRequest {
  /** The cause. */
  public enum Cause {
    /** The right is missing in the queue pair's qp_access_flags. */
    QP_RIGHT,
    /** The memory that a key names may not be used this way. */
    MEMORY,
    /** Payload of a packet that is too short or too long for its place in the message. */
    PACKET_LENGTH,
    /** The packets of a message have more or less data than the first one announced. */
    MESSAGE_LENGTH,
    /** Longer than the longest message. */
    TOO_LONG,
    /** An atomic that is not 8 bytes long. */
    ATOMIC_LENGTH,
    /** An atomic at an address that is not a multiple of 8. */
    MISALIGNED,
    /** Longer than the posted receive. */
    RECEIVE_TOO_SHORT,
    /** The memory of the posted receive cannot be written. */
    RECEIVE_UNUSABLE,
    /** The key that a SEND_WITH_INV names cannot be invalidated. */
    INVALIDATION,
    /** There is no receive. */
    NO_RECEIVE,
    /** There is no shared receive queue with the number that an XRC request names. */
    NO_SHARED_QUEUE,
    /** It does not continue the sequence of packets. */
    OUT_OF_SEQUENCE,
    /** Its PSN is further ahead than any packet of the peer could be: somebody guesses. */
    UNLIKELY_PSN,
    /** More READs and atomics than max_dest_rd_atomic. */
    READ_LIMIT,
    /** The memory of an accepted READ has ended before all of it was sent. */
    READ_INTERRUPTED,
    /** A FLUSH of an unknown type or level. */
    FLUSH_KIND,
    /** An operation that responders do not have. */
    UNKNOWN_OPERATION,
    /** From another address than the peer's. */
    SOURCE,
    /** Of another partition. */
    PKEY,
    /** A datagram for another Q_Key. */
    QKEY
  }

  private Cause cause = Cause.UNKNOWN_OPERATION;
  private AccessFault fault = AccessFault.NONE;
  private int rkey;
  private long value;
  private long limit;
  private long va;
  private long length;
  private Operation operation = Operation.SEND;
  private Address peer = Address.UNSPECIFIED;
  private int peerQpn;
  private boolean ending;

  /** An object for no request yet. */
  public RefusedRequest() {}

  /** Records a cause that needs no numbers. */
  public void because(Cause why) {
    because(why, 0, 0);
  }

  /**
   * Records a cause.
   *
   * @param found the request's value
   * @param allowed the allowed value
   */
  public void because(Cause why, long found, long allowed) {
    cause = why;
    value = found;
    limit = allowed;
  }

  /** Records a fault in memory of this side, for which the request has no key. */
  public void because(Cause why, AccessFault what, int key) {
    because(why);
    fault = what;
    rkey = key;
  }

  /**
   * Records why memory that a key names may not be used.
   *
   * @param region the region that the key names, or null if there is none
   */
  public void memory(
      AccessFault what, int key, int right, long from, long bytes, @Nullable Region region) {
    because(Cause.MEMORY, what, key);
    va = from;
    length = bytes;
    if (region != null) {
      boolean lacks = what == AccessFault.MISSING_RIGHT;
      value = lacks ? right & ~region.access() : region.base();
      limit = region.length();
    }
  }

  /**
   * Records the sender and the consequence.
   *
   * @param what the operation
   * @param sender its GID
   * @param qpn its queue pair, or 0 if unknown
   * @param ends whether the queue pair ends with it
   */
  public RefusedRequest of(Operation what, Address sender, int qpn, boolean ends) {
    operation = what;
    peer = sender;
    peerQpn = qpn;
    ending = ends;
    return this;
  }

  /** The cause, for counters. */
  public Cause cause() {
    return cause;
  }

  /** Whether the queue pair ends with it; if not, the request is dropped silently. */
  public boolean isEnd() {
    return ending;
  }

  /** The operation as users call it: SEND, WRITE, READ, ... */
  public String operation() {
    return operation == Operation.READ_REQUEST ? "READ" : operation.name();
  }

  /** The sender's address; empty if unknown, as for a frame. */
  public String peerAddress() {
    return peer.equals(Address.UNSPECIFIED) ? "" : peer.toString();
  }

  /** The sender's queue pair, or 0 if unknown. */
  public int peerQpNum() {
    return peerQpn;
  }

  /** The sender, such as {@code 10.0.0.2 QP 0x11}; unknown for a frame. */
  public String peer() {
    String address = peerAddress();
    if (address.isEmpty()) {
      return "the Ethernet";
    }
    return peerQpn == 0 ? address : address + " QP " + hex(peerQpn);
  }

  /** The cause in words. */
  public String reason() {
    return switch (cause) {
      case QP_RIGHT -> "this queue pair was connected without " + rights((int) value);
      case MEMORY -> memoryReason();
      case PACKET_LENGTH ->
          "a packet of "
              + value
              + " bytes, which its place in the message does not allow at a path MTU of "
              + limit;
      case MESSAGE_LENGTH -> "it announced " + limit + " bytes but brings " + value;
      case TOO_LONG -> value + " bytes, more than the " + limit + " that a message may have";
      case ATOMIC_LENGTH -> "an atomic write has " + limit + " bytes, and this one has " + value;
      case MISALIGNED -> "its address " + hex(value) + " is not a multiple of " + limit;
      case RECEIVE_TOO_SHORT ->
          "it needs at least " + value + " bytes, but the receive has " + limit;
      case RECEIVE_UNUSABLE -> "the receive posted for it cannot be used: " + fault.text();
      case INVALIDATION -> "rkey " + hex(rkey) + " cannot be invalidated: " + fault.text();
      case NO_RECEIVE -> "no receive is posted";
      case NO_SHARED_QUEUE ->
          "the XRC domain has no shared receive queue with the number "
              + hex(value)
              + " in this process, and domains are not shared between processes";
      case OUT_OF_SEQUENCE ->
          value == 0
              ? "it continues a message that has not begun"
              : "it begins before the message under way has ended";
      case UNLIKELY_PSN ->
          "its PSN " + value + " is far ahead of the expected one, " + limit + ": a guess?";
      case READ_LIMIT ->
          "more READs and atomics outstanding than max_dest_rd_atomic, which is " + limit;
      case READ_INTERRUPTED ->
          "the memory was deregistered, changed or closed, or its file cut short, while it was"
              + " read";
      case FLUSH_KIND -> "its FLUSH type or level is unknown";
      case UNKNOWN_OPERATION -> "it is not a request";
      case SOURCE -> "it comes from an address other than the peer's";
      case PKEY -> "its P_Key is " + hex(value) + ", and that of this queue pair is " + hex(limit);
      case QKEY -> "its Q_Key is not that of this queue pair";
    };
  }

  private String memoryReason() {
    String key = "rkey " + hex(rkey) + ": ";
    return switch (fault) {
      case UNKNOWN_KEY -> key + "no region or window has this key";
      case MISSING_RIGHT -> key + "the region or window lacks " + rights((int) value);
      case OUT_OF_BOUNDS ->
          key + range(va, length) + " exceed the region or window, " + range(value, limit);
      default -> key + fault.text();
    };
  }

  private static String range(long from, long bytes) {
    return Long.toUnsignedString(bytes) + " bytes at " + hex(from);
  }

  /** These rights of peers in words; empty if there are none. */
  public static String rights(int access) {
    StringBuilder names = new StringBuilder();
    name(names, access, Access.REMOTE_WRITE, "REMOTE_WRITE");
    name(names, access, Access.REMOTE_READ, "REMOTE_READ");
    name(names, access, Access.REMOTE_ATOMIC, "REMOTE_ATOMIC");
    name(names, access, Access.FLUSH_GLOBAL, "FLUSH_GLOBAL");
    name(names, access, Access.FLUSH_PERSISTENT, "FLUSH_PERSISTENT");
    return names.toString();
  }

  private static void name(StringBuilder names, int rights, int right, String name) {
    if ((rights & right) != 0) {
      names.append(names.isEmpty() ? "" : " and ").append(name);
    }
  }

  private static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }

  private static String hex(int number) {
    return "0x" + Integer.toHexString(number);
  }

  /** Such as {@code WRITE from 10.0.0.2 QP 0x11 refused: no receive is posted}. */
  @Override
  public String toString() {
    return operation() + " from " + peer() + (ending ? " refused: " : " dropped: ") + reason();
  }
}
