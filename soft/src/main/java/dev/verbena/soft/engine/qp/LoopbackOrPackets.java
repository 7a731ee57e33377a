package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.engine.tx.TxPort;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.frames.FrameOut;
import dev.verbena.soft.transport.frames.FramePath;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.soft.transport.packets.PacketPath;
import dev.verbena.wire.Address;
import org.jspecify.annotations.Nullable;

/**
 * The loopback to the engines of this process, unless all must use packets, and packets to all
 * others, with one copy instead if their memory can be mapped. Packets to devices of other
 * processes on this computer go without the network, if there is such a way.
 */
public final class LoopbackOrPackets implements PathChooser {
  private static final Host[] NOBODY = {};

  private final Fabric fabric;
  private final boolean loopback;
  private final Address own;
  private final TxPort network;
  private final @Nullable TxPort host;

  /**
   * @param fabric the engines of this process
   * @param loopback whether participating engines are reached without packets
   * @param own the device's address
   * @param network sends to everybody
   * @param host sends to processes of this computer without the network; null if nothing does
   */
  public LoopbackOrPackets(
      Fabric fabric, boolean loopback, Address own, TxPort network, @Nullable TxPort host) {
    this.fabric = fabric;
    this.loopback = loopback;
    this.own = own;
    this.network = network;
    this.host = host;
  }

  @Override
  public Reach reach(Route route) {
    Address to = route.destination();
    boolean isHere = fabric.isHere(to);
    if (neighbor(route) != null) {
      return new Reach(/* usesPackets= */ false, /* onHost= */ false, !isHere, null);
    }
    if (host != null && host.reaches(to)) {
      return new Reach(/* usesPackets= */ true, /* onHost= */ true, !isHere, host.exports());
    }
    return new Reach(/* usesPackets= */ true, /* onHost= */ false, !isHere, network.exports());
  }

  /** The engine that requests to this destination reach without packets, or null. */
  @Nullable Host neighbor(Route route) {
    return loopback ? fabric.find(route.destination()) : null;
  }

  /** The engines reached without packets, including this one. */
  Host[] neighbors() {
    return loopback ? fabric.members() : NOBODY;
  }

  @Override
  public Path connected(
      Reach reach, Route route, QpCore core, Transmitter transmitter, LoopbackReplies replies) {
    if (!reach.usesPackets()) {
      return new Loopback(fabric, route, core, replies);
    }
    Exports exports = reach.exports();
    return exports != null && core.service() == Service.RC
        ? new MappedPath(exports, own, transmitter, core)
        : new PacketPath(transmitter, core, whyPackets(reach, route));
  }

  /** Why a connected queue pair sends packets there, in words for people. */
  private String whyPackets(Reach reach, Route route) {
    if (reach.exports() != null) {
      return "only RC uses memory that both processes have mapped";
    }
    if (!loopback) {
      return network.whyNoExports();
    }
    if (fabric.isHere(route.destination())) {
      return "the peer's device takes nothing else";
    }
    return host == null
        ? "no device of this process has the peer's address"
        : "no device of this process, or of others on this computer with which it could share"
            + " memory, has the peer's address";
  }

  @Override
  public Path datagrams(QpCore core, Transmitter transmitter, LoopbackReplies replies) {
    return new DatagramPath(this, transmitter, core, replies);
  }

  @Override
  public Path frames(FrameOut out) {
    return new FramePath(out);
  }
}
