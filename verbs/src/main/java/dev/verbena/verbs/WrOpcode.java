package dev.verbena.verbs;

/** Operation of a send work request (enum ibv_wr_opcode). The numbers 12 and 13 do not exist. */
public enum WrOpcode implements Numbered {
  /** Write to remote memory. */
  RDMA_WRITE(0, "rdma-write"),
  /** Write, and consume a receive that carries 32 bits. */
  RDMA_WRITE_WITH_IMM(1, "rdma-write-with-imm"),
  /** Send a message into a posted receive. */
  SEND(2, "send"),
  /** Send with 32 bits of immediate data. */
  SEND_WITH_IMM(3, "send-with-imm"),
  /** Read from remote memory. */
  RDMA_READ(4, "rdma-read"),
  /** 64-bit compare and swap in remote memory. */
  ATOMIC_CMP_AND_SWP(5, "atomic-cmp-and-swp"),
  /** 64-bit fetch and add in remote memory. */
  ATOMIC_FETCH_AND_ADD(6, "atomic-fetch-and-add"),
  /** Invalidate a type 2 memory window here. */
  LOCAL_INV(7, "local-inv"),
  /** Bind a type 2 memory window. */
  BIND_MW(8, "bind-mw"),
  /** Send, and invalidate a key at the peer. */
  SEND_WITH_INV(9, "send-with-inv"),
  /** TCP segmentation offload. */
  TSO(10, "tso"),
  /** Reserved for provider specific operations. */
  DRIVER1(11, "driver1"),
  /** Make earlier remote writes visible or persistent. */
  FLUSH(14, "flush"),
  /** Single-copy atomic write of 8 bytes. */
  ATOMIC_WRITE(15, "atomic-write");

  private final int number;
  private final String text;

  WrOpcode(int number, String text) {
    this.number = number;
    this.text = text;
  }

  @Override
  public int number() {
    return number;
  }

  /** The text that libibverbs prints for this constant. */
  public String str() {
    return text;
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
