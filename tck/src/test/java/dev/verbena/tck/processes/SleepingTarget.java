package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A process that exposes memory and then sleeps until its peer hangs up. Arguments: its device's
 * link and address, and the TCP port where its peer waits.
 */
final class SleepingTarget {
  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  public static void main(String[] args) throws IOException {
    TckLink link = TckLink.valueOf(args[0]);
    DeviceSpec spec = link.device(args[1], 0);
    try (Context context = Devices.open(spec);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[2]))) {
      var pd = context.allocPd();
      MemoryRegion memory = link.memory(pd, 1 << 20, Access.LOCAL_WRITE | RIGHTS);
      QueuePair qp = pd.createQp(QpInitAttr.rc(context.createCq(16)));
      var remote = ConnectionData.exchange(peer, ConnectionData.of(qp, memory));
      qp.connect(remote.endpoint(), RIGHTS);
      peer.getOutputStream().write(1);
      int end = peer.getInputStream().read();
      if (end >= 0) {
        throw new IOException("the peer sent " + end + " where it should only hang up");
      }
    }
  }

  private SleepingTarget() {}
}
