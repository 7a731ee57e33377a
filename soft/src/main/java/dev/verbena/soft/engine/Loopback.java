package dev.verbena.soft.engine;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.LoopbackReplies;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.Request;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;

/**
 * Hands chunks straight to a responder in this process: one copy from the sender's memory to the
 * receiver's. The peer is looked up for every chunk; one that is gone is silent, as on a network.
 */
final class Loopback implements Path {
  private static final int CHUNK_BYTES = 256 * 1024;

  /** Answers come before send returns; what is in flight is what nobody answered (S12.5.1). */
  private static final int WINDOW = 1 << 20;

  private final Fabric fabric;
  private final Route route;
  private final Service service;
  private final QpParameters parameters;
  private final LoopbackReplies replies;
  private final Tally tally;

  Loopback(Fabric fabric, Route route, QpCore core, LoopbackReplies replies) {
    this.fabric = fabric;
    this.route = route;
    this.replies = replies;
    service = core.service();
    parameters = core.parameters();
    tally = core.tally();
  }

  @Override
  public int chunkPsns() {
    return CHUNK_BYTES / parameters.mtu();
  }

  @Override
  public int readPsns() {
    return chunkPsns();
  }

  @Override
  public int window() {
    return WINDOW;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public boolean send(Request chunk) {
    Engine engine = fabric.find(route.dstHi(), route.dstLo());
    if (engine == null) {
      return true;
    }
    QpRuntime peer = engine.find(chunk.destQpn());
    if (peer == null) {
      engine.tally().count(Counter.DROPPED_NO_QP);
      return true;
    }
    if (peer.service() != service) {
      peer.tally().count(Counter.DROPPED_QP_STATE);
      return true;
    }
    peer.deliver(chunk, replies);
    if (chunk.isLast()) {
      tally.count(Counter.LOOPBACK_MESSAGES);
      peer.tally().count(Counter.LOOPBACK_RECEIVED);
    }
    return true;
  }
}
