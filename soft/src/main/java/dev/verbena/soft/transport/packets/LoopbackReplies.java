package dev.verbena.soft.transport.packets;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Replies;
import dev.verbena.soft.transport.requester.Completer;
import dev.verbena.soft.transport.responder.Responder;
import org.jspecify.annotations.Nullable;

/**
 * Gives a responder's answers straight to the requester that asked; both are in this process, under
 * their guards.
 */
public final class LoopbackReplies implements Replies {
  private final Completer completer;
  private final SpanList data = new SpanList();
  private @Nullable Responder responder;

  /**
   * @param completer of the requester that asks
   */
  public LoopbackReplies(Completer completer) {
    this.completer = completer;
  }

  /** Names the responder whose answers come next. */
  public void from(Responder peer) {
    responder = peer;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean hasRoomToRepeat(int psn) {
    return true;
  }

  @Override
  public void acknowledge(int psn, int syndrome, int msn) {
    completer.acknowledge(psn, syndrome);
  }

  @Override
  public void read(int psn, int psnCount, int msn, int srqNum, int rkey, long va, long length) {
    Responder peer = responder;
    if (peer == null) {
      throw new IllegalStateException("an answer from nobody");
    }
    data.clear();
    boolean answered =
        peer.resolveRead(srqNum, rkey, va, length, data)
            && completer.readResponse(psn, psnCount, data, true);
    if (!answered) {
      peer.readFailed(psn, this);
    }
    data.clear();
  }

  @Override
  public void atomic(int psn, int msn, long original) {
    completer.atomicResponse(psn, original);
  }
}
