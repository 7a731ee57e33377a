package dev.verbena.tools.pingpong.end;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The message buffer of a ping-pong end, used for sending and receiving, with the data check of
 * libibverbs' examples: all bytes start as 0x7b, the end that sends first clears the first byte of
 * each page, and the other one must find it cleared at the end.
 */
public final class PingpongBuffer {
  /** Page size in bytes: the check looks at the first byte of each page. */
  static final int PAGE = 4096;

  private static final byte FILL = 0x7b;

  /** The byte that the examples store, {@code page % sizeof(char)}: 0 for every page. */
  private static final byte MARK = 0;

  private final MemorySegment memory;

  public PingpongBuffer(MemorySegment memory) {
    this.memory = memory;
    memory.fill(FILL);
  }

  /** Marks the pages: before the first message, by the end that sends it. */
  public void mark() {
    for (long at = 0; at < memory.byteSize(); at += PAGE) {
      memory.set(ValueLayout.JAVA_BYTE, at, MARK);
    }
  }

  /** The numbers of wrong pages: after the last message, at the other end. */
  public List<Long> invalidPages() {
    List<Long> invalid = new ArrayList<>();
    for (long at = 0; at < memory.byteSize(); at += PAGE) {
      if (memory.get(ValueLayout.JAVA_BYTE, at) != MARK) {
        invalid.add(at / PAGE);
      }
    }
    return invalid;
  }
}
