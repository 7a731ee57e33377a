package dev.verbena.verbs;

import java.util.StringJoiner;

/** Operations that a {@link QueuePairEx} will post (enum ibv_qp_create_send_ops_flags). */
public final class SendOps {
  /** wrRdmaWrite. */
  public static final int RDMA_WRITE = 1;

  /** wrRdmaWriteImm. */
  public static final int RDMA_WRITE_WITH_IMM = 1 << 1;

  /** wrSend. */
  public static final int SEND = 1 << 2;

  /** wrSendImm. */
  public static final int SEND_WITH_IMM = 1 << 3;

  /** wrRdmaRead. */
  public static final int RDMA_READ = 1 << 4;

  /** wrAtomicCmpSwp. */
  public static final int ATOMIC_CMP_AND_SWP = 1 << 5;

  /** wrAtomicFetchAdd. */
  public static final int ATOMIC_FETCH_AND_ADD = 1 << 6;

  /** wrLocalInv. */
  public static final int LOCAL_INV = 1 << 7;

  /** wrBindMw. */
  public static final int BIND_MW = 1 << 8;

  /** wrSendInv. */
  public static final int SEND_WITH_INV = 1 << 9;

  /** wrSendTso. */
  public static final int TSO = 1 << 10;

  /** wrFlush. */
  public static final int FLUSH = 1 << 11;

  /** wrAtomicWrite. */
  public static final int ATOMIC_WRITE = 1 << 12;

  /** The bit that allows this work request opcode; 0 for DRIVER1, which has none. */
  public static int of(WrOpcode opcode) {
    return opcode.sendOp();
  }

  /** The names of the bits in a mask, such as {@code SEND|RDMA_READ}; the others as a number. */
  static String names(int mask) {
    StringJoiner names = new StringJoiner("|").setEmptyValue("nothing");
    int rest = mask;
    for (WrOpcode opcode : WrOpcode.values()) {
      if ((rest & of(opcode)) != 0) {
        names.add(opcode.name());
        rest &= ~of(opcode);
      }
    }
    return rest == 0 ? names.toString() : names.add("0x" + Integer.toHexString(rest)).toString();
  }

  private SendOps() {}
}
