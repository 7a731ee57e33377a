package dev.verbena.wire;

/** The transport service that an opcode belongs to: the upper bits of BTH.OpCode (S12.3). */
public enum Transport {
  /** Reliable connection, opcodes from 0x00. */
  RC,
  /** Unreliable connection, opcodes from 0x20. */
  UC,
  /** Unreliable datagram, opcodes from 0x60. */
  UD,
  /** Congestion notification packet, opcode 0x81. */
  CNP,
  /** Extended reliable connection, opcodes from 0xA0. */
  XRC,
  /**
   * Packets that only devices like this one send and know, opcodes from 0xC0, which are left to
   * manufacturers. Others drop them.
   */
  VERBENA
}
