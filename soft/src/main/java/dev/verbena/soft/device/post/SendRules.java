package dev.verbena.soft.device.post;

import dev.verbena.soft.device.object.SoftAddressHandle;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.Sge;
import dev.verbena.wire.EthernetHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The rules for send work requests of one queue pair, for both posting APIs (S1.1-S1.3). Each rule
 * returns null, or the reason for a refusal.
 */
public final class SendRules {
  private static final long MAX_SGE_LENGTH = (1L << 32) - 1;

  private final QpType type;
  private final QpCap cap;
  private final int maxSge;
  private final boolean sigAll;
  private final KeyTable keys;
  private final Domain domain;
  private final long maxMessage;
  private final TsoRules tso;
  private final Refusal full;

  /**
   * @param init the granted attributes of the queue pair
   * @param datagramBytes most bytes of a datagram
   * @param frameBytes most bytes of an Ethernet frame
   */
  public SendRules(
      QpInitAttr init, KeyTable keys, Domain domain, int datagramBytes, int frameBytes) {
    this.type = init.qpType();
    this.cap = init.cap();
    this.maxSge = cap.maxSendSge();
    this.sigAll = init.sqSigAll();
    this.keys = keys;
    this.domain = domain;
    this.maxMessage =
        switch (type) {
          case UD -> datagramBytes;
          case RAW_PACKET -> frameBytes;
          default -> Limits.MAX_MESSAGE;
        };
    this.full =
        Refusal.full(
            "the send queue holds max_send_wr="
                + cap.maxSendWr()
                + " requests that have not completed, or whose completions were not polled");
    this.tso = new TsoRules(type, init.maxTsoHeader(), (int) maxMessage);
  }

  /** Transport service. */
  QpType type() {
    return type;
  }

  /**
   * Whether a request with this operation names its destination: on UD an address, on XRC a shared
   * receive queue unless nothing goes to the peer (S2.11).
   */
  boolean namesDestination(SendOperation operation) {
    return type == QpType.UD || (type == QpType.XRC_SEND && !operation.executedHere);
  }

  /** The number of a shared receive queue at the peer (S7.5). */
  static @Nullable Refusal srqNum(int number) {
    return number >= 0 && number <= Limits.MAX_QPN
        ? null
        : Refusal.invalid(
            "remote_srqn 0x" + Integer.toHexString(number) + " has more than 24 bits");
  }

  /** S1.3.1. */
  static @Nullable Refusal state(QpState state) {
    return switch (state) {
      case RTS, SQD, SQE, ERR -> null;
      case RESET, INIT, RTR, UNKNOWN ->
          Refusal.invalid("sends are posted from state RTS on, this QP is in " + state);
    };
  }

  /** S1.1. */
  @Nullable Refusal operation(SendOperation operation) {
    return operation.existsOn(type)
        ? null
        : Refusal.invalid(operation.opcode + " does not exist on a queue pair of type " + type);
  }

  /** S1.2.b. */
  static @Nullable Refusal flags(int flags) {
    return (flags & ~SendFlags.ALL) == 0
        ? null
        : Refusal.invalid("undefined send flags 0x" + Integer.toHexString(flags & ~SendFlags.ALL));
  }

  /** S1.2, INLINE. */
  static @Nullable Refusal inline(SendOperation operation) {
    return operation.allowsInline()
        ? null
        : Refusal.invalid(
            operation.opcode
                + " has no data to copy: INLINE is for SEND, RDMA_WRITE and ATOMIC_WRITE");
  }

  /** S1.3.2. */
  @Nullable Refusal elements(int numSge, int listLength) {
    if (numSge < 0 || numSge > listLength) {
      return Refusal.invalid(numSge + " SGEs of a list of " + listLength);
    }
    if (numSge > maxSge) {
      return Refusal.invalid(numSge + " SGEs, this QP was created with max_send_sge=" + maxSge);
    }
    return null;
  }

  /**
   * An element that names memory by a segment is only for inline data, whose key does not count.
   */
  static @Nullable Refusal keyed(int index, Sge sge) {
    return sge.segment() == null
        ? null
        : Refusal.invalid(
            "SGE "
                + index
                + " is a memory segment, which is not registered: set SendFlags.INLINE or use"
                + " mr.sge()");
  }

  /** The length of an element, which is 32 bits in C. */
  static @Nullable Refusal elementLength(long length) {
    return length >= 0 && length <= MAX_SGE_LENGTH
        ? null
        : Refusal.invalid("an SGE of " + length + " bytes is not in 0 to 2^32-1");
  }

  /** Whether every request must name its destination (S2.11). */
  boolean needsDestination() {
    return type == QpType.UD;
  }

  /** S1.3.5: the destination of a datagram. */
  @Nullable Refusal destination(@Nullable AddressHandle ah, int remoteQpn) {
    if (ah == null) {
      return Refusal.invalid(
          "a request on a UD queue pair needs an address handle, and this one has none");
    }
    if (!(ah instanceof SoftAddressHandle own) || !own.domain().equals(domain)) {
      return Refusal.invalid(ah + " does not belong to this queue pair's protection domain");
    }
    if (own.isClosed()) {
      return Refusal.invalid(own.lifetime().name() + " is closed");
    }
    return (remoteQpn & ~Limits.MAX_QPN) == 0
        ? null
        : Refusal.invalid("remote_qpn 0x" + Integer.toHexString(remoteQpn) + " is beyond 24 bits");
  }

