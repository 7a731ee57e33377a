package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A send work request (struct ibv_send_wr): a reusable element of a linked list. Posting copies
 * everything but the payload, so the object and its elements may be changed or posted again as soon
 * as postSend returns. Fields that an operation does not use are ignored ({@link WrOpcode#uses}):
 *
 * <table>
 *   <caption>Fields used, besides wrId, next, opcode and sendFlags</caption>
 *   <tr><th>Operation</th><th>Fields</th></tr>
 *   <tr><td>SEND</td><td>sgList</td></tr>
 *   <tr><td>SEND_WITH_IMM</td><td>sgList, immData</td></tr>
 *   <tr><td>SEND_WITH_INV</td><td>sgList, invalidateRkey</td></tr>
 *   <tr><td>RDMA_WRITE, RDMA_READ</td><td>sgList, remoteAddr, rkey</td></tr>
 *   <tr><td>RDMA_WRITE_WITH_IMM</td><td>sgList, remoteAddr, rkey, immData</td></tr>
 *   <tr><td>ATOMIC_CMP_AND_SWP</td>
 *     <td>sgList for the old value, remoteAddr, rkey, compareAdd, swap</td></tr>
 *   <tr><td>ATOMIC_FETCH_AND_ADD</td>
 *     <td>sgList for the old value, remoteAddr, rkey, compareAdd</td></tr>
 *   <tr><td>ATOMIC_WRITE</td>
 *     <td>sgList of exactly 8 bytes, the value as it lies in memory, remoteAddr, rkey</td></tr>
 *   <tr><td>FLUSH</td><td>remoteAddr, rkey, flushType, flushLevel, flushLength</td></tr>
 *   <tr><td>LOCAL_INV</td><td>invalidateRkey</td></tr>
 *   <tr><td>BIND_MW</td><td>mw, bindRkey, bindInfo</td></tr>
 *   <tr><td>TSO</td><td>sgList, tsoHdr, mss</td></tr>
 *   <tr><td>any on UD</td><td>also ah, remoteQpn, remoteQkey</td></tr>
 *   <tr><td>any on XRC_SEND</td><td>also remoteSrqn</td></tr>
 * </table>
 */
public final class SendWr {
  private long wrId;
  private @Nullable SendWr next;
  private @Nullable WrOpcode opcode;
  private int sendFlags;
  private int immData;
  private int invalidateRkey;
  private long remoteAddr;
  private int rkey;
  private long compareAdd;
  private long swap;
  private @Nullable AddressHandle ah;
  private int remoteQpn;
  private int remoteQkey;
  private int remoteSrqn;
  private @Nullable MemoryWindow mw;
  private int bindRkey;
  private @Nullable MwBindInfo bindInfo;
  private int flushType;
  private FlushLevel flushLevel = FlushLevel.RANGE;
  private long flushLength;
  private @Nullable MemorySegment tsoHdr;
  private int mss;

  private Sge[] sgList = {};
  private int numSge;

  /** An empty work request. */
  public SendWr() {}

  /** The scatter/gather list, of which the first {@link #numSge()} elements are used. */
  public Sge[] sgList() {
    return sgList;
  }

  /**
   * Sets the list, and numSge to its length. The array is kept, not copied, until the request is
   * posted.
   */
  public SendWr sgList(Sge... list) {
    sgList = list;
    numSge = list.length;
    return this;
  }

  /** How many elements of the list are used; checked when the request is posted. */
  public int numSge() {
    return numSge;
  }

  /** Sets how many elements of the list are used. */
  public SendWr numSge(int count) {
    numSge = count;
    return this;
  }

  /** Identifier that the completion returns unchanged. */
  public long wrId() {
    return wrId;
  }

  /** Sets the identifier that the completion returns unchanged. */
  public SendWr wrId(long value) {
    wrId = value;
    return this;
  }

  /** The next work request of the list; null ends it. */
  public @Nullable SendWr next() {
    return next;
  }

  /** Sets the next work request of the list; null ends it. */
  public SendWr next(@Nullable SendWr value) {
    next = value;
    return this;
  }

  /** The operation. A request without one is refused with EINVAL. */
  public @Nullable WrOpcode opcode() {
    return opcode;
  }

  /** Sets the operation. A request without one is refused with EINVAL. */
  public SendWr opcode(@Nullable WrOpcode value) {
    opcode = value;
    return this;
  }

  /** {@link SendFlags}. */
  public int sendFlags() {
    return sendFlags;
  }

  /** Sets the {@link SendFlags}. */
  public SendWr sendFlags(int value) {
    sendFlags = value;
    return this;
  }

  /** Immediate data; it is sent big-endian, and a C peer reads ntohl(imm_data). */
  public int immData() {
    return immData;
  }

  /** Sets the immediate data; it is sent big-endian, and a C peer reads ntohl(imm_data). */
  public SendWr immData(int value) {
    immData = value;
    return this;
  }

  /** Key to invalidate: SEND_WITH_INV, LOCAL_INV. */
  public int invalidateRkey() {
    return invalidateRkey;
  }

  /** Sets the key to invalidate: SEND_WITH_INV, LOCAL_INV. */
  public SendWr invalidateRkey(int value) {
    invalidateRkey = value;
    return this;
  }

  /**
   * Address at the peer: READ, WRITE, ATOMIC_WRITE, FLUSH, atomics (wr.rdma.remote_addr,
   * wr.atomic.remote_addr).
   */
  public long remoteAddr() {
    return remoteAddr;
  }

  /**
   * Sets the address at the peer: READ, WRITE, ATOMIC_WRITE, FLUSH, atomics (wr.rdma.remote_addr,
   * wr.atomic.remote_addr).
   */
  public SendWr remoteAddr(long value) {
    remoteAddr = value;
    return this;
  }

  /**
   * Key of the peer's memory, used together with {@link #remoteAddr()} (wr.rdma.rkey,
   * wr.atomic.rkey).
   */
  public int rkey() {
    return rkey;
  }

  /** Sets the key of the peer's memory (wr.rdma.rkey, wr.atomic.rkey). */
  public SendWr rkey(int value) {
    rkey = value;
    return this;
  }

  /** Value to compare with, or to add (wr.atomic.compare_add), in host order. */
  public long compareAdd() {
    return compareAdd;
  }

  /** Sets the value to compare with, or to add (wr.atomic.compare_add), in host order. */
  public SendWr compareAdd(long value) {
    compareAdd = value;
    return this;
  }

  /** Value to store if equal (wr.atomic.swap), in host order. */
  public long swap() {
    return swap;
  }

  /** Sets the value to store if equal (wr.atomic.swap), in host order. */
  public SendWr swap(long value) {
    swap = value;
    return this;
  }

  /** Destination of a UD request (wr.ud.ah). */
  public @Nullable AddressHandle ah() {
    return ah;
  }

  /** Sets the destination of a UD request (wr.ud.ah). */
  public SendWr ah(@Nullable AddressHandle value) {
    ah = value;
    return this;
  }

  /** Destination queue pair of a UD request (wr.ud.remote_qpn). */
  public int remoteQpn() {
    return remoteQpn;
  }

  /**
   * Sets the destination queue pair of a UD request (wr.ud.remote_qpn): the peer's {@link
   * QpEndpoint#qpNum()}.
   */
  public SendWr remoteQpn(int value) {
    remoteQpn = value;
    return this;
  }

  /** Q_Key of a UD request (wr.ud.remote_qkey). */
  public int remoteQkey() {
    return remoteQkey;
  }

  /**
   * Sets the Q_Key of a UD request (wr.ud.remote_qkey); with bit 31 set, the queue pair sends its
   * own qkey attribute instead.
   */
  public SendWr remoteQkey(int value) {
    remoteQkey = value;
    return this;
  }

  /** Destination shared receive queue of an XRC request (qp_type.xrc.remote_srqn): 24 bits. */
  public int remoteSrqn() {
    return remoteSrqn;
  }

  /**
   * Sets the destination shared receive queue of an XRC request (qp_type.xrc.remote_srqn): 24 bits,
   * in every request on an XRC_SEND queue pair.
   */
  public SendWr remoteSrqn(int value) {
    remoteSrqn = value;
    return this;
  }

  /** Window of a BIND_MW request (bind_mw.mw). */
  public @Nullable MemoryWindow mw() {
    return mw;
  }

  /** Sets the window of a BIND_MW request (bind_mw.mw). */
  public SendWr mw(@Nullable MemoryWindow value) {
    mw = value;
    return this;
  }

  /**
   * New key of a BIND_MW request (bind_mw.rkey); only the low 8 bits are used, the others are the
   * window's (see {@link QueuePairEx#wrBindMw}).
   */
  public int bindRkey() {
    return bindRkey;
  }

  /** Sets the new key of a BIND_MW request (bind_mw.rkey); only the low 8 bits are used. */
  public SendWr bindRkey(int value) {
    bindRkey = value;
    return this;
  }

  /** What the window covers (bind_mw.bind_info). */
  public @Nullable MwBindInfo bindInfo() {
    return bindInfo;
  }

  /** Sets what the window covers (bind_mw.bind_info). */
  public SendWr bindInfo(@Nullable MwBindInfo value) {
    bindInfo = value;
    return this;
  }

  /**
   * What a FLUSH request does: {@link FlushType} bits. This, {@link #flushLevel()} and {@link
   * #flushLength()} are the arguments of ibv_wr_flush, for which struct ibv_send_wr has no fields;
   * address and key are {@link #remoteAddr()} and {@link #rkey()}.
   */
  public int flushType() {
    return flushType;
  }

  /** Sets what a FLUSH request does: {@link FlushType} bits. */
  public SendWr flushType(int value) {
    flushType = value;
    return this;
  }

  /** What a FLUSH request covers; RANGE unless set. */
  public FlushLevel flushLevel() {
    return flushLevel;
  }

  /** Sets what a FLUSH request covers. */
  public SendWr flushLevel(FlushLevel value) {
    flushLevel = value;
    return this;
  }

  /**
   * Bytes from {@link #remoteAddr()} that a FLUSH request covers, 0 to 2^32-1; posting any other
   * value is EINVAL. Ignored with {@link FlushLevel#MR}, which covers the whole region.
   */
  public long flushLength() {
    return flushLength;
  }

  /** Sets the bytes from {@link #remoteAddr()} that a FLUSH request covers, 0 to 2^32-1. */
  public SendWr flushLength(long value) {
    flushLength = value;
    return this;
  }

  /** Header template of a TSO request (tso.hdr, tso.hdr_sz). */
  public @Nullable MemorySegment tsoHdr() {
    return tsoHdr;
  }

  /** Sets the header template of a TSO request (tso.hdr, tso.hdr_sz). */
  public SendWr tsoHdr(@Nullable MemorySegment value) {
    tsoHdr = value;
    return this;
  }

  /** Payload bytes of a TSO segment (tso.mss). */
  public int mss() {
    return mss;
  }

  /** Sets the payload bytes of a TSO segment (tso.mss). */
  public SendWr mss(int value) {
    mss = value;
    return this;
  }

  @Override
  public String toString() {
    return new FieldText("send_wr")
        .add("wr_id", wrId)
        .word(String.valueOf(opcode))
        .add("flags", "0x" + Integer.toHexString(sendFlags))
        .elements(numSge, sgList)
        .hex("imm_data", immData)
        .hex("invalidate_rkey", invalidateRkey)
        .hex("remote_addr", remoteAddr)
        .hex("rkey", rkey)
        .number("compare_add", compareAdd)
        .number("swap", swap)
        .addIf(ah != null, "ah", String.valueOf(ah))
        .hex("remote_qpn", remoteQpn)
        .hex("remote_qkey", remoteQkey)
        .hex("remote_srqn", remoteSrqn)
        .addIf(mw != null, "mw", String.valueOf(mw))
        .hex("bind_rkey", bindRkey)
        .addIf(bindInfo != null, "bind_info", String.valueOf(bindInfo))
        .hex("flush_type", flushType)
        .addIf(flushLevel != FlushLevel.RANGE, "flush_level", flushLevel)
        .number("flush_length", flushLength)
        .addIf(tsoHdr != null, "tso_hdr", (tsoHdr == null ? 0 : tsoHdr.byteSize()) + " bytes")
        .number("mss", mss)
        .addIf(next != null, "next", "...")
        .toString();
  }
}
