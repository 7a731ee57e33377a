package dev.verbena.soft.device.post;

import dev.verbena.soft.device.object.SoftAddressHandle;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.CallSection;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The batch between wrStart and wrComplete (S2): builders claim slots after the queue's tail,
 * setters fill them, and only wrComplete publishes them. The batch keeps the first failure, with
 * the number of its builder, and builds nothing after it. Allocates nothing unless something fails.
 */
public final class PostBatch {
  private static final String COMPLETE = "wrComplete";

  /** Bits of {@link SendFlags} that this API ignores (S2.9). */
  private static final int IGNORED = SendFlags.INLINE;

  private final Lifetime lifetime;
  private final QpStatus status;
  private final SendQueue queue;
  private final CallSection section;
  private final SendRules rules;
  private final WindowRules windowRules;
  private final int sendOps;

  private long wrId;
  private int flags;

  private int builders;
  private int built;
  private @Nullable SendWqe current;
  private boolean needsData;
  private boolean hasData;
  private boolean needsDestination;
  private boolean hasDestination;
  private @Nullable Refusal failure;
  private int failedBuilder;

  /**
   * @param sendOps the requested {@link SendOps} bits
   */
  public PostBatch(
      Lifetime lifetime,
      QpRuntime runtime,
      CallSection section,
      SendRules rules,
      WindowRules windowRules,
      int sendOps) {
    this.windowRules = windowRules;
    this.lifetime = lifetime;
    this.status = runtime.status();
    this.queue = runtime.sends();
    this.section = section;
    this.rules = rules;
    this.sendOps = sendOps;
  }

  public long wrId() {
    lifetime.require("wrId");
    return wrId;
  }

  public void wrId(long value) {
    lifetime.require("wrId");
    wrId = value;
  }

  public int flags() {
    lifetime.require("wrFlags");
    return flags;
  }

  public void flags(int value) {
    lifetime.require("wrFlags");
    flags = value;
  }

  /** Starts an empty batch. */
  public void start() {
    section.open("wrStart");
    builders = 0;
    built = 0;
    current = null;
    needsData = false;
    hasData = false;
    needsDestination = false;
    hasDestination = false;
    failure = null;
    failedBuilder = -1;
  }

  /**
   * Publishes the batch, or reports the first failure.
   *
   * @return whether anything was published, so that the doorbell must be rung
   */
  public boolean complete() {
    section.requireOpen(COMPLETE);
    finishBuilder();
    Refusal refusal = failure;
    if (refusal == null) {
      refusal = SendRules.state(status.state);
    }
    WorkRequestException thrown =
        refusal == null
            ? null
            : refusal.toException(COMPLETE, lifetime.name(), null, failedBuilder);
    int count = built;
    if (thrown == null) {
      queue.publish(count);
    }
    section.close();
    if (thrown != null) {
      throw thrown;
    }
    return count > 0;
  }

  /** Discards the batch; a closed queue pair has nothing left to discard. */
  public void abort() {
    if (lifetime.isClosed()) {
      abandon();
      return;
    }
    section.requireOpen("wrAbort");
    section.close();
  }

  /** The queue pair ends: aborts the batch of this thread, so that no thread waits for it. */
  public void abandon() {
    if (section.isOpen()) {
      section.close();
    }
  }

  /** Starts a request; returns null if it is refused or something failed before. */
  public @Nullable SendWqe build(String function, WrOpcode opcode) {
    section.requireOpen(function);
    finishBuilder();
    builders++;
    if (failure != null) {
      return null;
    }
    SendOperation operation = SendOperation.of(opcode);
    Refusal refusal = refuse(operation);
    if (refusal != null) {
      fail(refusal);
      return null;
    }
    SendWqe wqe = queue.claim(built);
    built++;
    rules.begin(wqe, wrId, operation, flags & ~IGNORED);
    current = wqe;
    needsData = operation.needsData;
    hasData = false;
    needsDestination = rules.namesDestination(operation);
    hasDestination = false;
    return wqe;
  }

