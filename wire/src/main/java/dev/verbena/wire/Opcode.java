package dev.verbena.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * BTH.OpCode values (S12.3) and the one table of what follows from each: a {@link Row} an opcode.
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

  /** How much the sender's receive buffer holds, for devices like this one only. */
  public static final int VERBENA_BUFFER = 0xC0;

  /** The difference between the UC and the RC opcode of a packet. */
  public static final int UC_BASE = 0x20;

  /** The difference between the UD and the RC opcode of a packet. */
  public static final int UD_BASE = 0x60;

  /** The difference between the XRC and the RC opcode of a packet. */
  public static final int XRC_BASE = 0xA0;

  private static final int RC_BASE = 0;

  private static final int REQUEST = 1;
  private static final int FIRST = 1 << 1;
  private static final int MIDDLE = 1 << 2;
  private static final int LAST = 1 << 3;
  private static final int ONLY = 1 << 4;
  private static final int PAYLOAD = 1 << 5;

  // Extension headers, ascending in the order in which they follow the BTH (S12.3).
  private static final int XRCETH = Xrceth.BIT;
  private static final int DETH = Deth.BIT;
  private static final int FETH = Feth.BIT;
  private static final int RETH = Reth.BIT;
  private static final int ATOMIC_ETH = AtomicEth.BIT;
  private static final int IMM_DT = ImmDt.BIT;
  private static final int IETH = Ieth.BIT;
  private static final int AETH = Aeth.BIT;
  private static final int ATOMIC_ACK_ETH = AtomicAckEth.BIT;

  private static final int BUFFER = BufferSize.BIT;

  private static final int HEADERS = (BUFFER << 1) - XRCETH;
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
    BufferSize.LENGTH,
  };

  private static final int OPCODES = 256;
  private static final int CNP_RESERVED_BYTES = 16;

  private static final @Nullable Row[] ROWS = new Row[OPCODES];

  /** The requests of RC by {@link #request}; -1 where there is none. */
  private static final int[] REQUESTS = new int[Operation.values().length << 4];

  static {
    Arrays.fill(REQUESTS, -1);
    sends(RC_BASE);
    sends(UC_BASE);
    sends(XRC_BASE);
    row(UD_SEND_ONLY, "SEND_ONLY", Operation.SEND, REQUEST | ONLY | PAYLOAD);
    row(UD_SEND_ONLY_IMM, "SEND_ONLY_IMM", Operation.SEND, REQUEST | ONLY | PAYLOAD | IMM_DT);
    row(CNP, "", Operation.CNP, ONLY);
    row(VERBENA_BUFFER, "BUFFER", Operation.BUFFER, ONLY | BUFFER);
    reliable(RC_BASE);
    reliable(XRC_BASE);
  }

  /** The packets that RC, UC and XRC share: SEND and RDMA WRITE. */
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

  /**
   * The packets of the reliable transports only: READ, atomics, FLUSH, ATOMIC WRITE and responses.
   */
  private static void reliable(int base) {
    Operation read = Operation.READ_RESPONSE;
    row(base + RC_READ_REQUEST, "READ_REQUEST", Operation.READ_REQUEST, REQUEST | ONLY | RETH);
    row(base + RC_READ_RESPONSE_FIRST, "READ_RESPONSE_FIRST", read, FIRST | AETH | PAYLOAD);
    row(base + RC_READ_RESPONSE_MIDDLE, "READ_RESPONSE_MIDDLE", read, MIDDLE | PAYLOAD);
    row(base + RC_READ_RESPONSE_LAST, "READ_RESPONSE_LAST", read, LAST | AETH | PAYLOAD);
    row(base + RC_READ_RESPONSE_ONLY, "READ_RESPONSE_ONLY", read, ONLY | AETH | PAYLOAD);
    row(base + RC_ACKNOWLEDGE, "ACKNOWLEDGE", Operation.ACKNOWLEDGE, ONLY | AETH);
    row(
        base + RC_ATOMIC_ACKNOWLEDGE,
        "ATOMIC_ACKNOWLEDGE",
        Operation.ATOMIC_ACKNOWLEDGE,
        ONLY | AETH | ATOMIC_ACK_ETH);
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
    int all = properties | implied(transport, properties);
    Row row = new Row(opcode, transport, name, operation, all);
    ROWS[opcode] = row;
    if (transport == Transport.RC && row.isRequest) {
      int request =
          request(
              operation, row.startsMessage, row.endsMessage, row.has(ImmDt.BIT), row.has(Ieth.BIT));
      if (REQUESTS[request] >= 0) {
        throw new IllegalStateException(row.name + " is like " + name(REQUESTS[request]));
      }
      REQUESTS[request] = opcode;
    }
  }

  /** The index of such a packet in {@link #REQUESTS}. */
  private static int request(
      Operation operation, boolean first, boolean last, boolean immediate, boolean invalidates) {
    return operation.number << 4
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
      case 0xC0 -> Transport.VERBENA;
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
      case RC, UC, CNP, VERBENA -> 0;
    };
  }

  private Opcode() {}

  /** Whether this is an opcode that the project can send or receive. */
  public static boolean isValid(int opcode) {
    return ROWS[opcode] != null;
  }

  /** Whether this is a valid opcode of an acknowledgement: ACK or NAK, without data. */
  public static boolean isAcknowledge(int opcode) {
    Row row = ROWS[opcode];
    return row != null && row.operation == Operation.ACKNOWLEDGE;
  }

  /** Whether this is a valid opcode of a packet from requester to responder. */
  public static boolean isRequest(int opcode) {
    Row row = ROWS[opcode];
    return row != null && row.isRequest;
  }

  /** What follows from an opcode in 0..255; null if it is not valid. */
  static @Nullable Row find(int opcode) {
    return ROWS[opcode];
  }

  /**
   * What follows from a valid opcode.
   *
   * @throws IllegalArgumentException if the opcode is not valid
   */
  public static Row row(int opcode) {
    Row row = ROWS[opcode];
    if (row == null) {
      throw new IllegalArgumentException("not a RoCE opcode: " + name(opcode));
    }
    return row;
  }

  /**
   * The opcode of a request packet on RC; add {@link #UC_BASE} and the like for the others.
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

  /** Name for traces, such as {@code RC_SEND_ONLY}; {@code UNKNOWN_0x5F} if not valid. */
  public static String name(int opcode) {
    Row row = ROWS[opcode];
    return row == null ? String.format("UNKNOWN_0x%02X", opcode) : row.name;
  }

  /** As {@link #name}, with the transport as a separate word: {@code RC SEND_ONLY}. */
  public static String text(int opcode) {
    return name(opcode).replaceFirst("_", " ");
  }

  /** What follows from one opcode. */
  public static final class Row {
    /** The opcode itself. */
    public final int number;

    /** Such as {@code RC_SEND_ONLY}. */
    public final String name;

    /** The transport that has this opcode. */
    public final Transport transport;

    /** The operation that the packet is part of. */
    public final Operation operation;

    /** Whether the packet goes from requester to responder. */
    public final boolean isRequest;

    /** Whether a message starts with this packet: First or Only. */
    public final boolean startsMessage;

    /** Whether a message ends with this packet: Last or Only. */
    public final boolean endsMessage;

    /** Whether payload bytes may follow the headers; if not, the ICRC follows directly. */
    public final boolean hasPayload;

    /** Bytes of BTH and extension headers together. */
    public final int headerLength;

    /** The extension headers that the packet carries: bits such as {@link Reth#BIT}. */
    public final int headers;

    /** Where the headers start, by their place in {@link #HEADER_LENGTHS}; -1 for the others. */
    private final byte[] offsets = new byte[HEADER_LENGTHS.length];

    private Row(int number, Transport transport, String name, Operation operation, int properties) {
      this.number = number;
      this.transport = transport;
      this.name = name.isEmpty() ? transport.name() : transport + "_" + name;
      this.operation = operation;
      isRequest = (properties & REQUEST) != 0;
      startsMessage = (properties & (FIRST | ONLY)) != 0;
      endsMessage = (properties & (LAST | ONLY)) != 0;
      hasPayload = (properties & PAYLOAD) != 0;
      headers = properties & HEADERS;
      int end = Bth.LENGTH;
      for (int header = 0; header < HEADER_LENGTHS.length; header++) {
        boolean carried = has(XRCETH << header);
        offsets[header] = (byte) (carried ? end : -1);
        end += carried ? HEADER_LENGTHS[header] : 0;
      }
      headerLength = transport == Transport.CNP ? end + CNP_RESERVED_BYTES : end;
    }

    /** Whether the packet carries the extension header of this bit, such as {@link Reth#BIT}. */
    public boolean has(int header) {
      return (headers & header) != 0;
    }

    /** Where the extension header of this bit starts, from the first byte of the BTH; or -1. */
    public int offset(int header) {
      return offsets[Integer.numberOfTrailingZeros(header) - FIRST_HEADER];
    }
  }
}
