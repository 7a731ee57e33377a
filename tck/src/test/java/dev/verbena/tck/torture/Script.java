package dev.verbena.tck.torture;

import dev.verbena.verbs.WrOpcode;
import java.util.SplittableRandom;

/**
 * The batches of a lane, which the seed determines, so both ends know them without communication.
 * Used by one thread.
 */
final class Script {
  /** The bits of a message's number that name its lane. */
  private static final int LANE_BITS = 12;

  /** The most lanes whose messages are distinguishable. */
  static final int LANES = 1 << LANE_BITS;

  private static final WrOpcode[] KINDS = {
    WrOpcode.SEND,
    WrOpcode.SEND_WITH_IMM,
    WrOpcode.RDMA_WRITE,
    WrOpcode.RDMA_WRITE_WITH_IMM,
    WrOpcode.RDMA_READ,
    WrOpcode.RDMA_READ,
    WrOpcode.ATOMIC_FETCH_AND_ADD,
    WrOpcode.ATOMIC_CMP_AND_SWP
  };

  private final int lane;
  private final int size;
  private final SplittableRandom random;
  private final Operation[] batch;
  private long messages;

  Script(Traffic traffic, int lane) {
    this.lane = lane;
    size = traffic.size();
    random = new SplittableRandom(traffic.seed() * 1000 + lane);
    batch = new Operation[traffic.batch()];
    for (int i = 0; i < batch.length; i++) {
      batch[i] = new Operation();
    }
  }

  /** The batch that was drawn last; before the first, operations without bytes. */
  Operation[] batch() {
    return batch;
  }

  /** Draws the next batch in place of the last. */
  void next() {
    for (Operation op : batch) {
      op.opcode = KINDS[random.nextInt(KINDS.length)];
      op.length = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(size + 1);
      op.message = (messages++ << LANE_BITS | lane) & (Slots.NOBODY >> 1);
      if (op.isAtomic()) {
        op.length = Long.BYTES;
        op.operand = random.nextLong();
        op.matches = random.nextInt(4) != 0;
      }
    }
  }
}
