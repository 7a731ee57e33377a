package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvCqInitAttrEx;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.rdmacore.post.CursorSide;
import dev.verbena.rdmacore.post.NoExclusion;
import dev.verbena.rdmacore.post.SemaphoreExclusion;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.CreateCqFlags;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.provider.CallSection;
import dev.verbena.verbs.provider.CompletionFields;
import dev.verbena.verbs.provider.Exclusion;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue of libibverbs that is also read with a cursor. */
final class NativeCompletionQueueEx extends NativeCompletionQueue implements CompletionQueueEx {
  private static final String CREATE = "createCqEx";

  /** Bits of enum ibv_cq_init_attr_mask. */
  private static final int WITH_FLAGS = 1;

  private static final int WITH_PARENT_DOMAIN = 1 << 1;

  private static final int BYTE = 0xff;
  private static final int SHORT = 0xffff;
  private static final WorkCompletion EMPTY = new WorkCompletion();

  private final CompletionFields fields;
  private final Exclusion exclusion;
  private final CallSection section;
  private final CursorSide cursor;

  private NativeCompletionQueueEx(
      NativeContext context,
      CqInitAttrEx attr,
      @Nullable NativeCompletionChannel channel,
      long address) {
    super(context, attr, channel, address);
    this.fields = new CompletionFields(attr.wcFlags(), lifetime().name());
    boolean oneThread =
        (attr.flags() & CreateCqFlags.SINGLE_THREADED) != 0
            || (attr.parentDomain() instanceof NativeParentDomain domain && !domain.locks());
    this.exclusion = oneThread ? NoExclusion.INSTANCE : new SemaphoreExclusion();
    this.section = CallSection.polling(exclusion, lifetime());
    this.cursor = new CursorSide(lifetime().name(), polls(), address);
  }

  static NativeCompletionQueueEx create(NativeContext context, CqInitAttrEx attr) {
    context.lifetime().require(CREATE);
    if ((attr.wcFlags() & WcExFlags.TM_INFO) != 0) {
      // Drivers grant it, but nothing here could read it.
      throw context.missing(CREATE, "tag matching (TM_INFO, 0x400)");
    }
    List<Lifetime> uses = new ArrayList<>();
    NativeParentDomain domain =
        context.ownIfGiven(CREATE, attr.parentDomain(), NativeParentDomain.class, uses);
    int mask = (attr.flags() == 0 ? 0 : WITH_FLAGS) | (domain == null ? 0 : WITH_PARENT_DOMAIN);
    FunctionNative create =
        context.operations().extended("create_cq_ex", VerbsContext.CREATE_CQ_EX);
    return create(
        CREATE,
        context,
        attr,
        uses,
        (use, channel) -> {
          try (Handle.@Nullable Use parent = domain == null ? null : domain.handle().use(CREATE);
              Arena arena = Arena.ofConfined()) {
            long in = arena.allocate(IbvCqInitAttrEx.LAYOUT.size(), Long.BYTES).address();
            Host.setInt(in + IbvCqInitAttrEx.CQE, attr.cqe());
            Host.setLong(in + IbvCqInitAttrEx.CHANNEL, channel);
            Host.setInt(in + IbvCqInitAttrEx.COMP_VECTOR, attr.compVector());
            Host.setLong(in + IbvCqInitAttrEx.WC_FLAGS, Integer.toUnsignedLong(attr.wcFlags()));
            Host.setInt(in + IbvCqInitAttrEx.COMP_MASK, mask);
            Host.setInt(in + IbvCqInitAttrEx.FLAGS, attr.flags());
            Host.setLong(in + IbvCqInitAttrEx.PARENT_DOMAIN, parent == null ? 0 : parent.address());
            return create.call(CREATE, use, in);
          }
        },
        NativeCompletionQueueEx::new);
  }

  @Override
  public int poll(int numEntries, WorkCompletion[] wc) {
    section.enter("poll");
    try {
      return super.poll(numEntries, wc);
    } finally {
      section.exit();
    }
  }

  @Override
  public boolean poll(WorkCompletion wc) {
    section.enter("poll");
    try {
      return super.poll(wc);
    } finally {
      section.exit();
    }
  }

  /** Not under the cursor of this thread: drivers hold the queue's lock until it ends. */
  @Override
  public void resize(int cqe) {
    section.enter("resizeCq");
    try {
      super.resize(cqe);
    } finally {
      section.exit();
    }
  }

  /** Refuses a call that is illegal while this thread has the cursor open. */
  void requireNoCursor(String verb) {
    section.requireClosed(verb);
  }

  CursorSide cursor() {
    return cursor;
  }

  /** What reports to the queue could not end, because drivers wait for the cursor then. */
  @Override
  public void prepare() {
    cursor.end();
  }

  @Override
  public boolean startPoll() {
    String verb = "startPoll";
    lifetime().require(verb);
    section.open(verb);
    boolean found = false;
    try {
      found = cursor.start(verb);
      return found;
    } finally {
      if (!found) {
        section.close();
      }
    }
  }

  @Override
  public void resumePoll() {
    section.takeOver();
  }

  @Override
  public boolean nextPoll() {
    section.requireOpen("nextPoll");
    return cursor.next("nextPoll");
  }

  @Override
  public void endPoll() {
    section.requireOpen("endPoll");
    try {
      cursor.stop("endPoll");
    } finally {
      section.close();
    }
  }

