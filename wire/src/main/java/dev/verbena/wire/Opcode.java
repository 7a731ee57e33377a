package dev.verbena.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * BTH.OpCode values (S12.3) and the one table of what follows from each, one row an opcode:
 * transport, operation, position in the message, and which headers stand at which offset.
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

  private static final int RC_BASE = 0;

  private static final int VALID = 1;
  private static final int REQUEST = 1 << 1;
  private static final int RESPONSE = 1 << 2;
  private static final int FIRST = 1 << 3;
  private static final int MIDDLE = 1 << 4;
  private static final int LAST = 1 << 5;
  private static final int ONLY = 1 << 6;
  private static final int PAYLOAD = 1 << 7;

  // Extension headers, ascending in the order in which they stand behind the BTH (S12.3).
  private static final int XRCETH = Xrceth.BIT;
  private static final int DETH = Deth.BIT;
  private static final int FETH = Feth.BIT;
  private static final int RETH = Reth.BIT;
  private static final int ATOMIC_ETH = AtomicEth.BIT;
  private static final int IMM_DT = ImmDt.BIT;
  private static final int IETH = Ieth.BIT;
  private static final int AETH = Aeth.BIT;
  private static final int ATOMIC_ACK_ETH = AtomicAckEth.BIT;

  private static final int HEADERS = (ATOMIC_ACK_ETH << 1) - XRCETH;
  private static final int FIRST_HEADER = Integer.numberOfTrailingZeros(XRCETH);
  private static final int[] HEADER_LENGTHS = {
    Xrceth.LENGTH,
    Deth.LENGTH,
    Feth.LENGTH,
    Reth.LENGTH,
    AtomicEth.LENGTH,
    ImmDt.LENGTH,
    Ieth.LENGTH,
    Aeth.LENGTH,
    AtomicAckEth.LENGTH,
  };

  private static final int OPCODES = 256;
  private static final int CNP_RESERVED_BYTES = 16;

  private static final int[] FLAGS = new int[OPCODES];
  private static final byte[] OFFSETS = new byte[OPCODES * HEADER_LENGTHS.length];
  private static final int[] LENGTHS = new int[OPCODES];
  private static final @Nullable Transport[] TRANSPORTS = new Transport[OPCODES];
  private static final @Nullable Operation[] OPERATIONS = new Operation[OPCODES];
  private static final String[] NAMES = new String[OPCODES];

  /** The requests of RC by {@link #request}; -1 where there is none. */
  private static final int[] REQUESTS = new int[Operation.values().length << 4];

  static {
    Arrays.fill(OFFSETS, (byte) -1);
    Arrays.fill(REQUESTS, -1);
    for (int opcode = 0; opcode < OPCODES; opcode++) {
      NAMES[opcode] = String.format("UNKNOWN_0x%02X", opcode);
    }
    sends(RC_BASE);
    sends(UC_BASE);
    sends(XRC_BASE);
    row(UD_SEND_ONLY, "SEND_ONLY", Operation.SEND, REQUEST | ONLY | PAYLOAD);
    row(UD_SEND_ONLY_IMM, "SEND_ONLY_IMM", Operation.SEND, REQUEST | ONLY | PAYLOAD | IMM_DT);
    row(CNP, "", Operation.CNP, ONLY);
    reliable(RC_BASE);
    reliable(XRC_BASE);
  }

  /** What RC, UC and XRC share: SEND and RDMA WRITE. */
  private static void sends(int base) {
    int data = REQUEST | PAYLOAD;
    row(base + RC_SEND_FIRST, "SEND_FIRST", Operation.SEND, data | FIRST);
    row(base + RC_SEND_MIDDLE, "SEND_MIDDLE", Operation.SEND, data | MIDDLE);
    row(base + RC_SEND_LAST, "SEND_LAST", Operation.SEND, data | LAST);
    row(base + RC_SEND_LAST_IMM, "SEND_LAST_IMM", Operation.SEND, data | LAST | IMM_DT);
    row(base + RC_SEND_ONLY, "SEND_ONLY", Operation.SEND, data | ONLY);
    row(base + RC_SEND_ONLY_IMM, "SEND_ONLY_IMM", Operation.SEND, data | ONLY | IMM_DT);
    row(base + RC_WRITE_FIRST, "WRITE_FIRST", Operation.WRITE, data | FIRST | RETH);
    row(base + RC_WRITE_MIDDLE, "WRITE_MIDDLE", Operation.WRITE, data | MIDDLE);
    row(base + RC_WRITE_LAST, "WRITE_LAST", Operation.WRITE, data | LAST);
    row(base + RC_WRITE_LAST_IMM, "WRITE_LAST_IMM", Operation.WRITE, data | LAST | IMM_DT);
    row(base + RC_WRITE_ONLY, "WRITE_ONLY", Operation.WRITE, data | ONLY | RETH);
    row(base + RC_WRITE_ONLY_IMM, "WRITE_ONLY_IMM", Operation.WRITE, data | ONLY | RETH | IMM_DT);
    row(base + RC_SEND_LAST_INV, "SEND_LAST_INV", Operation.SEND, data | LAST | IETH);
    row(base + RC_SEND_ONLY_INV, "SEND_ONLY_INV", Operation.SEND, data | ONLY | IETH);
  }

  /** What only the reliable transports have: READ, atomics, FLUSH, ATOMIC WRITE and responses. */
  private static void reliable(int base) {
    Operation read = Operation.READ_RESPONSE;
    row(base + RC_READ_REQUEST, "READ_REQUEST", Operation.READ_REQUEST, REQUEST | ONLY | RETH);
    row(
        base + RC_READ_RESPONSE_FIRST,
        "READ_RESPONSE_FIRST",
        read,
        RESPONSE | FIRST | AETH | PAYLOAD);
    row(base + RC_READ_RESPONSE_MIDDLE, "READ_RESPONSE_MIDDLE", read, RESPONSE | MIDDLE | PAYLOAD);
    row(base + RC_READ_RESPONSE_LAST, "READ_RESPONSE_LAST", read, RESPONSE | LAST | AETH | PAYLOAD);
    row(base + RC_READ_RESPONSE_ONLY, "READ_RESPONSE_ONLY", read, RESPONSE | ONLY | AETH | PAYLOAD);
    row(base + RC_ACKNOWLEDGE, "ACKNOWLEDGE", Operation.ACKNOWLEDGE, RESPONSE | ONLY | AETH);
    row(
        base + RC_ATOMIC_ACKNOWLEDGE,
        "ATOMIC_ACKNOWLEDGE",
        Operation.ATOMIC_ACKNOWLEDGE,
        RESPONSE | ONLY | AETH | ATOMIC_ACK_ETH);
    row(
        base + RC_COMPARE_SWAP,
        "COMPARE_SWAP",
        Operation.COMPARE_SWAP,
        REQUEST | ONLY | ATOMIC_ETH);
    row(base + RC_FETCH_ADD, "FETCH_ADD", Operation.FETCH_ADD, REQUEST | ONLY | ATOMIC_ETH);
    row(base + RC_FLUSH, "FLUSH", Operation.FLUSH, REQUEST | ONLY | FETH | RETH);
    row(
        base + RC_ATOMIC_WRITE,
        "ATOMIC_WRITE",
        Operation.ATOMIC_WRITE,
        REQUEST | ONLY | RETH | PAYLOAD);
  }

  private static void row(int opcode, String name, Operation operation, int properties) {
    Transport transport = transportOf(opcode);
    int flags = properties | VALID | implied(transport, properties);
    FLAGS[opcode] = flags;
    TRANSPORTS[opcode] = transport;
    OPERATIONS[opcode] = operation;
    NAMES[opcode] = name.isEmpty() ? transport.name() : transport + "_" + name;
    int end = Bth.LENGTH;
    for (int header = 0; header < HEADER_LENGTHS.length; header++) {
      if ((flags & (XRCETH << header)) != 0) {
        OFFSETS[opcode * HEADER_LENGTHS.length + header] = (byte) end;
        end += HEADER_LENGTHS[header];
      }
    }
    LENGTHS[opcode] = transport == Transport.CNP ? end + CNP_RESERVED_BYTES : end;
    if (transport == Transport.RC && isRequest(opcode)) {
      int request =
          request(
              operation,
              startsMessage(opcode),
              endsMessage(opcode),
              hasImmediate(opcode),
              hasIeth(opcode));
      if (REQUESTS[request] >= 0) {
        throw new IllegalStateException(NAMES[opcode] + " is like " + NAMES[REQUESTS[request]]);
      }
      REQUESTS[request] = opcode;
    }
  }

  /** Where {@link #REQUESTS} has such a packet. */
  private static int request(
      Operation operation, boolean first, boolean last, boolean immediate, boolean invalidates) {
    return operation.number() << 4
        | (first ? 8 : 0)
        | (last ? 4 : 0)
        | (immediate ? 2 : 0)
        | (invalidates ? 1 : 0);
  }

  private static Transport transportOf(int opcode) {
    return switch (opcode & 0xE0) {
      case 0x00 -> Transport.RC;
      case 0x20 -> Transport.UC;
      case 0x60 -> Transport.UD;
      case 0x80 -> Transport.CNP;
      case 0xA0 -> Transport.XRC;
      default -> throw new IllegalArgumentException("no transport has opcode " + opcode);
    };
  }

  /** The header that a transport puts into each of its requests. */
  private static int implied(Transport transport, int properties) {
    if ((properties & REQUEST) == 0) {
      return 0;
    }
    return switch (transport) {
      case UD -> DETH;
      case XRC -> XRCETH;
      case RC, UC, CNP -> 0;
    };
  }

  private Opcode() {}

  /** Whether this is an opcode that the project can send or receive. */
  public static boolean isValid(int opcode) {
    return has(opcode, VALID);
  }

  /**
   * The transport of a valid opcode.
   *
   * @throws IllegalArgumentException if the opcode is not valid
   */
  public static Transport transport(int opcode) {
    Transport transport = TRANSPORTS[opcode];
    if (transport == null) {
      throw invalid(opcode);
    }
    return transport;
  }

  /**
   * The operation that a valid opcode is part of.
   *
   * @throws IllegalArgumentException if the opcode is not valid
   */
  public static Operation operation(int opcode) {
    Operation operation = OPERATIONS[opcode];
    if (operation == null) {
      throw invalid(opcode);
    }
    return operation;
  }

  /**
   * The opcode that a request packet has on RC; {@link #UC_BASE} and its like lead to the others.
   *
   * @param first whether a message starts with it
   * @param last whether a message ends with it
   * @param immediate whether it carries immediate data
   * @param invalidates whether it carries a key to invalidate
   * @throws IllegalArgumentException if there is no such packet
   */
  public static int ofRequest(
      Operation operation, boolean first, boolean last, boolean immediate, boolean invalidates) {
    int opcode = REQUESTS[request(operation, first, last, immediate, invalidates)];
    if (opcode < 0) {
      throw new IllegalArgumentException("no such request packet of " + operation);
    }
    return opcode;
  }

  /** Bytes of BTH and extension headers together, 0 for an opcode that is not valid. */
  public static int headerLength(int opcode) {
    return LENGTHS[opcode];
  }

  /** Name for traces, such as {@code RC_SEND_ONLY}; {@code UNKNOWN_0x5F} if not valid. */
  public static String name(int opcode) {
    return NAMES[opcode];
  }

  /** As {@link #name}, with the transport as a word of its own: {@code RC SEND_ONLY}. */
  public static String text(int opcode) {
    return name(opcode).replaceFirst("_", " ");
  }

  /** Whether the packet goes from requester to responder. */
  public static boolean isRequest(int opcode) {
    return has(opcode, REQUEST);
  }

  /** Whether the packet goes from responder to requester. */
  public static boolean isResponse(int opcode) {
    return has(opcode, RESPONSE);
  }

  /** Whether this is the first of several packets of a message. */
  public static boolean isFirst(int opcode) {
    return has(opcode, FIRST);
  }

  /** Whether packets of the message stand before and after this one. */
  public static boolean isMiddle(int opcode) {
    return has(opcode, MIDDLE);
  }

  /** Whether this is the last of several packets of a message. */
  public static boolean isLast(int opcode) {
    return has(opcode, LAST);
  }

  /** Whether this packet is a message of its own, as every acknowledge and atomic is. */
  public static boolean isOnly(int opcode) {
    return has(opcode, ONLY);
  }

  /** Whether a message starts with this packet: First or Only. */
  public static boolean startsMessage(int opcode) {
    return has(opcode, FIRST | ONLY);
  }

  /** Whether a message ends with this packet: Last or Only. */
  public static boolean endsMessage(int opcode) {
    return has(opcode, LAST | ONLY);
  }

  /** Whether payload bytes may follow the headers; if not, the ICRC follows them at once. */
  public static boolean hasPayload(int opcode) {
    return has(opcode, PAYLOAD);
  }

  /** The extension headers that the packet carries: bits such as {@link Reth#BIT}. */
  public static int headers(int opcode) {
    return FLAGS[opcode] & HEADERS;
  }

  /** Whether the packet carries a {@link Reth}. */
  public static boolean hasReth(int opcode) {
    return has(opcode, RETH);
  }

  /** Whether the packet carries an {@link Aeth}. */
  public static boolean hasAeth(int opcode) {
    return has(opcode, AETH);
  }

  /** Whether the packet carries an {@link AtomicEth}. */
  public static boolean hasAtomicEth(int opcode) {
    return has(opcode, ATOMIC_ETH);
  }

  /** Whether the packet carries an {@link AtomicAckEth}. */
  public static boolean hasAtomicAckEth(int opcode) {
    return has(opcode, ATOMIC_ACK_ETH);
  }

  /** Whether the packet carries immediate data, {@link ImmDt}. */
  public static boolean hasImmediate(int opcode) {
    return has(opcode, IMM_DT);
  }

  /** Whether the packet carries a key to invalidate, {@link Ieth}. */
  public static boolean hasIeth(int opcode) {
    return has(opcode, IETH);
  }

  /** Whether the packet carries a {@link Deth}. */
  public static boolean hasDeth(int opcode) {
    return has(opcode, DETH);
  }

  /** Whether the packet carries an {@link Xrceth}: every XRC request, no XRC response (S7.10). */
  public static boolean hasXrceth(int opcode) {
    return has(opcode, XRCETH);
  }

  /** Whether the packet carries a {@link Feth}. */
  public static boolean hasFeth(int opcode) {
    return has(opcode, FETH);
  }

  /** Offset of the {@link Reth}, or -1. */
  public static int rethOffset(int opcode) {
    return offset(opcode, RETH);
  }

  /** Offset of the {@link Aeth}, or -1. */
  public static int aethOffset(int opcode) {
    return offset(opcode, AETH);
  }

  /** Offset of the {@link AtomicEth}, or -1. */
  public static int atomicEthOffset(int opcode) {
    return offset(opcode, ATOMIC_ETH);
  }

  /** Offset of the {@link AtomicAckEth}, or -1. */
  public static int atomicAckEthOffset(int opcode) {
    return offset(opcode, ATOMIC_ACK_ETH);
  }

  /** Offset of the {@link ImmDt}, or -1. */
  public static int immOffset(int opcode) {
    return offset(opcode, IMM_DT);
  }

  /** Offset of the {@link Ieth}, or -1. */
  public static int iethOffset(int opcode) {
    return offset(opcode, IETH);
  }

  /** Offset of the {@link Deth}, or -1. */
  public static int dethOffset(int opcode) {
    return offset(opcode, DETH);
  }

  /** Offset of the {@link Xrceth}, or -1. */
  public static int xrcethOffset(int opcode) {
    return offset(opcode, XRCETH);
  }

  /** Offset of the {@link Feth}, or -1. */
  public static int fethOffset(int opcode) {
    return offset(opcode, FETH);
  }

  private static boolean has(int opcode, int anyOf) {
    return (FLAGS[opcode] & anyOf) != 0;
  }

  /** Offset of the extension header with this flag, or -1. */
  private static int offset(int opcode, int headerFlag) {
    int header = Integer.numberOfTrailingZeros(headerFlag) - FIRST_HEADER;
    return OFFSETS[opcode * HEADER_LENGTHS.length + header];
  }

  private static IllegalArgumentException invalid(int opcode) {
    return new IllegalArgumentException("not a RoCE opcode: " + NAMES[opcode]);
  }
}
