package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.FieldBits;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMwBindInfo;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.BindRules;
import dev.verbena.verbs.provider.Exclusion;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Posts send requests of a queue pair. */
public final class SendSide extends PostSide<SendWr> {
  private final @Nullable Handle pd;
  private final LongSupplier spare;
  private final Handle context;
  private final QpType type;
  private final int maxInline;
  private final int maxHeader;
  private final Batches batches = new Batches();
  private boolean binds;

  /**
   * @param pd of the domain whose address handles may be named; null for XRC_RECV, which does not
   *     send
   * @param spare the struct of a region of the domain that stands in for none; 0 before the domain
   *     has a window
   * @param context whose windows may be bound
   * @param type of the queue pair
   */
  public SendSide(
      Target target, @Nullable Handle pd, LongSupplier spare, Handle context, QpType type) {
    super(
        target,
        IbvSendWr.LAYOUT.size(),
        IbvSendWr.NEXT,
        // Of frames it may read the headers.
        /* readsElements= */ type == QpType.RAW_PACKET);
    this.pd = pd;
    this.spare = spare;
    this.context = context;
    this.type = type;
    this.maxInline = target.inlineBytes();
    this.maxHeader = target.headerBytes();
  }

  /** Excludes batches from each other, and posts from them. */
  public Exclusion batches() {
    return batches;
  }

  @Override
  void awaitTurn() {
    batches.await();
  }

  @Override
  @Nullable SendWr after(SendWr request) {
    return request.next();
  }

  @Override
  @Nullable String write(SendWr wr, long out) {
    WrOpcode opcode = wr.opcode();
    if (opcode == null) {
      return "the work request has no opcode";
    }
    if (pd == null) {
      return "a QP of type " + type + " has no send queue";
    }
    if (isInBatchesOnly(opcode)) {
      return opcode + " is in batches only: ibv_post_send does not have it in this release";
    }
    if (opcode == WrOpcode.BIND_MW && !BindRules.isBoundBy(type)) {
      return "a QP of type " + type + " does not bind windows";
    }
    // Read once: another thread may change them.
    Sge[] list = wr.sgList();
    int count = wr.numSge();
    int flags = wr.sendFlags();
    String refusal = refuseElements(list, count);
    if (refusal != null) {
      return refusal;
    }
    int shared =
        opcode.uses(SendWrField.IMM_DATA)
            ? Integer.reverseBytes(wr.immData())
            : wr.invalidateRkey();
    Host.setLong(out + IbvSendWr.WR_ID, wr.wrId());
    Host.setLong(out + IbvSendWr.SG_LIST, elements(out));
    Host.setInt(out + IbvSendWr.NUM_SGE, count);
    Host.setInt(out + IbvSendWr.OPCODE, opcode.number());
    Host.setInt(out + IbvSendWr.SEND_FLAGS, flags);
    Host.setInt(out + IbvSendWr.IMM_DATA, shared);
    Host.setInt(out + IbvSendWr.QP_TYPE_XRC_REMOTE_SRQN, wr.remoteSrqn());
    refusal =
        opcode.uses(SendWrField.BIND_MW) ? writeBind(wr, out) : writeDestination(wr, opcode, out);
    if (refusal == null && opcode.uses(SendWrField.TSO)) {
      refusal = writeHeader(wr, out);
    }
    if (refusal != null) {
      return refusal;
    }
    return (flags & SendFlags.INLINE) != 0
        ? writeInline(list, count, out)
        : writeElements(list, count, out);
  }

  /**
   * Whether the manual page of ibv_post_send lacks the operation. The struct has no fields for
   * FLUSH; those of ATOMIC_WRITE it has, but librxe sends it to address 0 without a word.
   */
  private static boolean isInBatchesOnly(@Nullable WrOpcode opcode) {
    return opcode == WrOpcode.FLUSH || opcode == WrOpcode.ATOMIC_WRITE;
  }

  @Override
  int errno(SendWr wr) {
    boolean has = type == QpType.RC || type == QpType.XRC_SEND;
    return has && isInBatchesOnly(wr.opcode()) ? Errno.EOPNOTSUPP : super.errno(wr);
  }

  /** Writes the fields in unions, of which only those of the request's operation are valid. */
  private @Nullable String writeDestination(SendWr wr, WrOpcode opcode, long out) {
    if (type == QpType.UD) {
      return writeAddress(wr, out);
    }
    if (opcode.uses(SendWrField.COMPARE_ADD)) {
      Host.setLong(out + IbvSendWr.WR_ATOMIC_REMOTE_ADDR, wr.remoteAddr());
      Host.setLong(out + IbvSendWr.WR_ATOMIC_COMPARE_ADD, wr.compareAdd());
      Host.setLong(out + IbvSendWr.WR_ATOMIC_SWAP, wr.swap());
      Host.setInt(out + IbvSendWr.WR_ATOMIC_RKEY, wr.rkey());
    } else {
      Host.setLong(out + IbvSendWr.WR_RDMA_REMOTE_ADDR, wr.remoteAddr());
      Host.setInt(out + IbvSendWr.WR_RDMA_RKEY, wr.rkey());
    }
    return null;
  }

