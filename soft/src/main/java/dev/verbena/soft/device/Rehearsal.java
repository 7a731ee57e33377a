package dev.verbena.soft.device;

import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.engine.ether.EtherSegment;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends some packets between two devices that exist in memory only, without threads, clock and
 * sockets. So the JVM loads and links the code for packets when the first queue pair is made, not
 * when the first packet of the process comes, which would take so long that the sender would repeat
 * the packet. Programs that only query devices skip it.
 */
final class Rehearsal {
  /** The operations to send. */
  static final List<WrOpcode> PROGRAMME =
      List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD);

  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
  private static final int BYTES = 8;
  private static final int MOST_TURNS = 100;
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private Rehearsal() {}

  /** Plays it once in this process. */
  static void once() {
    if (BEGUN.compareAndSet(false, true)) {
      play();
    }
  }

  /** Returns how many operations of {@link #PROGRAMME} succeeded. */
  static int play() {
    MemoryNetwork network = new MemoryNetwork();
    OpenDevices devices =
        new OpenDevices(
            new Surroundings(
                () -> 0,
                new SplittableRandom(1),
                /* threaded= */ false,
                (gid, spec, tally) -> network.open(Gids.address(gid), tally::add),
                new EtherSegment()));
    try (SoftContext sender = devices.open(device("127.0.0.1"));
        SoftContext target = devices.open(device("127.0.0.2"))) {
      return play(sender, target);
    }
  }

  private static DeviceSpec device(String address) {
    return DeviceSpec.soft(address).link(LinkKind.PACKET);
  }

  private static int play(SoftContext sender, SoftContext target) {
    CompletionQueue cq = sender.createCq(1);
    ProtectionDomain pd = sender.allocPd();
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    MemoryRegion local = pd.allocMr(BYTES, Access.LOCAL_WRITE);
    ProtectionDomain targetPd = target.allocPd();
    QueuePair targetQp = targetPd.createQp(QpInitAttr.rc(target.createCq(1)));
    MemoryRegion remote = targetPd.allocMr(BYTES, Access.LOCAL_WRITE, RIGHTS);
    qp.connect(targetQp.endpoint());
    targetQp.connect(qp.endpoint(), RIGHTS);

    SendWr wr =
        new SendWr()
            .sendFlags(SendFlags.SIGNALED)
            .sgList(local.sge(BYTES, 0))
            .rkey(remote.rkey())
            .remoteAddr(remote.addr());
    WorkCompletion wc = new WorkCompletion();
    int succeeded = 0;
    for (WrOpcode opcode : PROGRAMME) {
      qp.postSend(wr.opcode(opcode));
      boolean completed = false;
      for (int turn = 0; turn < MOST_TURNS && !completed; turn++) {
        target.engine().step(0);
        completed = cq.poll(wc);
      }
      if (completed && wc.isSuccess()) {
        succeeded++;
      }
    }
    return succeeded;
  }
}
