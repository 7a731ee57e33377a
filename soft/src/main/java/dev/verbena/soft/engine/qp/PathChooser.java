package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.packets.LoopbackReplies;

/** Chooses how the chunks of a queue pair reach its peers. */
public interface PathChooser {
  /** Where a peer is, as seen from a queue pair. */
  enum Reach {
    /** In this process: its answers come before a send returns. */
    CALL,
    /** In this process, but reached by packets: both ends end together. */
    PACKETS_WITHIN,
    /** In another process. */
    PACKETS
  }

  /** Where the peer behind this route is. */
  Reach reach(Route route);

  /**
   * The path of a connected queue pair.
   *
   * @param reach as {@link #reach} has said of this route
   */
  Path connected(
      Reach reach, Route route, QpCore core, Transmitter transmitter, LoopbackReplies replies);

  /** The path of a queue pair whose datagrams each have a destination of their own. */
  Path datagrams(QpCore core, Transmitter transmitter, LoopbackReplies replies);
}
