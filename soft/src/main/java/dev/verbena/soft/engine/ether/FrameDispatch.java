package dev.verbena.soft.engine.ether;

import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.frames.FlowRule;
import dev.verbena.soft.transport.frames.FlowTable;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.FrameChecksums;
import dev.verbena.wire.Operation;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Delivers one frame to the queue pairs that the rules select. Reused for the next frame; used by
 * one thread at a time, which holds no responder guard.
 */
final class FrameDispatch implements FlowTable.Sink<FrameTarget> {
  private final EthernetFrame view = new EthernetFrame();
  private final FrameChecksums checksums = new FrameChecksums();
  private final Chunk chunk = new Chunk();
  private MemorySegment frame = MemorySegment.NULL;
  private int length;
  private boolean verified;
  private boolean valid;
  private @Nullable QpRuntime excluded;
  private int deliveries;

  /** Starts with the next frame; returns false if it is not a frame. */
  boolean begin(MemorySegment memory, int bytes) {
    frame = memory;
    length = bytes;
    verified = false;
    return view.parse(memory, 0, bytes);
  }

  /** The frame's headers. */
  EthernetFrame view() {
    return view;
  }

  /** Bytes of the frame. */
  int length() {
    return length;
  }

  /** Starts counting deliveries, and excludes one queue pair if there is one. */
  FlowTable.Sink<FrameTarget> except(@Nullable QpRuntime one) {
    excluded = one;
    deliveries = 0;
    return this;
  }

  /** How many queue pairs have got the frame since {@link #except}. */
  int deliveries() {
    return deliveries;
  }

  @Override
  public void steered(FlowRule<FrameTarget> rule) {
    QpRuntime target = rule.target().of(view);
    if (target == excluded) {
      return;
    }
    if (!verified) {
      verified = true;
      valid = checksums.areValid(view);
    }
    deliveries++;
    chunk.begin(Operation.SEND, true, true, 0, 1);
    chunk.payload.clear();
    chunk.received(valid, rule.tag());
    chunk.payload.add(frame, 0, length);
    try {
      target.machines.frame(chunk);
    } finally {
      chunk.payload.clear();
    }
  }
}
