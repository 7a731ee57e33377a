package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.soft.transport.packets.PacketPath;

/** The loopback to whom the host reaches directly, packets to all others. */
public final class LoopbackOrPackets implements PathChooser {
  private final Host host;

  /** For the queue pairs of this host. */
  public LoopbackOrPackets(Host host) {
    this.host = host;
  }

  @Override
  public Reach reach(Route route) {
    if (host.directly(route) != null) {
      return Reach.CALL;
    }
    boolean within = host.fabric().isHere(route.destination());
    return within ? Reach.PACKETS_WITHIN : Reach.PACKETS;
  }

  @Override
  public Path connected(
      Reach reach, Route route, QpCore core, Transmitter transmitter, LoopbackReplies replies) {
    return switch (reach) {
      case CALL -> new Loopback(host.fabric(), route, core, replies);
      case PACKETS_WITHIN, PACKETS -> new PacketPath(transmitter, core);
    };
  }

  @Override
  public Path datagrams(QpCore core, Transmitter transmitter, LoopbackReplies replies) {
    return new DatagramPath(host, transmitter, core, replies);
  }
}
