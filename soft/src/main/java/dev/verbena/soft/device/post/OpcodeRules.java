package dev.verbena.soft.device.post;

import static dev.verbena.verbs.QpType.RAW_PACKET;
import static dev.verbena.verbs.QpType.RC;
import static dev.verbena.verbs.QpType.UC;
import static dev.verbena.verbs.QpType.UD;
import static dev.verbena.verbs.QpType.XRC_SEND;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;

/** Which operations and flags a queue pair type knows (S1.1, S1.2), for all types there are. */
final class OpcodeRules {
  private static final QpType[] CONNECTED = {RC, UC, XRC_SEND};
  private static final QpType[] RELIABLE = {RC, XRC_SEND};

  /** Numbers that operations have, 0 to 15. */
  private static final int OPCODES = 16;

  /** By number of the operation; bit n is set if it is legal for the type with the number n. */
  private static final long[] TYPES = new long[OPCODES];

  /** By number of the operation: flags that mean something. */
  private static final int[] FLAGS = new int[OPCODES];

  static {
    int send = SendFlags.SIGNALED | SendFlags.FENCE | SendFlags.SOLICITED | SendFlags.INLINE;
    int write = SendFlags.SIGNALED | SendFlags.FENCE | SendFlags.INLINE;
    int other = SendFlags.SIGNALED | SendFlags.FENCE;
    rule(WrOpcode.SEND, send | SendFlags.IP_CSUM, RC, UC, UD, XRC_SEND, RAW_PACKET);
    rule(WrOpcode.SEND_WITH_IMM, send, RC, UC, UD, XRC_SEND);
    rule(WrOpcode.SEND_WITH_INV, send, CONNECTED);
    rule(WrOpcode.RDMA_WRITE, write, CONNECTED);
    rule(WrOpcode.RDMA_WRITE_WITH_IMM, write | SendFlags.SOLICITED, CONNECTED);
    rule(WrOpcode.RDMA_READ, other, RELIABLE);
    rule(WrOpcode.ATOMIC_CMP_AND_SWP, other, RELIABLE);
    rule(WrOpcode.ATOMIC_FETCH_AND_ADD, other, RELIABLE);
    rule(WrOpcode.LOCAL_INV, other, CONNECTED);
    rule(WrOpcode.BIND_MW, other, CONNECTED);
    rule(WrOpcode.TSO, SendFlags.SIGNALED | SendFlags.IP_CSUM, UD, RAW_PACKET);
    rule(WrOpcode.FLUSH, other, RELIABLE);
    rule(WrOpcode.ATOMIC_WRITE, write, RELIABLE);
  }

  private static void rule(WrOpcode opcode, int flags, QpType... types) {
    FLAGS[opcode.number()] = flags;
    for (QpType type : types) {
      TYPES[opcode.number()] |= 1L << type.number();
    }
  }

  /** Whether the operation exists on this type (S1.1). */
  static boolean isLegal(WrOpcode opcode, QpType type) {
    return (TYPES[opcode.number()] & 1L << type.number()) != 0;
  }

  /**
   * The flags among these that mean something for this operation; the others are ignored, so that
   * they never appear on the wire (S1.2). FENCE waits for answers, which only reliable types get;
   * IP_CSUM is for frames, as the device's capability RAW_IP_CSUM says.
   */
  static int effectiveFlags(WrOpcode opcode, QpType type, int flags) {
    int effective = flags & FLAGS[opcode.number()];
    int others = type == RC || type == XRC_SEND ? 0 : SendFlags.FENCE;
    return effective & ~(type == RAW_PACKET ? others : others | SendFlags.IP_CSUM);
  }

  /** Whether the payload may be copied while posting (S1.2). */
  static boolean allowsInline(WrOpcode opcode) {
    return (FLAGS[opcode.number()] & SendFlags.INLINE) != 0;
  }

  /**
   * Whether a request names a destination: on UD an address, on XRC a shared receive queue unless
   * nothing goes to the peer (S2.11).
   */
  static boolean namesDestination(WrOpcode opcode, QpType type) {
    return switch (type) {
      case UD -> true;
      case XRC_SEND -> opcode != WrOpcode.BIND_MW && opcode != WrOpcode.LOCAL_INV;
      case RC, UC, XRC_RECV, RAW_PACKET, DRIVER -> false;
    };
  }

  /** Whether the operation has local memory, which a setter must name (S2.10). */
  static boolean hasData(WrOpcode opcode) {
    return switch (opcode) {
      case SEND,
          SEND_WITH_IMM,
          SEND_WITH_INV,
          RDMA_WRITE,
          RDMA_WRITE_WITH_IMM,
          RDMA_READ,
          ATOMIC_CMP_AND_SWP,
          ATOMIC_FETCH_AND_ADD,
          TSO ->
          true;
      case LOCAL_INV, BIND_MW, FLUSH, ATOMIC_WRITE, DRIVER1 -> false;
    };
  }

  private OpcodeRules() {}
}
