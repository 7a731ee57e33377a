package dev.verbena.verbs;

import static dev.verbena.verbs.SendWrField.COMPARE_ADD;
import static dev.verbena.verbs.SendWrField.IMM_DATA;
import static dev.verbena.verbs.SendWrField.INVALIDATE_RKEY;
import static dev.verbena.verbs.SendWrField.REMOTE;
import static dev.verbena.verbs.SendWrField.SG_LIST;
import static dev.verbena.verbs.SendWrField.SWAP;

/** Operation of a send work request (enum ibv_wr_opcode). The numbers 12 and 13 do not exist. */
public enum WrOpcode implements Numbered {
  /** Write to remote memory. */
  RDMA_WRITE(0, "rdma-write", SendOps.RDMA_WRITE, WcOpcode.RDMA_WRITE, SG_LIST, REMOTE),
  /** Write, and consume a receive that carries 32 bits. */
  RDMA_WRITE_WITH_IMM(
      1,
      "rdma-write-with-imm",
      SendOps.RDMA_WRITE_WITH_IMM,
      WcOpcode.RDMA_WRITE,
      SG_LIST,
      REMOTE,
      IMM_DATA),
  /** Send a message into a posted receive. */
  SEND(2, "send", SendOps.SEND, WcOpcode.SEND, SG_LIST),
  /** Send with 32 bits of immediate data. */
  SEND_WITH_IMM(3, "send-with-imm", SendOps.SEND_WITH_IMM, WcOpcode.SEND, SG_LIST, IMM_DATA),
  /** Read from remote memory. */
  RDMA_READ(4, "rdma-read", SendOps.RDMA_READ, WcOpcode.RDMA_READ, SG_LIST, REMOTE),
  /** 64-bit compare and swap in remote memory. */
  ATOMIC_CMP_AND_SWP(
      5,
      "atomic-cmp-and-swp",
      SendOps.ATOMIC_CMP_AND_SWP,
      WcOpcode.COMP_SWAP,
      SG_LIST,
      REMOTE,
      COMPARE_ADD,
      SWAP),
  /** 64-bit fetch and add in remote memory. */
  ATOMIC_FETCH_AND_ADD(
      6,
      "atomic-fetch-and-add",
      SendOps.ATOMIC_FETCH_AND_ADD,
      WcOpcode.FETCH_ADD,
      SG_LIST,
      REMOTE,
      COMPARE_ADD),
  /** Invalidate a type 2 memory window here. */
  LOCAL_INV(7, "local-inv", SendOps.LOCAL_INV, WcOpcode.LOCAL_INV, INVALIDATE_RKEY),
  /** Bind a type 2 memory window. */
  BIND_MW(8, "bind-mw", SendOps.BIND_MW, WcOpcode.BIND_MW, SendWrField.BIND_MW),
  /** Send, and invalidate a key at the peer. */
  SEND_WITH_INV(9, "send-with-inv", SendOps.SEND_WITH_INV, WcOpcode.SEND, SG_LIST, INVALIDATE_RKEY),
  /** TCP segmentation offload. */
  TSO(10, "tso", SendOps.TSO, WcOpcode.TSO, SG_LIST, SendWrField.TSO),
  /** Reserved for provider specific operations. */
  DRIVER1(11, "driver1", /* sendOp= */ 0, WcOpcode.SEND),
  /** Make earlier remote writes visible or persistent. */
  FLUSH(14, "flush", SendOps.FLUSH, WcOpcode.FLUSH, REMOTE, SendWrField.FLUSH),
  /** Single-copy atomic write of 8 bytes. */
  ATOMIC_WRITE(15, "atomic-write", SendOps.ATOMIC_WRITE, WcOpcode.ATOMIC_WRITE, SG_LIST, REMOTE);

  private final int number;
  private final String text;
  private final int sendOp;
  private final WcOpcode completion;
  private final int fields;

  WrOpcode(int number, String text, int sendOp, WcOpcode completion, SendWrField... fields) {
    this.number = number;
    this.text = text;
    this.sendOp = sendOp;
    this.completion = completion;
    int bits = 0;
    for (SendWrField field : fields) {
      bits |= field.bit();
    }
    this.fields = bits;
  }

  @Override
  public int number() {
    return number;
  }

  /** The text that libibverbs prints for this constant. */
  public String str() {
    return text;
  }

  /** The {@link SendOps} bit of the operation; 0 for DRIVER1, which has none. */
  int sendOp() {
    return sendOp;
  }

  /**
   * The opcode that its completion reports. For DRIVER1 the provider decides; SEND stands in for
   * it.
   */
  public WcOpcode completion() {
    return completion;
  }

  /** Whether requests of this operation use this field of a {@link SendWr}. */
  public boolean uses(SendWrField field) {
    return (fields & field.bit()) != 0;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static WrOpcode of(int number) {
    return Numbered.of(WrOpcode.class, number);
  }
}
