package dev.verbena.soft.transport;

import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.soft.transport.responder.Responder;

/** Passes chunks of a few PSNs directly to the peer's responder, like the loopback. */
final class DirectPath implements Path {
  static final int CHUNK_PSNS = 4;

  private final Responder peer;
  private final LoopbackReplies replies;

  DirectPath(Endpoint from, Endpoint to) {
    this(from, to.responder);
  }

  DirectPath(Endpoint from, Responder to) {
    peer = to;
    replies = new LoopbackReplies(from.requester.completer);
  }

  @Override
  public int chunkPsns() {
    return CHUNK_PSNS;
  }

  @Override
  public int readPsns() {
    return CHUNK_PSNS;
  }

  @Override
  public int mostInFlight(long bytes) {
    return 1 << 16;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public String words() {
    return "a call";
  }

  @Override
  public boolean send(Chunk chunk) {
    replies.from(peer);
    peer.receive(chunk, peer.obstacle(chunk), replies);
    replies.handOn();
    return !chunk.payloadGone;
  }
}
