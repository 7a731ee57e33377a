package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with many regions and connected queue pairs on one device. Each region is the source or
 * the target of a WRITE, and each second queue pair sends some.
 */
final class ManyRegions {
  static final int REGIONS = 100_000;
  static final int QUEUE_PAIRS = 10_000;
  private static final int WRITES = REGIONS / 2;
  private static final long BYTES = Long.BYTES;

  /** Regions that end while there are queue pairs, each of which must be asked. */
  private static final int EARLY = 100;

  private final Context context = Devices.open(TckLink.LOOPBACK.device());
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(1);
  private final MemorySegment memory = Arena.global().allocate(REGIONS * BYTES, BYTES);
  private final List<MemoryRegion> regions = new ArrayList<>(REGIONS);
  private final List<QueuePair> senders = new ArrayList<>();
  private final List<QueuePair> receivers = new ArrayList<>();
  private final WorkCompletion wc = new WorkCompletion();

  /** Prints what a region takes, and what the device says when it has no more. */
  public static void main(String[] arguments) {
    ManyRegions many = new ManyRegions();
    long before = usedHeap();
    many.register(REGIONS);
    System.out.println("bytes " + (usedHeap() - before) / REGIONS);
    many.connect();
    for (int i = 0; i < WRITES; i++) {
      many.memory.setAtIndex(ValueLayout.JAVA_LONG, i, ~i);
      require(many.write(i) == WcStatus.SUCCESS, "WRITE " + i);
    }
    for (int i = 0; i < WRITES; i++) {
      long written = many.memory.getAtIndex(ValueLayout.JAVA_LONG, WRITES + i);
      require(written == ~i, "what was written");
    }
    System.out.println("writes " + WRITES);
    int oldKey = many.regions.get(WRITES).rkey();
    many.regions.subList(WRITES, WRITES + EARLY).forEach(MemoryRegion::dereg);
    require(many.write(0, oldKey) == WcStatus.REM_ACCESS_ERR, "an old key");
    many.senders.forEach(QueuePair::destroy);
    many.receivers.forEach(QueuePair::destroy);
    many.regions.subList(WRITES, WRITES + EARLY).clear();
    many.fill();
    many.regions.forEach(MemoryRegion::dereg);
    many.regions.clear();
    many.register(1);
    many.context.close();
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private void register(int count) {
    for (int i = 0; i < count; i++) {
      MemorySegment part = memory.asSlice(i * BYTES, BYTES);
      regions.add(pd.regMr(part, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    }
  }

  private void connect() {
    QpInitAttr attr = QpInitAttr.rc(cq).cap(new QpCap(1, 1, 1, 1, 0));
    for (int i = 0; i < QUEUE_PAIRS / 2; i++) {
      QueuePair sender = pd.createQp(attr);
      QueuePair receiver = pd.createQp(attr);
      sender.connect(receiver.endpoint());
      receiver.connect(sender.endpoint(), Access.REMOTE_WRITE);
      senders.add(sender);
      receivers.add(receiver);
    }
  }

  private WcStatus write(int index) {
    return write(index, regions.get(WRITES + index).rkey());
  }

  /** Writes from a region of the first half to one of the second. */
  private WcStatus write(int index, int rkey) {
    MemoryRegion source = regions.get(index);
    senders
        .get(index % senders.size())
        .postSend(
            new SendWr()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(memory.address() + (WRITES + index) * BYTES)
                .rkey(rkey)
                .sgList(new Sge(source.addr(), (int) BYTES, source.lkey())));
    while (!cq.poll(wc)) {
      Thread.onSpinWait();
    }
    return wc.status();
  }

  /** Registers until the device refuses. */
  private void fill() {
    int most = context.queryDevice().maxMr();
    while (regions.size() < most) {
      register(1);
    }
    try {
      register(1);
    } catch (VerbsException e) {
      System.out.println("refused " + e.getMessage());
    }
    require(regions.size() == most, "the limit");
  }
}
