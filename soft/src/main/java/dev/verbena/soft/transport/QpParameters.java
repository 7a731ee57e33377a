package dev.verbena.soft.transport;

import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Mtu;
import dev.verbena.wire.AckTimeout;
import dev.verbena.wire.Address;

/**
 * What the application set by modify, as the protocol machines use it. Changed only under the
 * requester and the responder guard together; read under either.
 */
public final class QpParameters {
  private final int qpNum;
  private int accessFlags;
  private int pkey = Iba.DEFAULT_PKEY;
  private int qkey;
  private int destQpn;
  private Address peer = Address.UNSPECIFIED;
  private int mtu = Mtu.MTU_256.bytes();
  private long ackTimeoutNanos = AckTimeout.nanos(0);
  private int retryCount;
  private int rnrRetry;
  private int minRnrTimer;
  private int maxRdAtomic;
  private int maxDestRdAtomic;

  /**
   * @param qpNum the queue pair's own number
   */
  public QpParameters(int qpNum) {
    this.qpNum = qpNum;
  }

  /** The queue pair's own number. */
  public int qpNum() {
    return qpNum;
  }

  /** {@link dev.verbena.verbs.Access} bits that gate incoming requests. */
  public int accessFlags() {
    return accessFlags;
  }

  /** Sets the access bits that gate incoming requests. */
  public void accessFlags(int flags) {
    accessFlags = flags;
  }

  /** The P_Key that goes out and that incoming ones must match. */
  public int pkey() {
    return pkey;
  }

  /** Sets the P_Key. */
  public void pkey(int value) {
    pkey = value;
  }

  /** The Q_Key that datagrams to this queue pair must have. */
  public int qkey() {
    return qkey;
  }

  /** Sets the Q_Key. */
  public void qkey(int value) {
    qkey = value;
  }

  /** The peer's queue pair number. */
  public int destQpn() {
    return destQpn;
  }

  /** Sets the peer's queue pair number. */
  public void destQpn(int qpn) {
    destQpn = qpn;
  }

  /** The peer's GID. */
  public Address peer() {
    return peer;
  }

  /** Whether the peer's GID was set. */
  public boolean hasPeer() {
    return !peer.equals(Address.UNSPECIFIED);
  }

  /** Sets the peer's GID. */
  public void peer(Address gid) {
    peer = gid;
  }

  /** Bytes of payload of a full packet. */
  public int mtu() {
    return mtu;
  }

  /** Sets the path MTU. */
  public void mtu(Mtu value) {
    mtu = value.bytes();
  }

  /** How many packets a message of this length takes: at least one. */
  public int packets(long length) {
    return length <= mtu ? 1 : (int) ((length + mtu - 1) / mtu);
  }

  /** Nanoseconds to wait for an answer; 0 to wait for ever. */
  public long ackTimeoutNanos() {
    return ackTimeoutNanos;
  }

  /** Sets the ACK timeout code. */
  public void timeout(int code) {
    ackTimeoutNanos = AckTimeout.nanos(code);
  }

  /** Retransmissions before giving up. */
  public int retryCount() {
    return retryCount;
  }

  /** Sets the retransmissions before giving up. */
  public void retryCount(int count) {
    retryCount = count;
  }

  /** Retries after RNR NAKs; 7 is without limit. */
  public int rnrRetry() {
    return rnrRetry;
  }

  /** Sets the retries after RNR NAKs. */
  public void rnrRetry(int count) {
    rnrRetry = count;
  }

  /** Timer code that RNR NAKs carry. */
  public int minRnrTimer() {
    return minRnrTimer;
  }

  /** Sets the timer code that RNR NAKs carry. */
  public void minRnrTimer(int code) {
    minRnrTimer = code;
  }

  /** READs and atomics that may be outstanding. */
  public int maxRdAtomic() {
    return maxRdAtomic;
  }

  /** Sets the READs and atomics that may be outstanding. */
  public void maxRdAtomic(int count) {
    maxRdAtomic = count;
  }

  /** READs and atomics of the peer that may be outstanding. */
  public int maxDestRdAtomic() {
    return maxDestRdAtomic;
  }

  /** Sets the READs and atomics of the peer that may be outstanding. */
  public void maxDestRdAtomic(int count) {
    maxDestRdAtomic = count;
  }
}
