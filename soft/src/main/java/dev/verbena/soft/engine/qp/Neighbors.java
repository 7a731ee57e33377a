package dev.verbena.soft.engine.qp;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.GuardedCount;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Passes chunks of one queue pair to queue pairs in this process, as {@link
 * dev.verbena.soft.engine.Inbound} does with packets.
 */
final class Neighbors {
  private static final Logger LOG = System.getLogger(Link.PACKET_LOG);

  private final Service service;
  private final LoopbackReplies replies;

  /** Under the requester guard, like everything here. */
  private final GuardedCount handedOver;

  private final GuardedCount bytes;

  /** Whether chunks are logged; read once, so that it costs nothing otherwise. */
  private final boolean traces = LOG.isLoggable(Level.TRACE);

  Neighbors(QpCore core, LoopbackReplies replies) {
    service = core.service();
    handedOver = core.tally().guarded(Counter.LOOPBACK_MESSAGES);
    bytes = core.tally().guarded(Counter.LOOPBACK_BYTES, handedOver);
    this.replies = replies;
  }

  /**
   * Delivers to each queue pair of the engine that is in the group, except as S8.6 says.
   *
   * @return the number of copies
   */
  int deliverToGroup(Host host, Chunk chunk, Address group) {
    if (traces) {
      trace(chunk);
    }
    Multicast multicast = host.multicast();
    List<Multicast.Member> members = multicast.members(group);
    int copies = 0;
    for (int i = 0; i < members.size(); i++) {
      Multicast.Member member = members.get(i);
      if (multicast.isFor(member, chunk)) {
        hand(member.qp(), chunk);
        copies++;
      }
    }
    return copies;
  }

  /** Delivers to the queue pair that the chunk names, if that engine has it. */
  void deliver(Host host, Chunk chunk) {
    if (traces) {
      trace(chunk);
    }
    QpRuntime peer = host.find(chunk.destQpn);
    if (peer == null) {
      host.tally().count(Counter.DROPPED_NO_QP);
    } else if (!peer.executes(service)) {
      peer.tally.count(Counter.DROPPED_QP_STATE);
    } else {
      hand(peer, chunk);
    }
  }

  private void hand(QpRuntime to, Chunk chunk) {
    long moves = chunk.moves();
    if (to.machines.chunk(chunk, replies)) {
      handedOver.add(1);
    }
    bytes.add(moves);
  }

  /** Whether each chunk is logged. */
  boolean traces() {
    return traces;
  }

  private void trace(Chunk chunk) {
    if (LOG.isLoggable(Level.TRACE)) {
      LOG.log(Level.TRACE, "handed over " + service + " " + chunk);
    }
  }
}
