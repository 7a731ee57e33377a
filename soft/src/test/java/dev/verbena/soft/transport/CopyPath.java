package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.packets.PacketPath;
import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Packets, and WRITEs and FETCH_ADDs to one block without: as to memory of another process. */
final class CopyPath extends PacketPath implements DirectPeer {
  private final Block target;

  /** The parts of messages that are copied from now on; packets take the rest. */
  int parts;

  /** What is thrown when an atomic has been executed; null for nothing. */
  @Nullable Throwable afterAtomic;

  private long original;

  CopyPath(Endpoint from, Block target) {
    super(from.out, from.core);
    this.target = target;
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean countsDirect() {
    return false;
  }

  @Override
  public void direct(DirectRun run, Budget budget) {
    run.over(this, budget);
  }

  @Override
  public boolean admits(Address source, int pkey) {
    return true;
  }

  @Override
  public boolean writeWhole(int psn, int psnCount, int rkey, long va, SpanList payload) {
    return parts-- > 0
        && payload.copyTo(target.memory(), va - target.addr(), true) == AccessFault.NONE;
  }

  @Override
  public boolean readWhole(int psn, int psnCount, int rkey, long va, SpanList landing) {
    return false;
  }

  @Override
  public boolean atomicWhole(
      int psn, Operation operation, int rkey, long va, long compare, long swapOrAdd) {
    if (parts-- <= 0) {
      return false;
    }
    long at = va - target.addr();
    original = target.memory().get(ValueLayout.JAVA_LONG, at);
    target.memory().set(ValueLayout.JAVA_LONG, at, original + swapOrAdd);
    switch (afterAtomic) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(afterAtomic);
    }
    return true;
  }

  @Override
  public long original() {
    return original;
  }
}
