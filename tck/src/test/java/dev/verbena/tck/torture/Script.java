package dev.verbena.tck.torture;

import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.WrOpcode;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a lane, which the seed determines, so both ends know them without communication.
 * Used by one thread.
 */
final class Script {
  /** The bits of a message's number that name its lane. */
  private static final int LANE_BITS = 12;

  /** The most lanes whose messages are distinguishable. */
  static final int LANES = 1 << LANE_BITS;

  /** One batch in so many reaches its target by a window. */
  private static final int WINDOWS = 4;

  /** One batch in so many is disturbed. */
  private static final int MISCHIEFS = 8;

  private static final int[] FLUSH_TYPES = {
    FlushType.GLOBAL, FlushType.PERSISTENT, FlushType.GLOBAL | FlushType.PERSISTENT
  };

  private final int lane;
  private final Service service;
  private final List<Mischief> mischiefs;
  private final int size;
  private final SplittableRandom random;
  private final Operation[] batch;
  private @Nullable Mischief mischief;
  private boolean windowed;
  private long messages;

  Script(Traffic traffic, int lane) {
    this.lane = lane;
    service = traffic.service();
    mischiefs =
        traffic.mischiefs().stream().filter(m -> service == Service.RC || !m.needsRc()).toList();
    boolean whole = service == Service.UD;
    size = whole ? Math.min(traffic.size(), traffic.mtu().bytes()) : traffic.size();
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

  /** What the target does to itself during the batch, if anything. */
  @Nullable Mischief mischief() {
    return mischief;
  }

  /** Whether the batch reaches the target by a window, and invalidates that. */
  boolean isWindowed() {
    return windowed;
  }

  /** Whose memory the target's is during the batch. */
  LaneMemory.Kind memory() {
    return switch (mischief) {
      case DEREGISTER, ARENA -> LaneMemory.Kind.ARENA;
      case FILE, HALF_FILE -> LaneMemory.Kind.FILE;
      case null, default -> Traffic.memory(lane);
    };
  }

  /** The slot of a message of this lane. */
  int slot(long message) {
    return (int) ((message >>> LANE_BITS) % batch.length);
  }

  /** How many messages of this lane came from one message to another. */
  static long distance(long from, long to) {
    return (to - from) >> LANE_BITS;
  }

  /** Draws the next batch in place of the last. */
  void next() {
    mischief =
        service.isReliable() && !mischiefs.isEmpty() && random.nextInt(MISCHIEFS) == 0
            ? mischiefs.get(random.nextInt(mischiefs.size()))
            : null;
    windowed =
        mischief == null
            ? service == Service.RC && random.nextInt(WINDOWS) == 0
            : mischief.needsWindow();
    drawOperations();
    if (windowed) {
      Operation last = batch[mischief == Mischief.STALE_KEY ? batch.length / 2 : batch.length - 1];
      last.opcode = WrOpcode.SEND_WITH_INV;
    }
    if (service.isReliable()) {
      silenceFlushed();
    }
  }

  /** WRITEs right before a FLUSH are silent, so that its completion alone vouches for them. */
  private void silenceFlushed() {
    boolean flushed = false;
    for (int i = batch.length - 1; i >= 0; i--) {
      Operation op = batch[i];
      op.silent = flushed && op.writes();
      flushed = op.flushes() || op.silent;
    }
  }

  private void drawOperations() {
    WrOpcode[] kinds = service.operations();
    for (Operation op : batch) {
      op.opcode = kinds[random.nextInt(kinds.length)];
      op.length = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(size + 1);
      if (service == Service.UC && op.writes()) {
        // Parts of several messages may lie in one place: whole words say whose they are.
        op.length &= -Long.BYTES;
      }
      op.message = (messages++ << LANE_BITS | lane) & (Slots.NOBODY >> 1);
      if (op.isAtomic()) {
        op.length = Long.BYTES;
        op.operand = random.nextLong();
        op.matches = random.nextInt(4) != 0;
      } else if (op.flushes()) {
        op.length = 0;
        // Only a file can be made persistent.
        int types = memory() == LaneMemory.Kind.FILE ? FLUSH_TYPES.length : 1;
        op.flushType = FLUSH_TYPES[random.nextInt(types)];
        op.flushLevel = random.nextBoolean() ? FlushLevel.RANGE : FlushLevel.MR;
      }
    }
  }
}