  /** As {@link #build} for a request without fields of its own, or one that will be refused. */
  public void buildPlain(String function, WrOpcode opcode) {
    build(function, opcode);
  }

  /** A FLUSH; its data setters are ignored (S2.10). */
  public void flush(int rkey, long remoteAddr, long length, int type, FlushLevel level) {
    SendWqe wqe = build("wrFlush", WrOpcode.FLUSH);
    if (wqe == null) {
      return;
    }
    Refusal refusal = SendRules.flush(type, level, length);
    if (refusal != null) {
      fail(refusal);
      return;
    }
    wqe.remote(remoteAddr, rkey);
    wqe.flush(length, type, level.number());
  }

  /** A bind of a type 2 window. */
  public void bindMw(MemoryWindow mw, int rkey, MwBindInfo info) {
    SendWqe wqe = build("wrBindMw", WrOpcode.BIND_MW);
    if (wqe == null) {
      return;
    }
    Refusal refusal = windowRules.request(mw, info);
    if (refusal != null) {
      fail(refusal);
      return;
    }
    WindowRules.fill(wqe.binding(), mw, rkey, info);
  }

  private @Nullable Refusal refuse(SendOperation operation) {
    // The requested operations exist on this type, or the queue pair would not have been created.
    if ((sendOps & operation.sendOp) == 0) {
      return Refusal.unsupported(
          operation.opcode + " was not requested when this QP was created: name it in sendOps");
    }
    Refusal refusal = SendRules.flags(flags);
    return refusal == null && built >= queue.free() ? rules.full(queue, built, status) : refusal;
  }

  /** A TSO request. */
  public void buildTso(MemorySegment hdr, int mss) {
    SendWqe wqe = build("wrSendTso", WrOpcode.TSO);
    Refusal refusal = wqe == null ? null : rules.tso().take(wqe, hdr, mss);
    if (refusal != null) {
      fail(refusal);
    }
  }

  /** Data in one piece. */
  public void setSge(int lkey, long addr, long length) {
    SendWqe wqe = takeData("wrSetSge");
    if (wqe == null) {
      return;
    }
    Refusal refusal = rules.elements(1, 1);
    if (refusal == null) {
      refusal = SendRules.elementLength(length);
    }
    if (refusal != null) {
      fail(refusal);
      return;
    }
    wqe.data.add(lkey, addr, length);
  }

  /** Data in several pieces. */
  public void setSgeList(int numSge, Sge[] list) {
    SendWqe wqe = takeData("wrSetSgeList");
    if (wqe == null) {
      return;
    }
    Refusal refusal = rules.elements(numSge, list.length);
    for (int i = 0; i < numSge && refusal == null; i++) {
      Sge sge = list[i];
      if (sge == null) {
        refusal = Refusal.invalid("SGE " + i + " is null");
      } else {
        refusal = SendRules.keyed(i, sge);
        wqe.data.add(sge.lkey(), sge.addr(), sge.length());
      }
    }
    if (refusal != null) {
      fail(refusal);
    }
  }

  /** Inline data from a part of a segment. */
  public void setInlineData(MemorySegment data, long offset, long length) {
    SendWqe wqe = takeInlineData("wrSetInlineData");
    if (wqe != null) {
      copyInline(wqe.data, data, offset, length);
    }
  }

  /** Inline data from several segments. */
  public void setInlineDataList(int numBuf, MemorySegment[] list) {
    SendWqe wqe = takeInlineData("wrSetInlineDataList");
    if (wqe == null) {
      return;
    }
    if (numBuf < 0 || numBuf > list.length) {
      fail(Refusal.invalid(numBuf + " buffers of a list of " + list.length));
      return;
    }
    for (int i = 0; i < numBuf && failure == null; i++) {
      MemorySegment data = list[i];
      if (data == null) {
        fail(Refusal.invalid("buffer " + i + " is null"));
      } else {
        copyInline(wqe.data, data, 0, data.byteSize());
      }
    }
  }

