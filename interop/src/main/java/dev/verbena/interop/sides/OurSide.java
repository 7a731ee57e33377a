package dev.verbena.interop.sides;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/** A queue pair of our device. */
final class OurSide implements Side {
  static final String NAME = "ours";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int MAX_SGE = 4;
  private static final int RD_ATOMIC = 16;
  private static final int MIN_RNR_TIMER = 12;
  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 100_000;

  private final Context context;
  private final PairSettings settings;
  private final int gidIndex;
  private final boolean isKernel;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final MemoryRegion region;
  private final QueuePair qp;
  private final OurDatagrams datagrams;
  private final int psn;
  private final WorkCompletion wc = new WorkCompletion();

  OurSide(Context context, PairSettings settings, int gidIndex, boolean isKernel)
      throws IOException {
    this.context = context;
    this.settings = settings;
    this.gidIndex = gidIndex;
    this.isKernel = isKernel;
    pd = context.allocPd();
    cq = context.createCq(2 * PairSettings.QUEUE);
    region =
        isPersistent()
            ? pd.regMr(fileMemory(), settings.regionAccess())
            : pd.allocMr(PairSettings.BUFFER, settings.usualRegionAccess());
    QpCap cap = new QpCap(PairSettings.QUEUE, PairSettings.QUEUE, MAX_SGE, MAX_SGE, 0);
    QpInitAttr attr = new QpInitAttr(settings.type()).sendCq(cq).recvCq(cq).cap(cap);
    qp = pd.createQp(settings.sendOps() == 0 ? attr : attr.sendOps(settings.sendOps()));
    datagrams = new OurDatagrams(pd, qp, region, gidIndex, isKernel);
    psn = settings.psn().orElseGet(() -> RANDOM.nextInt(1 << 24));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isKernel() {
    return isKernel;
  }

  @Override
  public boolean isPersistent() {
    return !isKernel && settings.regionAccess() != settings.usualRegionAccess();
  }

  /** Memory of a file that has no name. */
  private static MemorySegment fileMemory() throws IOException {
    Path path = Files.createTempFile("verbena", null);
    try (FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      return file.map(MapMode.READ_WRITE, 0, PairSettings.BUFFER, Arena.ofAuto());
    }
  }

  @Override
  public PeerAddress address() {
    return new PeerAddress(qp.qpNum(), psn, context.queryGid(1, gidIndex));
  }

  @Override
  public void connect(PeerAddress peer) {
    if (settings.type() == QpType.UD) {
      datagrams.ready(psn);
      datagrams.aim(peer.qpn(), peer.gid());
      return;
    }
    qp.modify(
        new QpAttr()
            .qpState(QpState.INIT)
            .pkeyIndex(0)
            .portNum(1)
            .qpAccessFlags(settings.qpAccess()));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(peer.gid()).withSgidIndex(gidIndex))
            .pathMtu(settings.mtu())
            .destQpNum(peer.qpn())
            .rqPsn(peer.psn())
            .maxDestRdAtomic(RD_ATOMIC)
            .minRnrTimer(MIN_RNR_TIMER));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(settings.ourTimeout())
            .retryCnt(settings.retry())
            .rnrRetry(settings.rnrRetry())
            .sqPsn(psn)
            .maxRdAtomic(RD_ATOMIC));
  }

  @Override
  public long addr() {
    return region.addr();
  }

  @Override
  public int rkey() {
    return region.rkey();
  }

  @Override
  public void fill(long off, int length, int seed) {
    poke(off, Pattern.bytes(seed, length));
  }

  @Override
  public void check(long off, int length, int seed) {
    MemorySegment found = region.memory().asSlice(off, length);
    long at = found.mismatch(MemorySegment.ofArray(Pattern.bytes(seed, length)));
    if (at >= 0) {
      throw new CaseFailure(
          String.format(
              "our memory, %d bytes at %d of seed %d: the first wrong one is at %d, 0x%02x",
              length, off, seed, off + at, found.get(ValueLayout.JAVA_BYTE, at)));
    }
  }

  @Override
  public byte[] peek(long off, int length) {
    return region.memory().asSlice(off, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void poke(long off, byte[] bytes) {
    MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, off, bytes.length);
  }

  @Override
  public int bindWindow(long wrId, long off, int length, int access) {
    MemoryWindow window = pd.allocMw(MwType.TYPE_2);
    int key = Keys.incRkey(window.rkey());
    qp.postSend(
        new SendWr()
            .opcode(WrOpcode.BIND_MW)
            .wrId(wrId)
            .sendFlags(SendFlags.SIGNALED)
            .mw(window)
            .bindRkey(key)
            .bindInfo(new MwBindInfo(region, region.addr() + off, length, access)));
    return key;
  }

  @Override
  public Datagrams datagrams() {
    return datagrams;
  }

  @Override
  public void post(Work work) {
    if (work.opcode() == WrOpcode.FLUSH || work.opcode() == WrOpcode.ATOMIC_WRITE) {
      build(work);
    } else {
      qp.postSend(datagrams.address(request(work)));
    }
  }

  /** Builds a request that only the extended API can post. */
  private void build(Work work) {
    QueuePairEx builder = qp.toQpEx();
    builder.wrStart();
    builder.wrId(work.wrId()).wrFlags(SendFlags.SIGNALED);
    if (work.opcode() == WrOpcode.FLUSH) {
      builder.wrFlush(
          work.remote().rkey(),
          work.remote().addr(),
          work.length(),
          work.flush().type(),
          work.flush().level());
    } else {
      long value = region.memory().get(ValueLayout.JAVA_LONG, work.off());
      builder.wrAtomicWrite(work.remote().rkey(), work.remote().addr(), value);
    }
    builder.wrComplete();
  }

  private SendWr request(Work work) {
    SendWr wr =
        new SendWr()
            .opcode(work.opcode())
            .wrId(work.wrId())
            .sendFlags(SendFlags.SIGNALED)
            .remoteAddr(work.remote().addr())
            .rkey(work.remote().rkey())
            .compareAdd(work.operands().first())
            .swap(work.operands().swap());
    if (work.opcode() != WrOpcode.LOCAL_INV) {
      wr.sgList(cut(work.off(), work.length(), work.parts()));
    }
    boolean invalidates =
        work.opcode() == WrOpcode.LOCAL_INV || work.opcode() == WrOpcode.SEND_WITH_INV;
    return invalidates ? wr.invalidateRkey(work.remote().rkey()) : wr.immData(work.imm());
  }

  @Override
  public void postRecv(long wrId, long off, int length, int parts) {
    qp.postRecv(new RecvWr().wrId(wrId).sgList(cut(off, length, parts)));
  }

  private Sge[] cut(long off, long length, int parts) {
    Sge[] list = new Sge[parts];
    for (int i = 0; i < parts; i++) {
      long begin = length * i / parts;
      long end = length * (i + 1) / parts;
      list[i] = new Sge(region.addr() + off + begin, end - begin, region.lkey());
    }
    return list;
  }

  /** Polls; after a while with pauses, so that the guest gets the CPU. */
  @Override
  public Optional<Completion> poll(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    for (int polls = 1; !cq.poll(wc); polls++) {
      if (System.nanoTime() - deadline >= 0) {
        return Optional.empty();
      }
      if (polls > SPINS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    datagrams.polled(wc);
    return Optional.of(
        new Completion(
            wc.wrId(),
            wc.status(),
            wc.opcode(),
            wc.byteLen(),
            wc.hasImm() ? OptionalInt.of(wc.immData()) : OptionalInt.empty(),
            invalidated(),
            (wc.wcFlags() & WcFlags.GRH) != 0,
            wc.srcQp()));
  }

  private OptionalInt invalidated() {
    if ((wc.wcFlags() & WcFlags.WITH_INV) != 0) {
      return OptionalInt.of(wc.invalidatedRkey());
    }
    // rxe hands out the kernel's number of this flag, not that of verbs.h, so the key looks like
    // immediate data.
    return isKernel && (wc.wcFlags() & WcFlags.IP_CSUM_OK) != 0
        ? OptionalInt.of(Integer.reverseBytes(wc.immData()))
        : OptionalInt.empty();
  }

  @Override
  public QpState state() {
    return qp.query(QpAttrMask.STATE).qpState();
  }

  @Override
  public long rnrNaks() {
    return context.counters().get(Counter.RNR_NAKS_SENT)
        + context.counters().get(Counter.RNR_NAKS_RECEIVED);
  }

  @Override
  public void close() throws IOException {
    datagrams.close();
    pd.close();
    cq.close();
  }

  @Override
  public String toString() {
    return "QP 0x" + HexFormat.of().toHexDigits(qp.qpNum(), 6);
  }
}