  private long read(String verb, long reader) {
    lifetime().require(verb);
    return cursor.read(verb, reader);
  }

  private long read(String verb, long reader, int field, String name) {
    fields.require(verb, field, name);
    return read(verb, reader);
  }

  private int immediate(String verb) {
    return (int) read(verb, IbvCqEx.READ_IMM_DATA, WcExFlags.IMM, "IMM");
  }

  @Override
  public long wrId() {
    lifetime().require("wrId");
    return cursor.wrId("wrId");
  }

  @Override
  public WcStatus status() {
    lifetime().require("status");
    return cursor.status("status");
  }

  @Override
  public WcOpcode readOpcode() {
    lifetime().require("readOpcode");
    return cursor.opcode("readOpcode");
  }

  @Override
  public int readVendorErr() {
    return (int) read("readVendorErr", IbvCqEx.READ_VENDOR_ERR);
  }

  @Override
  public String readVendorErrText() {
    int number = (int) read("readVendorErrText", IbvCqEx.READ_VENDOR_ERR);
    return new WorkCompletion().vendorErr(number).vendorErrText();
  }

  @Override
  public int readWcFlags() {
    return (int) read("readWcFlags", IbvCqEx.READ_WC_FLAGS);
  }

  @Override
  public long readByteLen() {
    long length = read("readByteLen", IbvCqEx.READ_BYTE_LEN, WcExFlags.BYTE_LEN, "BYTE_LEN");
    return Integer.toUnsignedLong((int) length);
  }

  @Override
  public int readImmData() {
    int value = immediate("readImmData");
    return hasKey() ? 0 : Integer.reverseBytes(value);
  }

  @Override
  public int readInvalidatedRkey() {
    int value = immediate("readInvalidatedRkey");
    return hasKey() ? value : 0;
  }

  /** Whether the field that both share has a key. */
  private boolean hasKey() {
    return (readWcFlags() & WcFlags.WITH_INV) != 0;
  }

  @Override
  public int readQpNum() {
    return (int) read("readQpNum", IbvCqEx.READ_QP_NUM, WcExFlags.QP_NUM, "QP_NUM");
  }

  @Override
  public int readSrcQp() {
    return (int) read("readSrcQp", IbvCqEx.READ_SRC_QP, WcExFlags.SRC_QP, "SRC_QP");
  }

  @Override
  public int readSlid() {
    return (int) read("readSlid", IbvCqEx.READ_SLID, WcExFlags.SLID, "SLID");
  }

  @Override
  public int readSl() {
    return (int) read("readSl", IbvCqEx.READ_SL, WcExFlags.SL, "SL") & BYTE;
  }

  @Override
  public int readDlidPathBits() {
    long bits =
        read(
            "readDlidPathBits",
            IbvCqEx.READ_DLID_PATH_BITS,
            WcExFlags.DLID_PATH_BITS,
            "DLID_PATH_BITS");
    return (int) bits & BYTE;
  }

  @Override
  public long readCompletionTs() {
    return read(
        "readCompletionTs",
        IbvCqEx.READ_COMPLETION_TS,
        WcExFlags.COMPLETION_TIMESTAMP,
        "COMPLETION_TIMESTAMP");
  }

  @Override
  public long readCompletionWallclockNs() {
    return read(
        "readCompletionWallclockNs",
        IbvCqEx.READ_COMPLETION_WALLCLOCK_NS,
        WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK,
        "COMPLETION_TIMESTAMP_WALLCLOCK");
  }

  @Override
  public int readCvlan() {
    return (int) read("readCvlan", IbvCqEx.READ_CVLAN, WcExFlags.CVLAN, "CVLAN") & SHORT;
  }

  @Override
  public int readFlowTag() {
    return (int) read("readFlowTag", IbvCqEx.READ_FLOW_TAG, WcExFlags.FLOW_TAG, "FLOW_TAG");
  }

  @Override
  public WorkCompletion read(WorkCompletion into) {
    WcStatus status = status();
    into.set(EMPTY).wrId(wrId()).status(status).vendorErr(readVendorErr());
    if (fields.has(WcExFlags.QP_NUM)) {
      into.qpNum(readQpNum());
    }
    return status == WcStatus.SUCCESS ? readSuccess(into) : into;
  }

  private WorkCompletion readSuccess(WorkCompletion into) {
    into.opcode(readOpcode()).wcFlags(readWcFlags());
    if (fields.has(WcExFlags.BYTE_LEN)) {
      into.byteLen(readByteLen());
    }
    if (fields.has(WcExFlags.IMM)) {
      into.immData(readImmData()).invalidatedRkey(readInvalidatedRkey());
    }
    if (fields.has(WcExFlags.SRC_QP)) {
      into.srcQp(readSrcQp());
    }
    if (fields.has(WcExFlags.SLID)) {
      into.slid(readSlid());
    }
    if (fields.has(WcExFlags.SL)) {
      into.sl(readSl());
    }
    if (fields.has(WcExFlags.DLID_PATH_BITS)) {
      into.dlidPathBits(readDlidPathBits());
    }
    return into;
  }

  @Override
  public Runnable release() {
    return ending(cursor::end, exclusion::open);
  }

  @Override
  public void tearDown() {
    // What this thread has begun is over, so that nobody waits for it.
    if (section.isOpen()) {
      section.close();
    }
    super.tearDown();
  }
}
