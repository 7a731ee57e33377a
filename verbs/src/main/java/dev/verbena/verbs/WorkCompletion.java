package dev.verbena.verbs;

/**
 * A work completion (struct ibv_wc), reusable: polling fills it. With a status other than SUCCESS
 * only wrId, status, qpNum and vendorErr are valid; otherwise the valid fields depend on the
 * opcode, as listed in {@link CompletionQueueEx}.
 */
public final class WorkCompletion {
  private long wrId;
  private WcStatus status = WcStatus.SUCCESS;
  private WcOpcode opcode = WcOpcode.SEND;
  private int vendorErr;
  private VendorErrors vendorErrors = VendorErrors.NONE;
  private long byteLen;
  private int immData;
  private int invalidatedRkey;
  private int qpNum;
  private int srcQp;
  private int wcFlags;
  private int pkeyIndex;
  private int slid;
  private int sl;
  private int dlidPathBits;

  /** An empty completion for poll to fill. */
  public WorkCompletion() {}

  /** Identifier of the work request. */
  public long wrId() {
    return wrId;
  }

  /** Sets the identifier of the work request. */
  public WorkCompletion wrId(long value) {
    wrId = value;
    return this;
  }

  /** Outcome. */
  public WcStatus status() {
    return status;
  }

  /** Sets the outcome. */
  public WorkCompletion status(WcStatus value) {
    status = value;
    return this;
  }

  /** Operation that completed. */
  public WcOpcode opcode() {
    return opcode;
  }

  /** Sets the operation that completed. */
  public WorkCompletion opcode(WcOpcode value) {
    opcode = value;
    return this;
  }

  /** Provider-specific number that details an error; {@link #vendorErrText()} has it in words. */
  public int vendorErr() {
    return vendorErr;
  }

  /** Sets the provider-specific number that details an error, without a text. */
  public WorkCompletion vendorErr(int value) {
    return vendorErr(value, VendorErrors.NONE);
  }

  /**
   * Sets the provider-specific number that details an error, with its texts.
   *
   * @param value the number
   * @param words the provider's texts; one object for all its completions
   */
  @SuppressWarnings("ReferenceEquality")
  public WorkCompletion vendorErr(int value, VendorErrors words) {
    vendorErr = value;
    // Nearly always the same: the garbage collector's barrier costs more than a comparison.
    if (vendorErrors != words) {
      vendorErrors = words;
    }
    return this;
  }

  /**
   * {@link #vendorErr()} in words. Empty with SUCCESS, if memory was not the reason (0), and if the
   * provider has no text for it; never null. docs/vendor-errors.md lists the texts of the software
   * device.
   */
  public String vendorErrText() {
    return vendorErrors.text(vendorErr);
  }

  /** The text for messages: "vendor_err 1: no region has this key". */
  String vendorErrMessage() {
    String text = vendorErrText();
    return "vendor_err " + vendorErr + (text.isEmpty() ? "" : ": " + text);
  }

  /**
   * Bytes received, read, or changed by an atomic. On UD 40 more than the payload: the first 40
   * bytes of the receive are always reserved for the header, with or without {@link WcFlags#GRH}.
   */
  public long byteLen() {
    return byteLen;
  }

  /** Sets the bytes received, read, or changed by an atomic; on UD, 40 more than the payload. */
  public WorkCompletion byteLen(long value) {
    byteLen = value;
    return this;
  }

  /** Immediate data as the peer's int; valid with {@link WcFlags#WITH_IMM}. */
  public int immData() {
    return immData;
  }

  /** Sets the immediate data as the peer's int; valid with {@link WcFlags#WITH_IMM}. */
  public WorkCompletion immData(int value) {
    immData = value;
    return this;
  }

  /** Key that the peer invalidated; valid with {@link WcFlags#WITH_INV}. */
  public int invalidatedRkey() {
    return invalidatedRkey;
  }

  /** Sets the key that the peer invalidated; valid with {@link WcFlags#WITH_INV}. */
  public WorkCompletion invalidatedRkey(int value) {
    invalidatedRkey = value;
    return this;
  }

