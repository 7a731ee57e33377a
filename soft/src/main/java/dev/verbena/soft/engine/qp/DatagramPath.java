package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.soft.transport.packets.PacketPath;
import dev.verbena.verbs.AddressHandle;

/**
 * Sends each datagram to the destination in its request: straight to a responder in this process,
 * or as a packet. Datagrams to a multicast group go both ways.
 */
final class DatagramPath implements Path {
  private final LoopbackOrPackets chooser;
  private final Transmitter transmitter;
  private final PacketPath packets;
  private final Neighbors neighbors;
  private int copies = 1;

  /**
   * @param chooser decides it for each destination
   */
  DatagramPath(
      LoopbackOrPackets chooser, Transmitter transmitter, QpCore core, LoopbackReplies replies) {
    this.chooser = chooser;
    this.transmitter = transmitter;
    packets = new PacketPath(transmitter, core);
    neighbors = new Neighbors(core, replies);
  }

  @Override
  public int chunkPsns() {
    return 1;
  }

  @Override
  public int readPsns() {
    return 1;
  }

  @Override
  public int mostInFlight(long bytes) {
    return 1;
  }

  @Override
  public boolean isReady() {
    return transmitter.isReady();
  }

  @Override
  public boolean send(Chunk chunk) {
    if (!(chunk.datagram.destination() instanceof DatagramRoute to)) {
      throw new IllegalStateException("a datagram without destination");
    }
    Route route = to.route();
    if (route.isMulticast()) {
      return sendToGroup(chunk, route);
    }
    copies = 1;
    Host near = chooser.neighbor(route);
    if (near == null) {
      transmitter.aim(route);
      return packets.send(chunk);
    }
    describe(chunk, route);
    neighbors.deliver(near, chunk);
    return !chunk.payloadGone;
  }

  /**
   * Sends a packet, and delivers without a packet to the members in this process, which ignore the
   * packet.
   */
  private boolean sendToGroup(Chunk chunk, Route route) {
    transmitter.aim(route);
    if (!packets.send(chunk)) {
      return false;
    }
    copies = 1;
    Host[] near = chooser.neighbors();
    if (near.length > 0 && chunk.destQpn == AddressHandle.MULTICAST_QPN) {
      describe(chunk, route);
      for (Host each : near) {
        copies += neighbors.deliverToGroup(each, chunk, route.destination());
      }
    }
    return true;
  }

  @Override
  public String words() {
    return "loopback or packets, chosen for each datagram";
  }

  @Override
  public int copies() {
    return copies;
  }

  private static void describe(Chunk chunk, Route route) {
    chunk.datagram.route(
        route.destination(),
        route.trafficClass(),
        route.flowLabel(),
        route.effectiveHopLimit(),
        route.local());
  }
}
