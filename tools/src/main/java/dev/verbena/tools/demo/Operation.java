package dev.verbena.tools.demo;

/** The operations that the demonstration runs. */
enum Operation {
  SEND(true),
  RDMA_WRITE(false),
  RDMA_WRITE_WITH_IMM(true),
  RDMA_READ(false),
  ATOMIC_CMP_AND_SWP(false),
  ATOMIC_FETCH_AND_ADD(false);

  private final boolean consumesReceive;

  Operation(boolean consumesReceive) {
    this.consumesReceive = consumesReceive;
  }

  /** Whether each message completes a receive of the server; other operations do not wake it. */
  boolean consumesReceive() {
    return consumesReceive;
  }

  /** Whether it works on exactly 8 bytes. */
  boolean isAtomic() {
    return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD;
  }
}
