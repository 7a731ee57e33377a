package dev.verbena.interop.sides;

import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/** Two connected sides, an initiator and a target, with checks of their behavior. */
public final class Pair {
  private static final long PAUSE_NANOS = 2_000_000;

  private final Side initiator;
  private final Side target;
  private final PairSettings settings;

  /** Connects the sides. */
  public Pair(Side initiator, Side target, PairSettings settings) throws IOException {
    this.initiator = initiator;
    this.target = target;
    this.settings = settings;
    target.connect(initiator.address());
    initiator.connect(target.address());
  }

  public Side initiator() {
    return initiator;
  }

  public Side target() {
    return target;
  }

  public PairSettings settings() {
    return settings;
  }

  /** The side's next completion. */
  public Completion await(Side side) throws IOException {
    return side.poll(settings.patience())
        .orElseThrow(
            () -> new CaseFailure(side.name() + ": no completion after " + settings.patience()));
  }

  /** Waits for the side's next completion, which must be this one. */
  public Completion await(Side side, long wrId, WcStatus status) throws IOException {
    Completion wc = await(side);
    if (wc.wrId() != wrId || wc.status() != status) {
      throw new CaseFailure(
          side.name() + ": expected wr_id " + wrId + " with " + status + ", got " + wc);
    }
    return wc;
  }

  /** Waits for the side's next completion, which must be a success with this opcode. */
  public Completion await(Side side, long wrId, WcOpcode opcode) throws IOException {
    Completion wc = await(side, wrId, WcStatus.SUCCESS);
    if (wc.opcode() != opcode) {
      throw new CaseFailure(side.name() + ": expected the opcode " + opcode + ", got " + wc);
    }
    return wc;
  }

  /** Waits for the side's next completion, which must be a receive of this many bytes. */
  public Completion awaitReceive(Side side, long wrId, WcOpcode opcode, long bytes)
      throws IOException {
    Completion wc = await(side, wrId, opcode);
    if (wc.byteLen() != bytes) {
      throw new CaseFailure(side.name() + ": expected " + bytes + " bytes, got " + wc);
    }
    return wc;
  }

  /**
   * Waits for the side's next completion, which must be a receive of this many bytes with immediate
   * data.
   */
  public Completion awaitReceive(Side side, long wrId, WcOpcode opcode, long bytes, int imm)
      throws IOException {
    Completion wc = awaitReceive(side, wrId, opcode, bytes);
    if (!wc.imm().equals(OptionalInt.of(imm))) {
      throw new CaseFailure(
          String.format("%s: expected the immediate data 0x%x, got %s", side.name(), imm, wc));
    }
    return wc;
  }

  /** Checks that no completion waits. */
  public void expectNone(Side side) throws IOException {
    Optional<Completion> wc = side.poll(Duration.ZERO);
    if (wc.isPresent()) {
      throw new CaseFailure(side.name() + ": expected no completion, got " + wc.get());
    }
  }

  /** Waits until the side's queue pair is in this state. */
  public void awaitState(Side side, QpState state) throws IOException {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    for (QpState found = side.state(); found != state; found = side.state()) {
      if (System.nanoTime() - deadline >= 0) {
        throw new CaseFailure(side.name() + ": expected the state " + state + ", got " + found);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits until the side's device has exchanged more than {@code count} RNR NAKs. */
  public void awaitRnrNaks(Side side, long count) throws IOException {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    while (side.rnrNaks() <= count) {
      if (System.nanoTime() - deadline >= 0) {
        throw new CaseFailure(side.name() + ": no RNR NAK after " + settings.patience());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