  /**
   * Local queue pair number. A receive of a shared receive queue has the number of the queue pair
   * that took it; for type XRC, of the XRC_RECV queue pair at which the message arrived. A receive
   * of a work queue has the work queue's number, {@link WorkQueue#wqNum()}.
   */
  public int qpNum() {
    return qpNum;
  }

  /** Sets the local queue pair number or work queue number. */
  public WorkCompletion qpNum(int value) {
    qpNum = value;
    return this;
  }

  /** The sender's queue pair number; UD only. */
  public int srcQp() {
    return srcQp;
  }

  /** Sets the sender's queue pair number; UD only. */
  public WorkCompletion srcQp(int value) {
    srcQp = value;
    return this;
  }

  /** {@link WcFlags}. */
  public int wcFlags() {
    return wcFlags;
  }

  /** Sets the {@link WcFlags}. */
  public WorkCompletion wcFlags(int value) {
    wcFlags = value;
    return this;
  }

  /** P_Key index; GSI only. */
  public int pkeyIndex() {
    return pkeyIndex;
  }

  /** Sets the P_Key index; GSI only. */
  public WorkCompletion pkeyIndex(int value) {
    pkeyIndex = value;
    return this;
  }

  /** Source LID; 0 on Ethernet. */
  public int slid() {
    return slid;
  }

  /** Sets the source LID; 0 on Ethernet. */
  public WorkCompletion slid(int value) {
    slid = value;
    return this;
  }

  /**
   * Service level. Ethernet has none: there the software device, like others, stores the type of
   * the header at the start of a UD receive: 9 for IPv6 and 10 for IPv4, with RoCE v2.
   */
  public int sl() {
    return sl;
  }

  /** Sets the service level. */
  public WorkCompletion sl(int value) {
    sl = value;
    return this;
  }

  /** Destination path bits; 0 on Ethernet. */
  public int dlidPathBits() {
    return dlidPathBits;
  }

  /** Sets the destination path bits; 0 on Ethernet. */
  public WorkCompletion dlidPathBits(int value) {
    dlidPathBits = value;
    return this;
  }

  /** Whether the status is SUCCESS. */
  public boolean isSuccess() {
    return status == WcStatus.SUCCESS;
  }

  /**
   * Returns this if the status is SUCCESS.
   *
   * @throws WcException with a copy of this, for any other status; it names neither completion
   *     queue nor peer, as {@link WcException#WcException(WorkCompletion, CompletionQueue)} does
   */
  public WorkCompletion orThrow() {
    if (!isSuccess()) {
      throw new WcException(this);
    }
    return this;
  }

  /** Whether the immediate data is valid. */
  public boolean hasImm() {
    return (wcFlags & WcFlags.WITH_IMM) != 0;
  }

  /** Copies every value of another completion. */
  @SuppressWarnings("ReferenceEquality") // as vendorErr
  public WorkCompletion set(WorkCompletion other) {
    wrId = other.wrId;
    status = other.status;
    opcode = other.opcode;
    vendorErr = other.vendorErr;
    if (vendorErrors != other.vendorErrors) {
      vendorErrors = other.vendorErrors;
    }
    byteLen = other.byteLen;
    immData = other.immData;
    invalidatedRkey = other.invalidatedRkey;
    qpNum = other.qpNum;
    srcQp = other.srcQp;
    wcFlags = other.wcFlags;
    pkeyIndex = other.pkeyIndex;
    slid = other.slid;
    sl = other.sl;
    dlidPathBits = other.dlidPathBits;
    return this;
  }

  @Override
  public String toString() {
    FieldText text = new FieldText("wc").add("wr_id", wrId).word(status);
    if (isSuccess()) {
      text.word(opcode).add("byte_len", byteLen);
    } else {
      text.word(vendorErrMessage());
    }
    text.hex("qp_num", qpNum).addIf(hasImm(), "imm", "0x" + Integer.toHexString(immData));
    if (isSuccess()) {
      text.hex("invalidated_rkey", invalidatedRkey)
          .hex("src_qp", srcQp)
          .hex("wc_flags", wcFlags & ~WcFlags.WITH_IMM)
          .number("pkey_index", pkeyIndex)
          .hex("slid", slid)
          .number("sl", sl)
          .number("dlid_path_bits", dlidPathBits);
    }
    return text.toString();
  }
}
