package dev.verbena.soft.engine.qp;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.DirectRun;
import dev.verbena.soft.transport.GuardedCount;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;

/**
 * Passes chunks straight to a responder in this process: one copy from the sender's memory to the
 * receiver's. The peer is looked up for every chunk; a peer that is gone is silent, as on a
 * network.
 */
final class Loopback implements Path {
  private static final int CHUNK_BYTES = 256 * 1024;

  /** Answers come before send returns, so only unanswered chunks are in flight (S12.5.1). */
  private static final int MOST_IN_FLIGHT = 1 << 20;

  private final Fabric fabric;
  private final Address peer;
  private final QpParameters parameters;
  private final Neighbors neighbors;
  private final LoopbackReplies replies;
  private final Service service;

  /** Counts whole messages; under the requester guard, like everything here. */
  private final GuardedCount handedOver;

  private final GuardedCount bytes;

  /** Whether chunks are logged; then no message goes whole. */
  private final boolean traces;

  Loopback(Fabric fabric, Route route, QpCore core, LoopbackReplies replies) {
    this.fabric = fabric;
    peer = route.destination();
    this.replies = replies;
    parameters = core.parameters();
    neighbors = new Neighbors(core, replies);
    service = core.service();
    handedOver = core.tally().guarded(Counter.LOOPBACK_MESSAGES);
    bytes = core.tally().guarded(Counter.LOOPBACK_BYTES, handedOver);
    traces = neighbors.traces();
  }

  @Override
  public int chunkPsns() {
    return CHUNK_BYTES / parameters.mtu;
  }

  @Override
  public int readPsns() {
    return chunkPsns();
  }

  @Override
  public int mostInFlight(long bytes) {
    return MOST_IN_FLIGHT;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public String words() {
    return traces ? "loopback, in chunks, because they are logged" : "loopback";
  }

  @Override
  public boolean isDirect() {
    return !traces;
  }

  @Override
  public void direct(DirectRun run, Budget budget) {
    Host host = fabric.find(peer);
    QpRuntime target = host == null ? null : host.find(parameters.destQpn);
    if (target != null && target.executes(service)) {
      long before = budget.copied();
      handedOver.add(target.machines.direct(run, budget));
      bytes.add(budget.copied() - before);
    }
  }

  @Override
  public boolean send(Chunk chunk) {
    Host host = fabric.find(peer);
    if (host != null) {
      neighbors.deliver(host, chunk);
      replies.handOn();
    }
    return !chunk.payloadGone;
  }
}
