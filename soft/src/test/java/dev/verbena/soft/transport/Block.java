package dev.verbena.soft.transport;

import dev.verbena.soft.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** Registered memory of one endpoint. */
record Block(Region region) {
  long addr() {
    return region.base();
  }

  int lkey() {
    return region.lkey();
  }

  int rkey() {
    return region.rkey();
  }

  MemorySegment memory() {
    return region.memory();
  }

  byte[] bytes() {
    return memory().toArray(ValueLayout.JAVA_BYTE);
  }

  byte[] bytes(long offset, long length) {
    return memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Fills it with bytes that depend on the seed. */
  Block scribble(long seed) {
    byte[] bytes = new byte[(int) memory().byteSize()];
    new Random(seed).nextBytes(bytes);
    memory().copyFrom(MemorySegment.ofArray(bytes));
    return this;
  }

  long getLong(long offset) {
    return memory().get(ValueLayout.JAVA_LONG, offset);
  }

  void setLong(long offset, long value) {
    memory().set(ValueLayout.JAVA_LONG, offset, value);
  }
}