  private @Nullable String writeHeader(SendWr wr, long out) {
    if ((wr.sendFlags() & SendFlags.INLINE) != 0) {
      return "the data of TSO cannot be inline";
    }
    MemorySegment header = wr.tsoHdr();
    long at = inlineOffset(out);
    String unfit = FieldBits.unfit("mss", wr.mss(), Short.SIZE);
    String refusal = unfit == null ? copyHeader(header, at) : unfit;
    if (refusal == null && header != null) {
      Host.setLong(out + IbvSendWr.TSO_HDR, memory().address() + at);
      Host.setShort(out + IbvSendWr.TSO_HDR_SZ, (int) header.byteSize());
      Host.setShort(out + IbvSendWr.TSO_MSS, wr.mss());
    }
    return refusal;
  }

  /** Copies the header of a batch's segments to {@link #inlineScratch}; null, or why not. */
  public @Nullable String copyHeader(@Nullable MemorySegment header) {
    return copyHeader(header, inlineOffset(scratch()));
  }

  private @Nullable String copyHeader(@Nullable MemorySegment header, long at) {
    if (header == null) {
      return "a TSO request without header";
    }
    return header.byteSize() > maxHeader
        ? "a TSO header of " + header.byteSize() + " bytes, this QP has max_tso_header=" + maxHeader
        : copy(header, 0, header.byteSize(), at);
  }

  /** A driver may go by the key in the window's struct, which is stored when a bind is posted. */
  @Override
  boolean endsRun() {
    return binds;
  }

  @Override
  void posted(SendWr first, int count) {
    if (!binds) {
      return;
    }
    binds = false;
    SendWr wr = first;
    for (int i = 0; i < count && wr != null; i++, wr = wr.next()) {
      if (wr.opcode() == WrOpcode.BIND_MW && wr.mw() instanceof NativeBindable window) {
        BoundKeys.store(window, wr.bindRkey());
      }
    }
  }

  private @Nullable String writeBind(SendWr wr, long out) {
    Host.setInt(out + IbvSendWr.BIND_MW_RKEY, wr.bindRkey());
    String refusal =
        writeBind(
            wr.mw(), wr.bindInfo(), out + IbvSendWr.BIND_MW_MW, out + IbvSendWr.BIND_MW_BIND_INFO);
    binds = refusal == null;
    return refusal;
  }

  /**
   * Writes what a request to bind a window of type 2 is about. Whoever ends one of the two objects
   * passes this side before its struct ends.
   *
   * @param window where the address of the window's struct goes
   * @param out where the struct ibv_mw_bind_info goes
   * @return null, or why it cannot be posted
   */
  public @Nullable String writeBind(
      @Nullable MemoryWindow mw, @Nullable MwBindInfo info, long window, long out) {
    if (mw == null || info == null) {
      return "BIND_MW needs a window and bind_info";
    }
    MemoryRegion mr = info.mr();
    long windowStruct = struct(mw);
    long regionStruct = mr == null ? spare() : struct(mr);
    if (windowStruct == 0) {
      return mw + " is closed, or of another context";
    }
    if (mw.type() != MwType.TYPE_2) {
      return mw + " is of type 1, which QueuePair.bindMw binds";
    }
    if (mr != null && regionStruct == 0) {
      return mr + " is closed, of another context, or a null region";
    }
    String refusal = refuseRegion(regionStruct);
    if (refusal != null) {
      return refusal;
    }
    Host.setLong(window, windowStruct);
    Host.setLong(out + IbvMwBindInfo.MR, regionStruct);
    Host.setLong(out + IbvMwBindInfo.ADDR, mr == null ? start(regionStruct) : info.addr());
    Host.setLong(out + IbvMwBindInfo.LENGTH, info.length());
    Host.setInt(out + IbvMwBindInfo.MW_ACCESS_FLAGS, info.mwAccessFlags());
    return null;
  }

  /** Why a window cannot be bound to the region with this struct, or null; 0 is no spare one. */
  public @Nullable String refuseRegion(long region) {
    if (region == 0) {
      return "the queue pair's domain has had no window, so this one is of another domain";
    }
    RegisteredMemory registered = registeredAlsoEnding(Host.getInt(region + IbvMr.LKEY));
    return registered != null && registered.isFreed()
        ? "a window cannot be bound to " + freed(registered)
        : null;
  }

  /** The struct of the region that a request to bind names if the program names none, or 0. */
  public long spare() {
    return spare.getAsLong();
  }

  /** Where a region begins, by its struct. */
  public static long start(long region) {
    return Host.getLong(region + IbvMr.ADDR);
  }

  private long struct(Object bindable) {
    return bindable instanceof NativeBindable own && own.isOf(context) ? own.struct() : 0;
  }

