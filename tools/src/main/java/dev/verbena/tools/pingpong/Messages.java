package dev.verbena.tools.pingpong;

import dev.verbena.tools.pingpong.end.Completions;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/**
 * The message memory of a ping-pong: one region, with messages received at its start and sent from
 * behind a headroom, in which a UD receive stores the global route header.
 *
 * @param region the memory
 * @param headroom bytes before the message
 */
record Messages(MemoryRegion region, int headroom) {
  /** Message size in bytes. */
  long size() {
    return region.length() - headroom;
  }

  /** The message received last, or sent next. */
  MemorySegment message() {
    return region.memory().asSlice(headroom);
  }

  /** Its address and key. */
  Sge sge() {
    return new Sge(region.addr() + headroom, size(), region.lkey());
  }

  /** A send of the message, inline if this queue pair has room for that. */
  SendWr send(QueuePair qp) {
    int inline = size() <= qp.queryInit().maxInlineData() ? SendFlags.INLINE : 0;
    return sendTemplate().wrId(Completions.SEND_WR_ID).sendFlags(SendFlags.SIGNALED | inline);
  }

  /** A send of the message, without identifier and flags. */
  SendWr sendTemplate() {
    return new SendWr().opcode(WrOpcode.SEND).sgList(sge());
  }

  /** A receive of a message, with its headroom. */
  RecvWr recv() {
    return new RecvWr().wrId(Completions.RECV_WR_ID).sgList(region.sge());
  }
}
