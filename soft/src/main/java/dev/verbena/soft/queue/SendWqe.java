package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Binding;
import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/**
 * A send work request in its queue. The poster fills it before publishing; from then on the
 * requester owns it, until it completes. A carrier: what it has is read as fields, and set by calls
 * that say what belongs together.
 */
public final class SendWqe {
  /** Local memory, or inline data. */
  public final ScatterGather data;

  /** The header template of a TSO request; null on queue pairs without TSO. */
  public final @Nullable TsoTemplate tso;

  /** Identifier. */
  public long wrId;

  /** Its operation. */
  public SendOperation operation = SendOperation.of(WrOpcode.SEND);

  /** Whether earlier READs and atomics must complete first. */
  public boolean fenced;

  /** Whether the peer should raise a solicited event. */
  public boolean solicited;

  /** Whether the device fills the checksums of the IP packet that it sends. */
  public boolean fillsChecksums;

  /** Whether it generates a completion on success. */
  public boolean signaled;

  /** Immediate data, or the key to invalidate. */
  public int immOrKey;

  /** Address at the peer. */
  public long remoteAddr;

  /** Key at the peer. */
  public int rkey;

  /** The shared receive queue at the peer, for XRC. */
  public int srqNum;

  /** Value to compare with. */
  public long compare;

  /** Value to store or to add. */
  public long swapOrAdd;

  /** Bytes that a FLUSH covers. */
  public long flushLength;

  /** {@link dev.verbena.verbs.FlushType} bits of a FLUSH. */
  public int flushType;

  /** Number of the {@link dev.verbena.verbs.FlushLevel} of a FLUSH. */
  public int flushLevel;

  /** Destination of a datagram, or null. */
  public @Nullable Destination destination;

  /** Destination queue pair of a datagram. */
  public int remoteQpn;

  /** Q_Key of a datagram. */
  public int remoteQkey;

  private @Nullable Binding binding;

  /** Whether it has PSNs, or was executed without any. */
  public boolean started;

  /** First PSN; valid once it is {@link #started}. */
  public int firstPsn;

  /** How many PSNs the request takes; 0 before it starts, and if it needs no peer. */
  public int psnCount;

  /** How many PSNs of a READ were answered. */
  public int psnsDone;

  SendWqe(ScatterGather data, @Nullable TsoTemplate tso) {
    this.data = data;
    this.tso = tso;
  }

  /** Starts a new request in this slot: no data, no addresses. */
  public void begin(long id, SendOperation what, int sendFlags, boolean wantsCompletion) {
    wrId = id;
    operation = what;
    fenced = (sendFlags & SendFlags.FENCE) != 0;
    solicited = (sendFlags & SendFlags.SOLICITED) != 0;
    fillsChecksums = (sendFlags & SendFlags.IP_CSUM) != 0;
    signaled = wantsCompletion;
    immOrKey = 0;
    remoteAddr = 0;
    rkey = 0;
    srqNum = 0;
    destination = null;
    started = false;
    psnCount = 0;
    psnsDone = 0;
    data.clear();
  }

  /** Sets immediate data, or the key to invalidate. */
  public void immOrKey(int value) {
    immOrKey = value;
  }

  /** Sets the address and key at the peer. */
  public void remote(long addr, int key) {
    remoteAddr = addr;
    rkey = key;
  }

  /** Sets the shared receive queue at the peer, for XRC. */
  public void srqNum(int number) {
    srqNum = number;
  }

  /** Sets the operands of an atomic; without a comparison the first is 0. */
  public void operands(long compareWith, long swapOrAddend) {
    compare = compareWith;
    swapOrAdd = swapOrAddend;
  }

  /** Sets the arguments of a FLUSH: bytes, FlushType bits and the number of a FlushLevel. */
  public void flush(long length, int type, int level) {
    flushLength = length;
    flushType = type;
    flushLevel = level;
  }

  /**
   * Sets the destination of a datagram.
   *
   * @param where address
   * @param qpn queue pair there, 24 bits
   * @param qkey its Q_Key; with bit 31, the sending queue pair's own is used (S1.7.11)
   */
  public void destination(Destination where, int qpn, int qkey) {
    destination = where;
    remoteQpn = qpn;
    remoteQkey = qkey;
  }

  /** The binding of a memory window; reused by the next BIND_MW in this slot. */
  public Binding binding() {
    if (binding == null) {
      binding = new Binding();
    }
    return binding;
  }

  /** Gives the request its PSNs; none if it needs none. */
  public void assignPsns(int first, int count) {
    started = true;
    firstPsn = first;
    psnCount = count;
    psnsDone = 0;
  }

  /** Records how many of the request's PSNs were answered by responses of a READ. */
  public void psnsDone(int count) {
    psnsDone = count;
  }

  /** Whether it was executed on this side, and needs no peer. */
  public boolean isExecuted() {
    return started && psnCount == 0;
  }

  /** Such as {@code SEND wr_id 7 psn 12 signaled, 5 bytes}; {@code psn 12 x4} is 12 to 15. */
  @Override
  public String toString() {
    return operation.opcode
        + " wr_id "
        + wrId
        + (psnCount == 0 ? "" : " psn " + firstPsn)
        + (psnCount > 1 ? " x" + psnCount : "")
        + (signaled ? " signaled" : "")
        + ", "
        + data.total
        + " bytes";
  }
}
