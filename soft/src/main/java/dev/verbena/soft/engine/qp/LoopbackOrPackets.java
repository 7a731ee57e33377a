package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
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
 * others, with one copy instead if their memory can be mapped.
 */
public final class LoopbackOrPackets implements PathChooser {
  private static final Host[] NOBODY = {};

  private final Fabric fabric;
  private final boolean loopback;
  private final Address own;
  private final @Nullable Exports exports;
  private final String whyNoExports;

  /**
   * @param fabric the engines of this process
   * @param loopback whether participating engines are reached without packets
   * @param own the device's address
   * @param exports what other processes export; null if all is reached by packets
   * @param whyNoExports why, in words for people
   */
  public LoopbackOrPackets(
      Fabric fabric,
      boolean loopback,
      Address own,
      @Nullable Exports exports,
      String whyNoExports) {
    this.fabric = fabric;
    this.loopback = loopback;
    this.own = own;
    this.exports = exports;
    this.whyNoExports = whyNoExports;
  }

  @Override
  public Reach reach(Route route) {
    boolean isHere = fabric.isHere(route.destination());
    return new Reach(neighbor(route) == null, !isHere);
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
    return exports != null && core.service() == Service.RC
        ? new MappedPath(exports, own, transmitter, core)
        : new PacketPath(transmitter, core, whyPackets(route));
  }

  /** Why a connected queue pair sends packets there, in words for people. */
  private String whyPackets(Route route) {
    if (exports != null) {
      return "only RC uses memory that both processes have mapped";
    }
    if (!loopback) {
      return whyNoExports;
    }
    return fabric.isHere(route.destination())
        ? "the peer's device takes nothing else"
        : "no device of this process has the peer's address";
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
