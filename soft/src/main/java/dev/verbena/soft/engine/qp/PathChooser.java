package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.frames.FrameOut;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import org.jspecify.annotations.Nullable;

/** Chooses the paths of a queue pair's chunks to its peers; the only place that decides this. */
public interface PathChooser {
  /**
   * How a peer is reached.
   *
   * @param usesPackets whether requests and answers are packets; otherwise both are calls, and the
   *     answer comes before a send returns
   * @param onHost whether packets go to a process of this computer without the network
   * @param otherProcess whether the peer is in another process, and does not end with this one
   * @param exports what the two processes may use of each other without packets; null if nothing
   */
  record Reach(
      boolean usesPackets, boolean onHost, boolean otherProcess, @Nullable Exports exports) {
    /**
     * Whether the peer can miss the last answers, and repeat requests after this side has ended.
     */
    boolean mayMissAnswers() {
      return usesPackets && otherProcess;
    }
  }

  /** How the peer behind this route is reached. */
  Reach reach(Route route);

  /**
   * The path of a connected queue pair.
   *
   * @param reach the result of {@link #reach} for this route
   */
  Path connected(
      Reach reach, Route route, QpCore core, Transmitter transmitter, LoopbackReplies replies);

  /** The path of a queue pair whose datagrams each name a destination. */
  Path datagrams(QpCore core, Transmitter transmitter, LoopbackReplies replies);

  /** The path of a queue pair that sends Ethernet frames. */
  Path frames(FrameOut out);
}
