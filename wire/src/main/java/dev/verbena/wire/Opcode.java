package dev.verbena.wire;

/**
 * BTH.OpCode values (S12.3) and the one table of what follows from each: transport, operation,
 * position in the message, and which headers stand at which offset.
 *
 * <p>Every query takes the opcode as an int in 0..255 and is one array access. Offsets count from
 * the first byte of the BTH; -1 means that the opcode carries no such header. All queries except
 * {@link #isValid} and {@link #name} are meaningful for valid opcodes only; for the others, flags
 * are false and offsets -1, and {@link #transport} and {@link #operation} throw.
 *
 * <p>Two ranges go beyond the IBTA tables: the UC sends with invalidate (0x36, 0x37), which only
 * peers of this project understand (S1.1.a), and FLUSH and ATOMIC WRITE on XRC (0xBC, 0xBD).
 */
public final class Opcode {
  public static final int RC_SEND_FIRST = 0x00;
  public static final int RC_SEND_MIDDLE = 0x01;
  public static final int RC_SEND_LAST = 0x02;
  public static final int RC_SEND_LAST_IMM = 0x03;
  public static final int RC_SEND_ONLY = 0x04;
  public static final int RC_SEND_ONLY_IMM = 0x05;
  public static final int RC_WRITE_FIRST = 0x06;
  public static final int RC_WRITE_MIDDLE = 0x07;
  public static final int RC_WRITE_LAST = 0x08;
  public static final int RC_WRITE_LAST_IMM = 0x09;
  public static final int RC_WRITE_ONLY = 0x0A;
  public static final int RC_WRITE_ONLY_IMM = 0x0B;
  public static final int RC_READ_REQUEST = 0x0C;
  public static final int RC_READ_RESPONSE_FIRST = 0x0D;
  public static final int RC_READ_RESPONSE_MIDDLE = 0x0E;
  public static final int RC_READ_RESPONSE_LAST = 0x0F;
  public static final int RC_READ_RESPONSE_ONLY = 0x10;
  public static final int RC_ACKNOWLEDGE = 0x11;
  public static final int RC_ATOMIC_ACKNOWLEDGE = 0x12;
  public static final int RC_COMPARE_SWAP = 0x13;
  public static final int RC_FETCH_ADD = 0x14;
  public static final int RC_SEND_LAST_INV = 0x16;
  public static final int RC_SEND_ONLY_INV = 0x17;
  public static final int RC_FLUSH = 0x1C;
  public static final int RC_ATOMIC_WRITE = 0x1D;

  public static final int UC_SEND_FIRST = 0x20;
  public static final int UC_SEND_MIDDLE = 0x21;
  public static final int UC_SEND_LAST = 0x22;
  public static final int UC_SEND_LAST_IMM = 0x23;
  public static final int UC_SEND_ONLY = 0x24;
  public static final int UC_SEND_ONLY_IMM = 0x25;
  public static final int UC_WRITE_FIRST = 0x26;
  public static final int UC_WRITE_MIDDLE = 0x27;
  public static final int UC_WRITE_LAST = 0x28;
  public static final int UC_WRITE_LAST_IMM = 0x29;
  public static final int UC_WRITE_ONLY = 0x2A;
  public static final int UC_WRITE_ONLY_IMM = 0x2B;
  public static final int UC_SEND_LAST_INV = 0x36;
  public static final int UC_SEND_ONLY_INV = 0x37;

  public static final int UD_SEND_ONLY = 0x64;
  public static final int UD_SEND_ONLY_IMM = 0x65;

  /** Congestion notification packet: a BTH without PSN and 16 reserved bytes. */
  public static final int CNP = 0x81;

  public static final int XRC_SEND_FIRST = 0xA0;
  public static final int XRC_SEND_MIDDLE = 0xA1;
  public static final int XRC_SEND_LAST = 0xA2;
  public static final int XRC_SEND_LAST_IMM = 0xA3;
  public static final int XRC_SEND_ONLY = 0xA4;
  public static final int XRC_SEND_ONLY_IMM = 0xA5;
  public static final int XRC_WRITE_FIRST = 0xA6;
  public static final int XRC_WRITE_MIDDLE = 0xA7;
  public static final int XRC_WRITE_LAST = 0xA8;
  public static final int XRC_WRITE_LAST_IMM = 0xA9;
  public static final int XRC_WRITE_ONLY = 0xAA;
  public static final int XRC_WRITE_ONLY_IMM = 0xAB;
  public static final int XRC_READ_REQUEST = 0xAC;
  public static final int XRC_READ_RESPONSE_FIRST = 0xAD;
  public static final int XRC_READ_RESPONSE_MIDDLE = 0xAE;
  public static final int XRC_READ_RESPONSE_LAST = 0xAF;
  public static final int XRC_READ_RESPONSE_ONLY = 0xB0;
  public static final int XRC_ACKNOWLEDGE = 0xB1;
  public static final int XRC_ATOMIC_ACKNOWLEDGE = 0xB2;
  public static final int XRC_COMPARE_SWAP = 0xB3;
  public static final int XRC_FETCH_ADD = 0xB4;
  public static final int XRC_SEND_LAST_INV = 0xB6;
  public static final int XRC_SEND_ONLY_INV = 0xB7;
  public static final int XRC_FLUSH = 0xBC;
  public static final int XRC_ATOMIC_WRITE = 0xBD;