  private @Nullable String writeAddress(SendWr wr, long out) {
    // Read once: another thread may change it.
    AddressHandle address = wr.ah();
    String refusal = refuseAddress(address);
    if (refusal != null || !(address instanceof NativeAddress ah)) {
      return refusal;
    }
    Host.setLong(out + IbvSendWr.WR_UD_AH, ah.address());
    Host.setInt(out + IbvSendWr.WR_UD_REMOTE_QPN, wr.remoteQpn());
    Host.setInt(out + IbvSendWr.WR_UD_REMOTE_QKEY, wr.remoteQkey());
    return null;
  }

  /**
   * Why requests cannot go there, or null. Whoever closes the address passes this side before its
   * struct ends.
   */
  public @Nullable String refuseAddress(@Nullable Object address) {
    if (!(address instanceof NativeAddress ah)) {
      return "a request on a UD queue pair needs an address handle of its context, not " + address;
    }
    if (pd == null || !ah.isOf(pd)) {
      return ah + " does not belong to this queue pair's protection domain";
    }
    Lifetime lifetime = ah.lifetime();
    return lifetime.isClosed() ? lifetime.name() + " is closed" : null;
  }

  /** Copies inline data, which C would read from the addresses of its elements. */
  private @Nullable String writeInline(Sge[] list, int count, long out) {
    long at = inlineOffset(out);
    long total = 0;
    for (int i = 0; i < count; i++) {
      Sge sge = list[i];
      if (sge == null) {
        return noElement(i);
      }
      // Read once: another thread may change it.
      long length = sge.length();
      if (total + length > maxInline) {
        return refuseInline(total(list, count));
      }
      String refusal = copyInline(sge, length, at + total);
      if (refusal != null) {
        return refusal;
      }
      long element = elements(out) + i * IbvSge.LAYOUT.size();
      writeElement(element, memory().address() + at + total, length, 0);
      total += length;
    }
    return null;
  }

  private static long total(Sge[] list, int count) {
    long total = 0;
    for (int i = 0; i < count; i++) {
      Sge sge = list[i];
      total += sge == null ? 0 : sge.length();
    }
    return total;
  }

  private String refuseInline(long total) {
    return total + " bytes of inline data, this QP has max_inline_data=" + maxInline;
  }

  private @Nullable String copyInline(Sge sge, long length, long at) {
    MemorySegment segment = sge.segment();
    if (segment != null) {
      return copy(segment, sge.segmentOffset(), length, at);
    }
    if (length == 0) {
      return null;
    }
    long addr = sge.addr();
    RegisteredMemory registered = registered(sge.lkey());
    return registered == null || !registered.covers(addr, length)
        ? "inline data at a bare address that the lkey does not cover ("
            + sge
            + "): use Sge.of(segment)"
        : copy(registered.memory(), addr - registered.addr(), length, at);
  }

  /** Where {@link #copyInline(MemorySegment, long, long, long)} copies to. */
  public long inlineScratch() {
    return memory().address() + inlineOffset(scratch());
  }

  /**
   * Copies inline data of a request behind so many bytes; null, or why it cannot be posted.
   *
   * @param before bytes that were copied before
   */
  public @Nullable String copyInline(MemorySegment data, long offset, long length, long before) {
    return before + length > maxInline
        ? refuseInline(before + length)
        : copy(data, offset, length, inlineOffset(scratch()) + before);
  }

  private @Nullable String copy(MemorySegment data, long offset, long length, long at) {
    if (offset < 0 || length < 0 || offset > data.byteSize() - length) {
      return length
          + " bytes of inline data at offset "
          + offset
          + " of a segment of "
          + data.byteSize();
    }
    try {
      MemorySegment.copy(data, offset, memory(), at, length);
      return null;
    } catch (IllegalStateException | InternalError e) {
      return "the memory of the inline data is gone: closed, or a file cut short";
    } catch (WrongThreadException e) {
      return "the inline data belongs to another thread's confined arena";
    }
  }

  /**
   * One batch at a time, and no posts of others meanwhile. Posts need not take this as well as the
   * lock, which would cost each of them two more atomic instructions.
   */
  private final class Batches implements Exclusion {
    private final Condition over = lock.newCondition();
    private boolean present;

    /** Whether nothing is waited for any more. */
    private boolean ended;

    @Override
    public void enter() {
      lock.lock();
      try {
        await();
        present = true;
      } finally {
        lock.unlock();
      }
    }

    void await() {
      while (present && !ended) {
        over.awaitUninterruptibly();
      }
    }

    @Override
    public void exit() {
      leave(/* forGood= */ false);
    }

    @Override
    public void takeOver() {}

    @Override
    public void open() {
      leave(/* forGood= */ true);
    }

    private void leave(boolean forGood) {
      lock.lock();
      try {
        present = false;
        ended |= forGood;
        // All, as one that posts lets the next one in by the lock.
        over.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
