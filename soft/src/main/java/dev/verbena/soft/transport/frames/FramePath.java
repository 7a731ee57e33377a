package dev.verbena.soft.transport.frames;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Path;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.EthernetHeader;
import dev.verbena.wire.FrameChecksums;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Sends each chunk as one Ethernet frame, padded to the minimum length (S9.1). */
public final class FramePath implements Path {
  private static final int CACHE_LINE = 64;

  private final FrameOut out;
  private final MemorySegment frame;
  private final SpanList target = new SpanList();
  private final EthernetFrame view = new EthernetFrame();
  private final FrameChecksums checksums = new FrameChecksums();

  /** A path with its own buffer. */
  public FramePath(FrameOut out) {
    this.out = out;
    // Freed by the garbage collector, because a late sender must not meet a closed arena.
    frame = Arena.ofAuto().allocate(out.maxFrame(), CACHE_LINE);
  }

  @Override
  public int chunkPsns() {
    return 1;
  }

  @Override
  public int readPsns() {
    return 1;
  }

  @Override
  public int mostInFlight(long bytes) {
    return Integer.MAX_VALUE;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public String words() {
    return "Ethernet frames";
  }

  @Override
  public boolean send(Chunk chunk) {
    int length = (int) chunk.payload.total;
    target.clear();
    target.add(frame, 0, length);
    AccessFault fault = chunk.payload.copyTo(target, false);
    target.clear();
    if (fault != AccessFault.NONE) {
      chunk.losePayload();
      return false;
    }
    if (chunk.fillsChecksums && view.parse(frame, 0, length)) {
      checksums.fill(view);
    }
    int padded = Math.max(length, EthernetHeader.MIN_FRAME);
    for (int at = length; at < padded; at++) {
      frame.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
    }
    return out.send(frame, padded);
  }
}
