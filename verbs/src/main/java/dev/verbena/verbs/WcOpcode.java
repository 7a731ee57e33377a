package dev.verbena.verbs;

/** Operation that a work completion reports (enum ibv_wc_opcode). */
public enum WcOpcode implements Numbered {
  /** SEND, SEND_WITH_IMM or SEND_WITH_INV was acknowledged or sent. */
  SEND(0),
  /** RDMA_WRITE or RDMA_WRITE_WITH_IMM. */
  RDMA_WRITE(1),
  /** RDMA_READ: the data is in local memory. */
  RDMA_READ(2),
  /** ATOMIC_CMP_AND_SWP. */
  COMP_SWAP(3),
  /** ATOMIC_FETCH_AND_ADD. */
  FETCH_ADD(4),
  /** BIND_MW. */
  BIND_MW(5),
  /** LOCAL_INV. */
  LOCAL_INV(6),
  /** TSO. */
  TSO(7),
  /** FLUSH. */
  FLUSH(8),
  /** ATOMIC_WRITE. */
  ATOMIC_WRITE(9),
  /** A message arrived in a receive. */
  RECV(128),
  /** The peer's RDMA_WRITE_WITH_IMM consumed a receive. */
  RECV_RDMA_WITH_IMM(129);

  private final int number;

  WcOpcode(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static WcOpcode of(int number) {
    return Numbered.of(WcOpcode.class, number);
  }

  /** Whether the completion belongs to a receive: bit 7 of the number. */
  public boolean isReceive() {
    return (number & 128) != 0;
  }
}
