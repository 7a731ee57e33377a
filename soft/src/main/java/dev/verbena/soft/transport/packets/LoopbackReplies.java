package dev.verbena.soft.transport.packets;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Replies;
import dev.verbena.soft.transport.requester.Completer;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.wire.Aeth;
import org.jspecify.annotations.Nullable;

/**
 * Gives a responder's answers straight to the requester; both are in this process. Data is copied
 * while the responder's guard protects it, so the requester gets it at once. An acknowledgement
 * waits until that guard is released, so that no thread waits for the guard longer than necessary.
 * Used under the requester guard.
 */
public final class LoopbackReplies implements Replies {
  private final Completer completer;
  private final SpanList data = new SpanList();
  private @Nullable Responder responder;
  private boolean acknowledges;
  private int psn;
  private int aeth;

  /**
   * @param completer the requester's completer
   */
  public LoopbackReplies(Completer completer) {
    this.completer = completer;
  }

  /** Sets the responder whose answers come next. */
  public void from(Responder peer) {
    responder = peer;
    acknowledges = false;
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
  public boolean giveCredits() {
    return false;
  }

  @Override
  public void acknowledge(int sequence, int syndrome, int msn) {
    acknowledges = true;
    psn = sequence;
    aeth = Aeth.word(syndrome, msn);
  }

  /**
   * The responder's guard has been released: passes the acknowledgement, if there is one, to the
   * requester.
   */
  public void handOn() {
    if (acknowledges) {
      acknowledges = false;
      completer.acknowledge(psn, aeth);
    }
  }

  @Override
  public void read(int first, int psnCount, int msn, int srqNum, int rkey, long va, long length) {
    Responder peer = responder;
    if (peer == null) {
      throw new IllegalStateException("an answer from nobody");
    }
    data.clear();
    boolean answered =
        peer.resolveRead(srqNum, rkey, va, length, data)
            && completer.readResponse(first, psnCount, data, true);
    if (!answered) {
      peer.readFailed(first, this);
    }
    data.clear();
  }

  @Override
  public void atomic(int sequence, int msn, long original) {
    completer.atomicResponse(sequence, original);
  }
}