  /** What to add to an RC opcode to get the UC opcode of the same packet. */
  public static final int UC_BASE = 0x20;

  /** What to add to an RC opcode to get the UD opcode of the same packet. */
  public static final int UD_BASE = 0x60;

  /** What to add to an RC opcode to get the XRC opcode of the same packet. */
  public static final int XRC_BASE = 0xA0;

  private Opcode() {}

  /** Whether this is an opcode that the project can send or receive. */
  public static boolean isValid(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.VALID);
  }

  /**
   * The transport of a valid opcode.
   *
   * @throws IllegalArgumentException if the opcode is not valid
   */
  public static Transport transport(int opcode) {
    return OpcodeTable.transport(opcode);
  }

  /**
   * The operation that a valid opcode is part of.
   *
   * @throws IllegalArgumentException if the opcode is not valid
   */
  public static Operation operation(int opcode) {
    return OpcodeTable.operation(opcode);
  }

  /** Bytes of BTH and extension headers together, 0 for an opcode that is not valid. */
  public static int headerLength(int opcode) {
    return OpcodeTable.headerLength(opcode);
  }

  /** Name for traces, such as {@code RC_SEND_ONLY}; {@code UNKNOWN_0x5F} if not valid. */
  public static String name(int opcode) {
    return OpcodeTable.name(opcode);
  }

  /** As {@link #name}, with the transport as a word of its own: {@code RC SEND_ONLY}. */
  public static String text(int opcode) {
    return name(opcode).replaceFirst("_", " ");
  }

  /** Whether the packet goes from requester to responder. */
  public static boolean isRequest(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.REQUEST);
  }

  /** Whether the packet goes from responder to requester. */
  public static boolean isResponse(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.RESPONSE);
  }

  /** Whether this is the first of several packets of a message. */
  public static boolean isFirst(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.FIRST);
  }

  /** Whether packets of the message stand before and after this one. */
  public static boolean isMiddle(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.MIDDLE);
  }

  /** Whether this is the last of several packets of a message. */
  public static boolean isLast(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.LAST);
  }

  /** Whether this packet is a message of its own, as every acknowledge and atomic is. */
  public static boolean isOnly(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.ONLY);
  }

  /** Whether a message starts with this packet: First or Only. */
  public static boolean startsMessage(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.FIRST | OpcodeTable.ONLY);
  }

  /** Whether a message ends with this packet: Last or Only. */
  public static boolean endsMessage(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.LAST | OpcodeTable.ONLY);
  }

  /** Whether payload bytes may follow the headers; if not, the ICRC follows them at once. */
  public static boolean hasPayload(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.PAYLOAD);
  }

  /** Whether the packet carries a {@link Reth}. */
  public static boolean hasReth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.RETH);
  }

  /** Whether the packet carries an {@link Aeth}. */
  public static boolean hasAeth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.AETH);
  }

  /** Whether the packet carries an {@link AtomicEth}. */
  public static boolean hasAtomicEth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.ATOMIC_ETH);
  }

  /** Whether the packet carries an {@link AtomicAckEth}. */
  public static boolean hasAtomicAckEth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.ATOMIC_ACK_ETH);
  }

  /** Whether the packet carries immediate data, {@link ImmDt}. */
  public static boolean hasImmediate(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.IMM_DT);
  }

  /** Whether the packet carries a key to invalidate, {@link Ieth}. */
  public static boolean hasIeth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.IETH);
  }

  /** Whether the packet carries a {@link Deth}. */
  public static boolean hasDeth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.DETH);
  }

  /** Whether the packet carries an {@link Xrceth}: every XRC request, no XRC response (S7.10). */
  public static boolean hasXrceth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.XRCETH);
  }

  /** Whether the packet carries a {@link Feth}. */
  public static boolean hasFeth(int opcode) {
    return OpcodeTable.has(opcode, OpcodeTable.FETH);
  }

  /** Offset of the {@link Reth}, or -1. */
  public static int rethOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.RETH);
  }

  /** Offset of the {@link Aeth}, or -1. */
  public static int aethOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.AETH);
  }

  /** Offset of the {@link AtomicEth}, or -1. */
  public static int atomicEthOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.ATOMIC_ETH);
  }

  /** Offset of the {@link AtomicAckEth}, or -1. */
  public static int atomicAckEthOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.ATOMIC_ACK_ETH);
  }

  /** Offset of the {@link ImmDt}, or -1. */
  public static int immOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.IMM_DT);
  }

  /** Offset of the {@link Ieth}, or -1. */
  public static int iethOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.IETH);
  }

  /** Offset of the {@link Deth}, or -1. */
  public static int dethOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.DETH);
  }

  /** Offset of the {@link Xrceth}, or -1. */
  public static int xrcethOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.XRCETH);
  }

  /** Offset of the {@link Feth}, or -1. */
  public static int fethOffset(int opcode) {
    return OpcodeTable.offset(opcode, OpcodeTable.FETH);
  }
}
