package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Binding;
import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/**
 * A send work request in its queue. The poster fills it before publishing; from then on the
 * requester owns it, until it completes.
 */
public final class SendWqe {
  private final ScatterGather data;
  private final @Nullable TsoTemplate tso;
  private long wrId;
  private SendOperation operation = SendOperation.of(WrOpcode.SEND);
  private int flags;
  private boolean signaled;
  private int immOrKey;
  private long remoteAddr;
  private int rkey;
  private int srqNum;
  private long compare;
  private long swapOrAdd;
  private long flushLength;
  private int flushType;
  private int flushLevel;
  private @Nullable Destination destination;
  private int remoteQpn;
  private int remoteQkey;
  private @Nullable Binding binding;
  private boolean started;
  private int firstPsn;
  private int psnCount;
  private int psnsDone;

  SendWqe(ScatterGather data, @Nullable TsoTemplate tso) {
    this.data = data;
    this.tso = tso;
  }

  /** Starts a new request in this slot: no data, no addresses. */
  public void begin(long id, SendOperation what, int sendFlags, boolean wantsCompletion) {
    wrId = id;
    operation = what;
    flags = sendFlags;
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

  /** Sets the operands of an atomic; what is not compared has 0 there. */
  public void operands(long compareWith, long swapOrAddend) {
    compare = compareWith;
    swapOrAdd = swapOrAddend;
  }

  /** Sets what a FLUSH does: bytes, FlushType bits and the number of a FlushLevel. */
  public void flush(long length, int type, int level) {
    flushLength = length;
    flushType = type;
    flushLevel = level;
  }

  /**
   * Sets where a datagram goes.
   *
   * @param where address
   * @param qpn queue pair there, 24 bits
   * @param qkey Q_Key that it must have; with bit 31, the sending queue pair's own is sent
   *     (S1.7.11)
   */
  public void destination(Destination where, int qpn, int qkey) {
    destination = where;
    remoteQpn = qpn;
    remoteQkey = qkey;
  }

  /** What a window is to be bound to; kept here from one BIND_MW in this slot to the next. */
  public Binding binding() {
    if (binding == null) {
      binding = new Binding();
    }
    return binding;
  }

  /** Gives the request its place in the sequence of packets; without a PSN if it needs none. */
  public void assignPsns(int first, int count) {
    started = true;
    firstPsn = first;
    psnCount = count;
    psnsDone = 0;
  }

  /** Notes how many of the request's PSNs were answered: responses of a READ. */
  public void psnsDone(int count) {
    psnsDone = count;
  }

  /** Identifier. */
  public long wrId() {
    return wrId;
  }

  /** What it is. */
  public SendOperation operation() {
    return operation;
  }

  /** What users call it. */
  public WrOpcode opcode() {
    return operation.opcode();
  }

  /** Whether it completes with a completion even if all goes well. */
  public boolean isSignaled() {
    return signaled;
  }

  /** Whether earlier READs and atomics must complete first. */
  public boolean isFenced() {
    return (flags & SendFlags.FENCE) != 0;
  }

  /** Whether the peer is to raise a solicited event. */
  public boolean isSolicited() {
    return (flags & SendFlags.SOLICITED) != 0;
  }

  /** Whether the device fills the checksums of the IP packet that it sends. */
  public boolean fillsChecksums() {
    return (flags & SendFlags.IP_CSUM) != 0;
  }

  /** Immediate data, or the key to invalidate. */
  public int immOrKey() {
    return immOrKey;
  }

  /** Address at the peer. */
  public long remoteAddr() {
    return remoteAddr;
  }

  /** Key at the peer. */
  public int rkey() {
    return rkey;
  }

  /** The shared receive queue at the peer, for XRC. */
  public int srqNum() {
    return srqNum;
  }

  /** Value to compare with. */
  public long compare() {
    return compare;
  }

  /** Value to store or to add. */
  public long swapOrAdd() {
    return swapOrAdd;
  }

  /** Bytes that a FLUSH reaches. */
  public long flushLength() {
    return flushLength;
  }

  /** {@link dev.verbena.verbs.FlushType} bits of a FLUSH. */
  public int flushType() {
    return flushType;
  }

  /** Number of the {@link dev.verbena.verbs.FlushLevel} of a FLUSH. */
  public int flushLevel() {
    return flushLevel;
  }

  /** Where a datagram goes, or null. */
  public @Nullable Destination destination() {
    return destination;
  }

  /** Queue pair that a datagram goes to. */
  public int remoteQpn() {
    return remoteQpn;
  }

  /** Q_Key of a datagram. */
  public int remoteQkey() {
    return remoteQkey;
  }

  /** Local memory. */
  public ScatterGather data() {
    return data;
  }

  /** Bytes of local memory, or of inline data. */
  public long length() {
    return data.total();
  }

  /** What a TSO request has beyond its data; null on queue pairs that are not for TSO. */
  public @Nullable TsoTemplate tso() {
    return tso;
  }

  /** First PSN; valid once {@link #isStarted()}. */
  public int firstPsn() {
    return firstPsn;
  }

  /** How many PSNs the request takes; 0 before it is started, and if it needs no peer. */
  public int psnCount() {
    return psnCount;
  }

  /** Whether PSNs were assigned, or it was executed without any. */
  public boolean isStarted() {
    return started;
  }

  /** Whether it was executed on this side, and needs no peer. */
  public boolean isExecuted() {
    return started && psnCount == 0;
  }

  /** How many PSNs of a READ were answered. */
  public int psnsDone() {
    return psnsDone;
  }

  /** Such as {@code SEND wr_id 7 psn 12 signaled, 5 bytes}; {@code psn 12 x4} is 12 to 15. */
  @Override
  public String toString() {
    return opcode()
        + " wr_id "
        + wrId
        + (psnCount == 0 ? "" : " psn " + firstPsn)
        + (psnCount > 1 ? " x" + psnCount : "")
        + (signaled ? " signaled" : "")
        + ", "
        + data.total()
        + " bytes";
  }
}
