package dev.verbena.soft.device.cq;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.queue.CompletionCursor;
import dev.verbena.soft.queue.CompletionEntry;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.provider.CallSection;
import dev.verbena.verbs.provider.CompletionFields;
import org.jspecify.annotations.Nullable;

/** A completion queue of the software device that is also read with a cursor. */
public final class SoftCompletionQueueEx extends SoftCompletionQueue implements CompletionQueueEx {
  private static final int TIMESTAMPS =
      WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;

  private final CompletionFields fields;
  private final CallSection section;
  private final CompletionCursor cursor;
  private volatile boolean reading;
  private final WallClock wallClock;

  private SoftCompletionQueueEx(
      OpenContext context,
      CqInitAttrEx attr,
      @Nullable SoftCompletionChannel channel,
      @Nullable OpenDomain domain) {
    super(context, attr, channel, domain, (attr.wcFlags() & TIMESTAMPS) != 0);
    fields = new CompletionFields(attr.wcFlags(), lifetime().name());
    section = CallSection.polling(pollGuard(), lifetime());
    cursor = new CompletionCursor(ring());
    wallClock = new WallClock(context.engine().clock());
  }

  public static CompletionQueueEx create(OpenContext context, CqInitAttrEx attr) {
    return begin("createCqEx", context, attr, SoftCompletionQueueEx::new);
  }

  @Override
  public int poll(int numEntries, WorkCompletion[] wc) {
    section.requireClosed("poll");
    return super.poll(numEntries, wc);
  }

  @Override
  public boolean poll(WorkCompletion wc) {
    section.requireClosed("poll");
    return super.poll(wc);
  }

  @Override
  public boolean startPoll() {
    String function = "startPoll";
    lifetime().require(function);
    section.requireClosed(function);
    if (!begin(function)) {
      progress();
      if (!begin(function)) {
        requireNotDead(function);
        return false;
      }
    }
    return true;
  }

  private boolean begin(String function) {
    // While another thread reads, it may take the completions; wait for it anyway.
    if (ring().isEmpty() && !reading) {
      return false;
    }
    section.open(function);
    reading = true;
    if (cursor.next()) {
      return true;
    }
    endPolling();
    return false;
  }

  @Override
  public void resumePoll() {
    section.takeOver();
  }

  @Override
  public boolean nextPoll() {
    section.requireOpen("nextPoll");
    return cursor.next();
  }

  @Override
  public void endPoll() {
    section.requireOpen("endPoll");
    endPolling();
  }

  private void endPolling() {
    cursor.end();
    reading = false;
    section.close();
  }

  /**
   * The queue ends: ends the reading that this thread has begun, so that no thread waits for it.
   */
  private void abandon() {
    if (section.isOpen()) {
      endPolling();
    }
  }

  @Override
  public void tearDown() {
    abandon();
    super.tearDown();
  }

  private CompletionEntry entry(String function) {
    lifetime().require(function);
    CompletionEntry entry = cursor.current();
    if (entry == null) {
      throw new IllegalStateException(
          function + " without a completion: startPoll or nextPoll must have returned true");
    }
    return entry;
  }

  private WorkCompletion completion(String function) {
    return entry(function).completion;
  }

  private WorkCompletion completion(String function, int field, String name) {
    fields.require(function, field, name);
    return completion(function);
  }

  @Override
  public long wrId() {
    return completion("wrId").wrId();
  }

  @Override
  public WcStatus status() {
    return completion("status").status();
  }

  @Override
  public WcOpcode readOpcode() {
    return completion("readOpcode").opcode();
  }

  @Override
  public int readVendorErr() {
    return completion("readVendorErr").vendorErr();
  }

  @Override
  public String readVendorErrText() {
    return completion("readVendorErrText").vendorErrText();
  }

  @Override
  public int readWcFlags() {
    return completion("readWcFlags").wcFlags();
  }

  @Override
  public long readByteLen() {
    return completion("readByteLen", WcExFlags.BYTE_LEN, "BYTE_LEN").byteLen();
  }

  @Override
  public int readImmData() {
    return completion("readImmData", WcExFlags.IMM, "IMM").immData();
  }

  @Override
  public int readInvalidatedRkey() {
    return completion("readInvalidatedRkey", WcExFlags.IMM, "IMM").invalidatedRkey();
  }

  @Override
  public int readQpNum() {
    return completion("readQpNum", WcExFlags.QP_NUM, "QP_NUM").qpNum();
  }

  @Override
  public int readSrcQp() {
    return completion("readSrcQp", WcExFlags.SRC_QP, "SRC_QP").srcQp();
  }

  @Override
  public int readSlid() {
    return completion("readSlid", WcExFlags.SLID, "SLID").slid();
  }

  @Override
  public int readSl() {
    return completion("readSl", WcExFlags.SL, "SL").sl();
  }

  @Override
  public int readDlidPathBits() {
    return completion("readDlidPathBits", WcExFlags.DLID_PATH_BITS, "DLID_PATH_BITS")
        .dlidPathBits();
  }

  @Override
  public long readCompletionTs() {
    String function = "readCompletionTs";
    fields.require(function, WcExFlags.COMPLETION_TIMESTAMP, "COMPLETION_TIMESTAMP");
    return entry(function).timestamp();
  }

  @Override
  public long readCompletionWallclockNs() {
    String function = "readCompletionWallclockNs";
    fields.require(
        function, WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK, "COMPLETION_TIMESTAMP_WALLCLOCK");
    return wallClock.at(entry(function).timestamp());
  }

  @Override
  public WorkCompletion read(WorkCompletion into) {
    return fields.mask(into.set(completion("read")));
  }
}