  /** S1.3.10: the rules for TSO requests, except for their data. */
  TsoRules tso() {
    return tso;
  }

  /** S1.3.6, S1.3.9, S1.3.10, S1.7.10, S9.1: the bytes of the whole message. */
  @Nullable Refusal total(SendOperation operation, long bytes) {
    SendOperation.Content content = operation.content;
    if (content == SendOperation.Content.SEGMENTS) {
      return bytes > Limits.MAX_TSO
          ? Refusal.invalid(
              bytes + " bytes to be cut into segments, the device has max_tso=" + Limits.MAX_TSO)
          : null;
    }
    if (type == QpType.RAW_PACKET && (bytes < EthernetHeader.LENGTH || bytes > maxMessage)) {
      return Refusal.invalid(
          "a frame of "
              + bytes
              + " bytes is not in "
              + EthernetHeader.LENGTH
              + " to "
              + maxMessage);
    }
    if (bytes > maxMessage) {
      return Refusal.invalid(
          type == QpType.UD
              ? bytes + " bytes, a datagram has at most the port's active_mtu=" + maxMessage
              : bytes + " bytes, the port has max_msg_sz=" + maxMessage);
    }
    if (content == SendOperation.Content.VALUE && bytes != RemoteAtomics.BYTES) {
      return Refusal.invalid(operation.opcode + " writes 8 bytes, the SGEs have " + bytes);
    }
    return operation.atomic && bytes < RemoteAtomics.BYTES
        ? Refusal.invalid("the result of an atomic takes 8 bytes, the SGEs have " + bytes)
        : null;
  }

  /** S2.18, S5.4.5: the arguments of a FLUSH. */
  static @Nullable Refusal flush(int type, @Nullable FlushLevel level, long length) {
    if (type == 0 || (type & ~(FlushType.GLOBAL | FlushType.PERSISTENT)) != 0) {
      return Refusal.invalid(
          "FLUSH of type 0x" + Integer.toHexString(type) + " is not GLOBAL, PERSISTENT or both");
    }
    if (level == null) {
      return Refusal.invalid("FLUSH without a level");
    }
    return level == FlushLevel.MR || (length >= 0 && length <= MAX_SGE_LENGTH)
        ? null
        : Refusal.invalid("FLUSH of " + length + " bytes is not in 0 to 2^32-1");
  }

  /** S1.3.3: whether inline data is too long. */
  boolean exceedsInline(long bytes) {
    return bytes > cap.maxInlineData();
  }

  /** The message for {@link #exceedsInline}. */
  String inlineLimit(long bytes) {
    return bytes
        + " bytes of inline data, this QP was created with max_inline_data="
        + cap.maxInlineData();
  }

  /**
   * S1.3.4.
   *
   * @param ahead how many requests were claimed and not yet published
   */
  Refusal full(SendQueue queue, int ahead, QpStatus status) {
    return status.flushesSends() || !queue.isUnsignaled(ahead) ? full : unsignaled();
  }

  /** Polling would not help, which the usual words suggest. */
  private Refusal unsignaled() {
    int most = cap.maxSendWr();
    return Refusal.full(
        "max_send_wr="
            + most
            + " requests precede this one, all of them unsignaled, so no completion will free"
            + " their slots; make at least one of "
            + most
            + " SIGNALED, or set sqSigAll, and poll its completion");
  }

  /**
   * Starts a request in its slot, with the flags that apply to its operation (S1.2). Decides
   * whether a successful request generates a completion (S1.5.1).
   */
  void begin(SendWqe wqe, long wrId, SendOperation operation, int flags) {
    boolean signaled = sigAll || (flags & SendFlags.SIGNALED) != 0;
    wqe.begin(wrId, operation, operation.effectiveFlags(type, flags), signaled);
  }

  /**
   * Copies inline data of a list element from its segment, or from the registered memory that its
   * lkey names, because Java cannot read from a bare address.
   */
  @Nullable Refusal copyInline(Sge sge, ScatterGather into) {
    if (sge.length() == 0) {
      return null;
    }
    MemorySegment segment = sge.segment();
    if (segment != null) {
      return copyInline(segment, sge.segmentOffset(), sge.length(), into);
    }
    Region region = keys.byLocalKey(sge.lkey());
    if (region == null || region.check(domain, 0, sge.addr(), sge.length()) != AccessFault.NONE) {
      return Refusal.invalid(
          "inline data at a bare address that the lkey does not cover ("
              + sge
              + "): use Sge.of(segment)");
    }
    return copyInline(region.memory(), region.offset(sge.addr()), sge.length(), into);
  }

  /** Copies inline data from a segment of any kind that this thread may read. */
  static @Nullable Refusal copyInline(
      MemorySegment data, long offset, long length, ScatterGather into) {
    if (offset < 0 || length < 0 || offset > data.byteSize() - length) {
      return Refusal.invalid(
          length
              + " bytes of inline data at offset "
              + offset
              + " of a segment of "
              + data.byteSize());
    }
    if (length == 0) {
      return null;
    }
    try {
      into.addInline(data, offset, length);
      return null;
    } catch (IllegalStateException | InternalError e) {
      return Refusal.invalid(
          "the memory of the inline data is gone: its arena was closed, or its file truncated");
    } catch (WrongThreadException e) {
      return Refusal.invalid("the inline data belongs to another thread's confined arena");
    }
  }
}
