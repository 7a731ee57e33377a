package dev.verbena.tools.pingpong;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/**
 * Where the messages of a ping-pong lie: all in one region, received at its start and sent from
 * behind a headroom, into which a UD receive puts the global route header.
 *
 * @param region the memory
 * @param headroom bytes before the message
 */
record Messages(MemoryRegion region, int headroom) {
  /** Bytes of a message. */
  long size() {
    return region.length() - headroom;
  }

  /** The message that was received last, or is sent next. */
  MemorySegment message() {
    return region.memory().asSlice(headroom);
  }

  /** Its address and key. */
  Sge sge() {
    return new Sge(region.addr() + headroom, size(), region.lkey());
  }

  /** Sends it, inline if this queue pair has room for that. */
  SendWr send(QueuePair qp) {
    int inline = size() <= qp.queryInit().maxInlineData() ? SendFlags.INLINE : 0;
    return sendTemplate().wrId(PingpongLoop.SEND_WR_ID).sendFlags(SendFlags.SIGNALED | inline);
  }

  /** Sends it, with whatever identifier and flags. */
  SendWr sendTemplate() {
    return new SendWr().opcode(WrOpcode.SEND).sgList(sge());
  }

  /** Receives one, with its headroom. */
  RecvWr recv() {
    return new RecvWr().wrId(PingpongLoop.RECV_WR_ID).sgList(region.sge());
  }
}
