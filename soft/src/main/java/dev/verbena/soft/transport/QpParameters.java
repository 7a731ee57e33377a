package dev.verbena.soft.transport;

import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Mtu;
import dev.verbena.wire.AckTimeout;
import dev.verbena.wire.Address;

/**
 * The values set by modify, for the protocol machines. Changed only under both the requester and
 * the responder guard; read, as fields, under either.
 */
public final class QpParameters {
  /** The queue pair's own number. */
  public final int qpNum;

  /** {@link dev.verbena.verbs.Access} bits that gate incoming requests. */
  public int accessFlags;

  /** The P_Key of sent packets, which incoming ones must match. */
  public int pkey = Iba.DEFAULT_PKEY;

  /** The Q_Key that datagrams to this queue pair must have. */
  public int qkey;

  /** The peer's queue pair number. */
  public int destQpn;

  /** The first PSN that it expects. */
  public int rqPsn;

  /** The first PSN that it sends. */
  public int sqPsn;

  /** The peer's GID. */
  public Address peer = Address.UNSPECIFIED;

  /** Bytes of payload of a full packet. */
  public int mtu = Mtu.MTU_256.bytes();

  /** Nanoseconds to wait for an answer; 0 to wait for ever. */
  public long ackTimeoutNanos = AckTimeout.nanos(0);

  /** Retransmissions before giving up. */
  public int retryCount;

  /** Retries after RNR NAKs; 7 is without limit. */
  public int rnrRetry;

  /** Timer code of RNR NAKs. */
  public int minRnrTimer;

  /** READs and atomics that may be outstanding. */
  public int maxRdAtomic;

  /** READs and atomics of the peer that may be outstanding. */
  public int maxDestRdAtomic;

  /**
   * @param qpNum the queue pair's own number
   */
  public QpParameters(int qpNum) {
    this.qpNum = qpNum;
  }

  /** Sets the access bits that gate incoming requests. */
  public void accessFlags(int flags) {
    accessFlags = flags;
  }

  /** Sets the P_Key. */
  public void pkey(int value) {
    pkey = value;
  }

  /** Sets the Q_Key. */
  public void qkey(int value) {
    qkey = value;
  }

  /** Sets the peer's queue pair number. */
  public void destQpn(int qpn) {
    destQpn = qpn;
  }

  /** Sets the first PSNs that it expects and sends. */
  public void psns(int expected, int sent) {
    rqPsn = expected;
    sqPsn = sent;
  }

  /** Whether the peer's GID was set. */
  public boolean hasPeer() {
    return !peer.equals(Address.UNSPECIFIED);
  }

  /** Sets the peer's GID. */
  public void peer(Address gid) {
    peer = gid;
  }

  /** Sets the path MTU. */
  public void mtu(Mtu value) {
    mtu = value.bytes();
  }

  /** Sets the ACK timeout code. */
  public void timeout(int code) {
    ackTimeoutNanos = AckTimeout.nanos(code);
  }

  /** Sets the retransmissions before giving up. */
  public void retryCount(int count) {
    retryCount = count;
  }

  /** Sets the retries after RNR NAKs. */
  public void rnrRetry(int count) {
    rnrRetry = count;
  }

  /** Sets the timer code of RNR NAKs. */
  public void minRnrTimer(int code) {
    minRnrTimer = code;
  }

  /** Sets the READs and atomics that may be outstanding. */
  public void maxRdAtomic(int count) {
    maxRdAtomic = count;
  }

  /** Sets the READs and atomics of the peer that may be outstanding. */
  public void maxDestRdAtomic(int count) {
    maxDestRdAtomic = count;
  }
}