  private void copyInline(ScatterGather into, MemorySegment data, long offset, long length) {
    long total = into.total + length;
    Refusal refusal =
        length >= 0 && rules.exceedsInline(total)
            ? Refusal.invalid(rules.inlineLimit(total))
            : SendRules.copyInline(data, offset, length, into);
    if (refusal != null) {
      fail(refusal);
    }
  }

  /** The destination of the current request, for UD (S2.11). */
  public void setUdAddr(@Nullable AddressHandle ah, int remoteQpn, int remoteQkey) {
    SendWqe wqe = takeDestination("wrSetUdAddr", QpType.UD);
    if (wqe == null) {
      return;
    }
    Refusal refusal = rules.destination(ah, remoteQpn);
    if (refusal != null) {
      fail(refusal);
    } else if (ah instanceof SoftAddressHandle own) {
      wqe.destination(own.destination(), remoteQpn, remoteQkey);
    }
  }

  /** The shared receive queue at the peer, for XRC (S2.11). */
  public void setSrqNum(int number) {
    SendWqe wqe = takeDestination("wrSetXrcSrqn", QpType.XRC_SEND);
    if (wqe == null) {
      return;
    }
    Refusal refusal = SendRules.srqNum(number);
    if (refusal == null) {
      wqe.srqNum(number);
    } else {
      fail(refusal);
    }
  }

  /**
   * The request to which a destination setter applies; null if there is none or something failed
   * before.
   *
   * @param type the type of queue pair to which the setter applies
   */
  private @Nullable SendWqe takeDestination(String function, QpType type) {
    section.requireOpen(function);
    SendWqe wqe = current;
    if (failure != null) {
      return null;
    }
    if (rules.type() != type) {
      fail(Refusal.invalid(function + " is for " + type + ", this QP is of type " + rules.type()));
      return null;
    }
    if (wqe == null || !needsDestination) {
      fail(Refusal.invalid(function + " without a work request that has a destination"));
      return null;
    }
    if (hasDestination) {
      fail(
          Refusal.invalid(
              function + ": the destination of this work request has already been set"));
      return null;
    }
    hasDestination = true;
    return wqe;
  }

  private @Nullable SendWqe takeInlineData(String function) {
    SendWqe wqe = takeData(function);
    if (wqe == null) {
      return null;
    }
    Refusal refusal = SendRules.inline(wqe.operation);
    if (refusal != null) {
      fail(refusal);
      return null;
    }
    wqe.data.markInline();
    return wqe;
  }

  /**
   * The request to which a data setter applies; null if there is none or something failed before.
   */
  private @Nullable SendWqe takeData(String function) {
    section.requireOpen(function);
    SendWqe wqe = current;
    if (failure != null || (wqe != null && wqe.operation.opcode == WrOpcode.FLUSH)) {
      return null;
    }
    if (wqe == null || !needsData) {
      fail(Refusal.invalid(function + " without a work request that takes data"));
      return null;
    }
    if (hasData) {
      fail(Refusal.invalid(function + ": the data of this work request has already been set"));
      return null;
    }
    hasData = true;
    return wqe;
  }

  /** The current request is complete: it must have its data and destination (S2.10, S2.11). */
  private void finishBuilder() {
    SendWqe wqe = current;
    if (wqe == null || failure != null) {
      return;
    }
    Refusal refusal = needsData ? data(wqe) : null;
    if (refusal == null && needsDestination && !hasDestination) {
      refusal =
          Refusal.invalid(
              wqe.operation.opcode
                  + (rules.needsDestination()
                      ? " without address: call wrSetUdAddr"
                      : " without destination: call wrSetXrcSrqn"));
    }
    if (refusal != null) {
      fail(refusal);
    }
  }

  private @Nullable Refusal data(SendWqe wqe) {
    return hasData
        ? rules.total(wqe.operation, wqe.data.total)
        : Refusal.invalid(
            wqe.operation.opcode
                + " without data: call wrSetSge or another setter, even if there is none");
  }

  private void fail(Refusal refusal) {
    failure = refusal;
    failedBuilder = builders - 1;
  }
}
