package dev.verbena.interop.sides;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/** Datagrams of a queue pair of our device. */
final class OurDatagrams implements Datagrams {
  /** The one of rxe0 in the guest. */
  private static final String INTERFACE = "eth0";

  private static final int QKEY = 0x11111111;

  private final ProtectionDomain pd;
  private final QueuePair qp;
  private final MemoryRegion region;
  private final int gidIndex;
  private final boolean isKernel;
  private final WorkCompletion lastReceive = new WorkCompletion();
  private @Nullable AddressHandle ah;

  /** What lets the system take packets of groups for rdma_rxe; in one group at a time. */
  private @Nullable DatagramChannel membership;

  private int qpn;

  OurDatagrams(
      ProtectionDomain pd, QueuePair qp, MemoryRegion region, int gidIndex, boolean isKernel) {
    this.pd = pd;
    this.qp = qp;
    this.region = region;
    this.gidIndex = gidIndex;
    this.isKernel = isKernel;
  }

  /** From RESET to RTS. */
  void ready(int psn) {
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qkey(QKEY));
    qp.modify(new QpAttr().qpState(QpState.RTR));
    qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(psn));
  }

  /** Addresses a request; nothing on a connected queue pair. */
  SendWr address(SendWr wr) {
    return ah == null ? wr : wr.ah(ah).remoteQpn(qpn).remoteQkey(QKEY);
  }

  /** Takes notice of a completion. */
  void polled(WorkCompletion wc) {
    if (wc.isSuccess() && wc.opcode().isReceive()) {
      lastReceive.set(wc);
    }
  }

  @Override
  public void aim(int number, Gid gid) {
    aim(number, pd.createAh(AhAttr.to(gid).withSgidIndex(gidIndex)));
  }

  private void aim(int number, AddressHandle handle) {
    if (ah != null) {
      ah.destroy();
    }
    ah = handle;
    qpn = number;
  }

  @Override
  public void aimBack(long off) {
    aim(
        lastReceive.srcQp(),
        pd.createAhFromWc(lastReceive, region.memory().asSlice(off, GRH_AREA), 1));
  }

  @Override
  public void join(Gid group) throws IOException {
    if (isKernel) {
      membership = DatagramChannel.open();
      membership.join(group.toInetAddress(), NetworkInterface.getByName(INTERFACE));
    }
    qp.attachMcast(group, 0);
  }

  @Override
  public void leave(Gid group) throws IOException {
    qp.detachMcast(group, 0);
    close();
  }

  void close() throws IOException {
    if (membership != null) {
      membership.close();
    }
  }
}
