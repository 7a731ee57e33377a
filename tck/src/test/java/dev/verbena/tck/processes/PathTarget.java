package dev.verbena.tck.processes;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.path.PathConnector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A process that accepts the path that its peer offers, sends the address of its memory, and waits
 * until the peer hangs up. Arguments: its device's address, and the TCP port where its peer waits.
 */
final class PathTarget {
  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ;

  public static void main(String[] args) throws IOException {
    DeviceSpec spec = DeviceSpec.soft(args[0]).link(LinkKind.UDP);
    InetSocketAddress peer =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
    try (Context context = Devices.open(spec);
        SocketChannel channel = SocketChannel.open(peer)) {
      var pd = context.allocPd();
      MemoryRegion memory = pd.allocMr(1 << 20, Access.LOCAL_WRITE, RIGHTS);
      QueuePair qp = pd.createQp(QpInitAttr.rc(context.createCq(16)));
      byte[] where = ByteBuffer.allocate(12).putLong(memory.addr()).putInt(memory.rkey()).array();
      new PathConnector(channel).data(where).accept(qp, context.endPort(), RIGHTS);
      int end = channel.read(ByteBuffer.allocate(1));
      if (end >= 0) {
        throw new IOException("the peer sent something where it should only hang up");
      }
    }
  }

  private PathTarget() {}
}
