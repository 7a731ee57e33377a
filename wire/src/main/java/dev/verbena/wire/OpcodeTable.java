package dev.verbena.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The table behind {@link Opcode}: one row an opcode, expanded once into arrays (S12.3). */
final class OpcodeTable {
  static final int VALID = 1;
  static final int REQUEST = 1 << 1;
  static final int RESPONSE = 1 << 2;
  static final int FIRST = 1 << 3;
  static final int MIDDLE = 1 << 4;
  static final int LAST = 1 << 5;
  static final int ONLY = 1 << 6;
  static final int PAYLOAD = 1 << 7;

  // Extension headers, ascending in the order in which they stand behind the BTH (S12.3).
  static final int XRCETH = 1 << 8;
  static final int DETH = 1 << 9;
  static final int FETH = 1 << 10;
  static final int RETH = 1 << 11;
  static final int ATOMIC_ETH = 1 << 12;
  static final int IMM_DT = 1 << 13;
  static final int IETH = 1 << 14;
  static final int AETH = 1 << 15;
  static final int ATOMIC_ACK_ETH = 1 << 16;

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

  static {
    Arrays.fill(OFFSETS, (byte) -1);
    for (int opcode = 0; opcode < OPCODES; opcode++) {
      NAMES[opcode] = String.format("UNKNOWN_0x%02X", opcode);
    }
    sends(0x00);
    sends(0x20);
    sends(0xA0);
    row(0x64, "SEND_ONLY", Operation.SEND, REQUEST | ONLY | PAYLOAD);
    row(0x65, "SEND_ONLY_IMM", Operation.SEND, REQUEST | ONLY | PAYLOAD | IMM_DT);
    row(0x81, "", Operation.CNP, ONLY);
    reliable(0x00);
    reliable(0xA0);
  }

  private OpcodeTable() {}

  /** What RC, UC and XRC share: SEND and RDMA WRITE. */
  private static void sends(int base) {
    int data = REQUEST | PAYLOAD;
    row(base, "SEND_FIRST", Operation.SEND, data | FIRST);
    row(base + 0x01, "SEND_MIDDLE", Operation.SEND, data | MIDDLE);
    row(base + 0x02, "SEND_LAST", Operation.SEND, data | LAST);
    row(base + 0x03, "SEND_LAST_IMM", Operation.SEND, data | LAST | IMM_DT);
    row(base + 0x04, "SEND_ONLY", Operation.SEND, data | ONLY);
    row(base + 0x05, "SEND_ONLY_IMM", Operation.SEND, data | ONLY | IMM_DT);
    row(base + 0x06, "WRITE_FIRST", Operation.WRITE, data | FIRST | RETH);
    row(base + 0x07, "WRITE_MIDDLE", Operation.WRITE, data | MIDDLE);
    row(base + 0x08, "WRITE_LAST", Operation.WRITE, data | LAST);
    row(base + 0x09, "WRITE_LAST_IMM", Operation.WRITE, data | LAST | IMM_DT);
    row(base + 0x0A, "WRITE_ONLY", Operation.WRITE, data | ONLY | RETH);
    row(base + 0x0B, "WRITE_ONLY_IMM", Operation.WRITE, data | ONLY | RETH | IMM_DT);
    row(base + 0x16, "SEND_LAST_INV", Operation.SEND, data | LAST | IETH);
    row(base + 0x17, "SEND_ONLY_INV", Operation.SEND, data | ONLY | IETH);
  }

  /** What only the reliable transports have: READ, atomics, FLUSH, ATOMIC WRITE and responses. */
  private static void reliable(int base) {
    Operation read = Operation.READ_RESPONSE;
    row(base + 0x0C, "READ_REQUEST", Operation.READ_REQUEST, REQUEST | ONLY | RETH);
    row(base + 0x0D, "READ_RESPONSE_FIRST", read, RESPONSE | FIRST | AETH | PAYLOAD);
    row(base + 0x0E, "READ_RESPONSE_MIDDLE", read, RESPONSE | MIDDLE | PAYLOAD);
    row(base + 0x0F, "READ_RESPONSE_LAST", read, RESPONSE | LAST | AETH | PAYLOAD);
    row(base + 0x10, "READ_RESPONSE_ONLY", read, RESPONSE | ONLY | AETH | PAYLOAD);
    row(base + 0x11, "ACKNOWLEDGE", Operation.ACKNOWLEDGE, RESPONSE | ONLY | AETH);
    row(
        base + 0x12,
        "ATOMIC_ACKNOWLEDGE",
        Operation.ATOMIC_ACKNOWLEDGE,
        RESPONSE | ONLY | AETH | ATOMIC_ACK_ETH);
    row(base + 0x13, "COMPARE_SWAP", Operation.COMPARE_SWAP, REQUEST | ONLY | ATOMIC_ETH);
    row(base + 0x14, "FETCH_ADD", Operation.FETCH_ADD, REQUEST | ONLY | ATOMIC_ETH);
    row(base + 0x1C, "FLUSH", Operation.FLUSH, REQUEST | ONLY | FETH | RETH);
    row(base + 0x1D, "ATOMIC_WRITE", Operation.ATOMIC_WRITE, REQUEST | ONLY | RETH | PAYLOAD);
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

  static boolean has(int opcode, int anyOf) {
    return (FLAGS[opcode] & anyOf) != 0;
  }

  static int headerLength(int opcode) {
    return LENGTHS[opcode];
  }

  /** Offset of the extension header with this flag, or -1. */
  static int offset(int opcode, int headerFlag) {
    int header = Integer.numberOfTrailingZeros(headerFlag) - FIRST_HEADER;
    return OFFSETS[opcode * HEADER_LENGTHS.length + header];
  }

  static Transport transport(int opcode) {
    Transport transport = TRANSPORTS[opcode];
    if (transport == null) {
      throw invalid(opcode);
    }
    return transport;
  }

  static Operation operation(int opcode) {
    Operation operation = OPERATIONS[opcode];
    if (operation == null) {
      throw invalid(opcode);
    }
    return operation;
  }

  static String name(int opcode) {
    return NAMES[opcode];
  }

  private static IllegalArgumentException invalid(int opcode) {
    return new IllegalArgumentException("not a RoCE opcode: " + NAMES[opcode]);
  }
}
