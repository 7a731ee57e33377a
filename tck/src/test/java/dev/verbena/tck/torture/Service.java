package dev.verbena.tck.torture;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The transport service of a lane. */
enum Service {
  /** Reliable connection. */
  RC(QpType.RC, 0x00),
  /** Reliable connection to a shared receive queue. */
  XRC(QpType.XRC_SEND, 0xa0),
  /** Unreliable connection. */
  UC(QpType.UC, 0x20),
  /** Datagrams. */
  UD(QpType.UD, 0x60);

  private static final WrOpcode[] RELIABLE = {
    WrOpcode.SEND,
    WrOpcode.SEND_WITH_IMM,
    WrOpcode.RDMA_WRITE,
    WrOpcode.RDMA_WRITE_WITH_IMM,
    WrOpcode.RDMA_READ,
    WrOpcode.RDMA_READ,
    WrOpcode.ATOMIC_FETCH_AND_ADD,
    WrOpcode.ATOMIC_CMP_AND_SWP,
    WrOpcode.ATOMIC_WRITE,
    WrOpcode.FLUSH
  };
  private static final WrOpcode[] UNRELIABLE = {
    WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM
  };
  private static final WrOpcode[] DATAGRAMS = {WrOpcode.SEND, WrOpcode.SEND_WITH_IMM};

  private final QpType sender;
  private final int opcodes;

  Service(QpType sender, int opcodes) {
    this.sender = sender;
    this.opcodes = opcodes;
  }

  /** The type of the queue pair that posts. */
  QpType sender() {
    return sender;
  }

  /** The upper three bits of the opcodes of its packets. */
  int opcodes() {
    return opcodes;
  }

  /** Whether every message arrives as long as there is a connection. */
  boolean isReliable() {
    return this == RC || this == XRC;
  }

  /** All operations that its lanes post in the course of time. */
  Set<WrOpcode> kinds() {
    Set<WrOpcode> kinds = EnumSet.copyOf(List.of(operations()));
    if (this == RC) {
      kinds.add(WrOpcode.SEND_WITH_INV);
    }
    return kinds;
  }

  /** Its operations, as often as they are to be drawn, except for those on windows. */
  WrOpcode[] operations() {
    return switch (this) {
      case RC, XRC -> RELIABLE;
      case UC -> UNRELIABLE;
      case UD -> DATAGRAMS;
    };
  }
}
