package dev.verbena.soft.queue;

import static dev.verbena.verbs.QpType.RAW_PACKET;
import static dev.verbena.verbs.QpType.RC;
import static dev.verbena.verbs.QpType.UC;
import static dev.verbena.verbs.QpType.UD;
import static dev.verbena.verbs.QpType.XRC_SEND;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Answer;
import dev.verbena.wire.Operation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A send operation as this device knows it: one row of one table ({@link #row}). The row of {@link
 * WrOpcode} has what users may know, such as the fields of a request; those of {@link
 * dev.verbena.wire.Opcode} describe its packets. An opcode without a row here does not compile, and
 * a test finds one without packets.
 */
public final class SendOperation {
  /** What a request sends to the peer. */
  public enum Content {
    /** Its data, in as many packets as it takes. */
    DATA,
    /** Its data, cut into segments, each of which is a message with its own headers. */
    SEGMENTS,
    /** 8 bytes of data. */
    VALUE,
    /** The range for the peer to send. */
    RANGE,
    /** The operands of an atomic; the answer is 8 bytes of data. */
    OPERANDS,
    /** The range to flush. */
    FLUSH,
    /** Nothing, because it is executed on this side. */
    NOTHING
  }

  private static final Set<QpType> ALL = Set.of(RC, UC, UD, XRC_SEND, RAW_PACKET);
  private static final Set<QpType> MESSAGES = Set.of(RC, UC, UD, XRC_SEND);
  private static final Set<QpType> CONNECTED = Set.of(RC, UC, XRC_SEND);
  private static final Set<QpType> RELIABLE = Set.of(RC, XRC_SEND);
  private static final Set<QpType> SEGMENTING = Set.of(UD, RAW_PACKET);

  private static final int OTHER = SendFlags.SIGNALED | SendFlags.FENCE;
  private static final int WRITE = OTHER | SendFlags.INLINE;
  private static final int SEND = WRITE | SendFlags.SOLICITED;
  private static final int FRAME = SendFlags.SIGNALED | SendFlags.IP_CSUM;

  private static final Map<WrOpcode, SendOperation> ROWS = rows();

  /** The opcode for users. */
  public final WrOpcode opcode;

  private final @Nullable Operation onWire;

  /** What it sends to the peer. */
  public final Content content;

  private final long types;
  private final int flags;

  // The rest is derived from the columns in advance, because requests query it.

  /** The {@link SendOps} bit; 0 for DRIVER1, which has none. */
  public final int sendOp;

  /** The opcode of its completion. */
  public final WcOpcode completion;

  /** Whether a setter must name its local memory (S2.10). */
  public final boolean needsData;

  /** Whether it sends immediate data to the peer. */
  public final boolean carriesImmediate;

  /** Whether it sends a key for the peer to invalidate. */
  public final boolean carriesKey;

  /** Whether each takes a receive of the peer. */
  public final boolean takesReceive;

  /** Whether its answer is data for local memory: READ and atomics. */
  public final boolean answeredWithData;

  /**
   * Whether its answer is a separate response, not an acknowledgement: READ, atomics, and, with an
   * empty one, FLUSH and ATOMIC_WRITE (S12.6.12). All count against max_rd_atomic (S12.5.4).
   */
  public final boolean hasResponse;

  /** Whether it is executed on this side, and needs no peer. */
  public final boolean executedHere;

  /** Whether it requests a range of the peer's memory, parts of which can be requested again. */
  public final boolean reads;

  /** Whether it stores data in the peer's memory, and nothing else. */
  public final boolean writes;

  /** Whether it is a message for a receive, and nothing else: SEND and SEND_WITH_IMM. */
  public final boolean sends;

  /** Whether its answer is the original value. */
  public final boolean atomic;

  /**
   * @param onWire the operation of its packets; null if it has none
   * @param content what they carry
   * @param types the queue pairs on which it exists (S1.1)
   * @param flags the flags that apply (S1.2)
   */
  private SendOperation(
      WrOpcode opcode, @Nullable Operation onWire, Content content, Set<QpType> types, int flags) {
    this.opcode = opcode;
    this.onWire = onWire;
    this.content = content;
    this.types = types.stream().mapToLong(type -> 1L << type.number()).sum();
    this.flags = flags;
    sendOp = SendOps.of(opcode);
    completion = opcode.completion();
    needsData = opcode.uses(SendWrField.SG_LIST) && content != Content.VALUE;
    carriesImmediate = opcode.uses(SendWrField.IMM_DATA);
    carriesKey = onWire != null && opcode.uses(SendWrField.INVALIDATE_RKEY);
    takesReceive = onWire == Operation.SEND || carriesImmediate;
    Answer answer = onWire == null ? Answer.NONE : onWire.answer;
    answeredWithData = answer == Answer.DATA || answer == Answer.ORIGINAL;
    hasResponse = answeredWithData || answer == Answer.EMPTY_RESPONSE;
    executedHere = content == Content.NOTHING;
    reads = content == Content.RANGE;
    writes = onWire == Operation.WRITE && !carriesImmediate;
    sends = onWire == Operation.SEND && content == Content.DATA && !carriesKey;
    atomic = content == Content.OPERANDS;
  }

  private static Map<WrOpcode, SendOperation> rows() {
    Map<WrOpcode, SendOperation> rows = new EnumMap<>(WrOpcode.class);
    for (WrOpcode opcode : WrOpcode.values()) {
      rows.put(opcode, row(opcode));
    }
    return rows;
  }

  private static SendOperation row(WrOpcode opcode) {
    return switch (opcode) {
      case SEND -> sent(opcode, Operation.SEND, Content.DATA, ALL, SEND | SendFlags.IP_CSUM);
      case SEND_WITH_IMM -> sent(opcode, Operation.SEND, Content.DATA, MESSAGES, SEND);
      case SEND_WITH_INV -> sent(opcode, Operation.SEND, Content.DATA, CONNECTED, SEND);
      case RDMA_WRITE -> sent(opcode, Operation.WRITE, Content.DATA, CONNECTED, WRITE);
      case RDMA_WRITE_WITH_IMM -> sent(opcode, Operation.WRITE, Content.DATA, CONNECTED, SEND);
      case RDMA_READ -> sent(opcode, Operation.READ_REQUEST, Content.RANGE, RELIABLE, OTHER);
      case ATOMIC_CMP_AND_SWP ->
          sent(opcode, Operation.COMPARE_SWAP, Content.OPERANDS, RELIABLE, OTHER);
      case ATOMIC_FETCH_AND_ADD ->
          sent(opcode, Operation.FETCH_ADD, Content.OPERANDS, RELIABLE, OTHER);
      case TSO -> sent(opcode, Operation.SEND, Content.SEGMENTS, SEGMENTING, FRAME);
      case FLUSH -> sent(opcode, Operation.FLUSH, Content.FLUSH, RELIABLE, OTHER);
      case ATOMIC_WRITE -> sent(opcode, Operation.ATOMIC_WRITE, Content.VALUE, RELIABLE, WRITE);
      case LOCAL_INV, BIND_MW -> executedHere(opcode, CONNECTED, OTHER);
      // No type has it, so posting it fails.
      case DRIVER1 -> executedHere(opcode, Set.of(), 0);
    };
  }

  private static SendOperation sent(
      WrOpcode opcode, Operation onWire, Content content, Set<QpType> types, int flags) {
    return new SendOperation(opcode, onWire, content, types, flags);
  }

  private static SendOperation executedHere(WrOpcode opcode, Set<QpType> types, int flags) {
    return new SendOperation(opcode, null, Content.NOTHING, types, flags);
  }

  /** The row of an opcode. */
  public static SendOperation of(WrOpcode opcode) {
    SendOperation row = ROWS.get(opcode);
    if (row == null) {
      throw new IllegalStateException("no row of " + opcode);
    }
    return row;
  }

  /** The operations that exist on a type, as {@link SendOps} bits. */
  public static int sendOps(QpType type) {
    int bits = 0;
    for (WrOpcode opcode : WrOpcode.values()) {
      bits |= of(opcode).existsOn(type) ? of(opcode).sendOp : 0;
    }
    return bits;
  }

  /**
   * The operation of its packets.
   *
   * @throws IllegalStateException if it has none
   */
  public Operation onWire() {
    if (onWire == null) {
      throw new IllegalStateException(opcode + " is not sent");
    }
    return onWire;
  }

  /** Whether it uses this field of a request. */
  public boolean uses(SendWrField field) {
    return opcode.uses(field);
  }

  /** Whether it exists on this type (S1.1). */
  public boolean existsOn(QpType type) {
    return (types & 1L << type.number()) != 0;
  }

  /**
   * The flags among these that apply; the others are ignored, so that they never appear on the wire
   * (S1.2). FENCE waits for answers, which only reliable types get; IP_CSUM is for frames, as the
   * device's capability RAW_IP_CSUM says.
   */
  public int effectiveFlags(QpType type, int given) {
    int effective = given & flags;
    int others = type == RC || type == XRC_SEND ? 0 : SendFlags.FENCE;
    return effective & ~(type == RAW_PACKET ? others : others | SendFlags.IP_CSUM);
  }

  /** Whether the payload may be copied while posting (S1.2). */
  public boolean allowsInline() {
    return (flags & SendFlags.INLINE) != 0;
  }
}
