package dev.verbena.soft.sim;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/** One device of a run with what its connections share. */
final class Side {
  /** Bytes of constant data that is sent, and that peers read. */
  static final int CONSTANT = 64 * 1024;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final MemoryRegion constant;
  private final byte[] constantBytes = new byte[CONSTANT];

  Side(Context context, RandomGenerator random) {
    this.context = context;
    pd = context.allocPd();
    cq = context.createCq(4096);
    constant = pd.allocMr(CONSTANT, LOCAL_WRITE, REMOTE_READ);
    random.nextBytes(constantBytes);
    MemorySegment.copy(constantBytes, 0, constant.memory(), ValueLayout.JAVA_BYTE, 0, CONSTANT);
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue cq() {
    return cq;
  }

  /** Data that never changes; peers may read it but not write it. */
  MemoryRegion constant() {
    return constant;
  }

  byte[] constantBytes(int offset, int length) {
    byte[] copy = new byte[length];
    System.arraycopy(constantBytes, offset, copy, 0, length);
    return copy;
  }

  /** A place in the constant data. */
  Remote constantAt(int offset) {
    return new Remote(constant.rkey(), constant.addr(), offset);
  }

  /** Registers memory that one peer may write, read and change. */
  MemoryRegion newTarget(MemorySegment memory) {
    return pd.regMr(memory, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
  }

  /** Memory for receives and for the results of READs and atomics. */
  MemoryRegion newLanding(int bytes) {
    return pd.allocMr(bytes, LOCAL_WRITE);
  }
}
