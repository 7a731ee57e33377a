package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A RoCE v2 packet inside a UDP datagram: BTH, extension headers, payload, padding, ICRC (S12.1.2).
 *
 * <p>A reusable view of one datagram after another. {@link #parse} reads the BTH into fields, which
 * callers only read, and checks everything that the accessors of the other headers rely on. After
 * {@link ParseResult#OK} no accessor of a header that the opcode has can fail or read outside the
 * datagram; an accessor of another header throws IllegalStateException. After any other result no
 * field or accessor may be used. The view checks neither the ICRC, see {@link IcrcCheck}, nor
 * lengths that depend on the path MTU (S12.6.7).
 *
 * <p>Not thread-safe; allocates nothing.
 */
public final class RocePacket {
  /** Bytes of the ICRC that ends every packet. */
  public static final int ICRC_LENGTH = 4;

  /** The shortest packet: BTH and ICRC. */
  public static final int MIN_LENGTH = Bth.LENGTH + ICRC_LENGTH;

  /** The memory that the offsets refer to. */
  public MemorySegment segment = MemorySegment.NULL;

  /** Offset of the BTH in {@link #segment}. */
  public long offset;

  /** Bytes from BTH to ICRC; 0 if nothing was parsed. */
  public long length;

  /** What follows from the opcode. */
  public Opcode.Row row = Opcode.row(Opcode.CNP);

  /** Packet sequence number, 24 bits; meaningless in a CNP. */
  public int psn;

  /** PSNs that it stands for: 1, if it is not {@link #mayBeLong long}. */
  public int psns;

  /** Partition key, 16 bits. */
  public int pkey;

  /** Destination queue pair number, 24 bits. */
  public int destQpn;

  /** Whether the sender asks for an acknowledge. */
  public boolean ackRequest;

  /** Whether the sender asks for a solicited event. */
  public boolean solicited;

  /** Offset of the payload in {@link #segment}; of the ICRC if there is none. */
  public long payloadOffset;

  /** Bytes of payload without padding. */
  public int payloadLength;

  /** A view of nothing yet. */
  public RocePacket() {}

  /**
   * Moves the view to a UDP payload and checks it. No content makes this throw.
   *
   * @param datagram memory that holds the payload
   * @param offset of the first byte, which is the BTH's
   * @param length bytes from BTH to ICRC
   * @throws IndexOutOfBoundsException if the range is not inside the segment: the caller's mistake
   */
  public ParseResult parse(MemorySegment datagram, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, datagram.byteSize());
    if (length < MIN_LENGTH) {
      return ParseResult.TRUNCATED;
    }
    int first = datagram.get(Layouts.INT, offset);
    if ((first >>> Bth.VERSION_SHIFT & Bth.VERSION_BITS) != Bth.TRANSPORT_VERSION) {
      return ParseResult.BAD_VERSION;
    }
    Opcode.Row found = Opcode.find(first >>> Bth.OPCODE_SHIFT);
    if (found == null) {
      return ParseResult.UNKNOWN_OPCODE;
    }
    if ((length & 3) != 0 || length > Integer.MAX_VALUE) {
      return ParseResult.BAD_LENGTH;
    }
    int body = (int) length - found.headerLength - ICRC_LENGTH;
    if (body < 0) {
      return ParseResult.TRUNCATED;
    }
    int pad = first >>> Bth.PAD_SHIFT & Bth.MOST_PAD;
    if (!found.hasPayload) {
      if (body != 0 || pad != 0) {
        return ParseResult.UNEXPECTED_PAYLOAD;
      }
    } else if (pad > body || (pad != 0 && !found.endsMessage)) {
      return ParseResult.BAD_PAD;
    }
    int last = datagram.get(Layouts.INT, offset + 8);
    this.segment = datagram;
    this.offset = offset;
    this.length = length;
    row = found;
    solicited = (first & Bth.SOLICITED) != 0;
    pkey = first & Bth.PKEY_BITS;
    destQpn = datagram.get(Layouts.INT, offset + 4) & Layouts.LOW_24;
    ackRequest = (last & Bth.ACK_REQUEST) != 0;
    psn = last & Layouts.LOW_24;
    psns = 1;
    payloadOffset = offset + found.headerLength;
    payloadLength = body - pad;
    return ParseResult.OK;
  }

  /**
   * After a successful {@link #parse}: its link knows long packets, and this may be one if it has
   * the data of a SEND, a WRITE or a READ of a connection.
   */
  public void mayBeLong() {
    boolean hasData =
        switch (row.operation) {
          case SEND, WRITE, READ_RESPONSE -> row.transport != Transport.UD;
          default -> false;
        };
    psns = hasData ? 1 + Bth.further(segment, offset) : 1;
  }

  /** Opcode, 0..255, valid. */
  public int opcode() {
    return row.number;
  }

  /** The migration request bit. */
  public boolean migReq() {
    return (segment.get(Layouts.INT, offset) & Bth.MIG_REQ) != 0;
  }

  /** Padding bytes after the payload, 0..3. */
  public int padCount() {
    return segment.get(Layouts.INT, offset) >>> Bth.PAD_SHIFT & Bth.MOST_PAD;
  }

  /** RETH: remote virtual address. */
  public long rethVa() {
    return Reth.va(segment, at(Reth.BIT));
  }

  /** RETH: remote key. */
  public int rethRkey() {
    return Reth.rkey(segment, at(Reth.BIT));
  }

  /** RETH: bytes of the whole message, 0..2^32-1. */
  public long rethLength() {
    return Reth.dmaLength(segment, at(Reth.BIT));
  }

  /** AETH: the whole header; {@link Aeth} divides it. */
  public int aeth() {
    return Aeth.word(segment, at(Aeth.BIT));
  }

  /** AETH: syndrome, see {@link AethSyndrome}. */
  public int aethSyndrome() {
    return Aeth.syndrome(segment, at(Aeth.BIT));
  }

  /** AETH: message sequence number, 24 bits. */
  public int aethMsn() {
    return Aeth.msn(segment, at(Aeth.BIT));
  }

  /** AtomicETH: remote virtual address. */
  public long atomicVa() {
    return AtomicEth.va(segment, at(AtomicEth.BIT));
  }

  /** AtomicETH: remote key. */
  public int atomicRkey() {
    return AtomicEth.rkey(segment, at(AtomicEth.BIT));
  }

  /** AtomicETH: the value to store or to add. */
  public long atomicSwapOrAdd() {
    return AtomicEth.swapOrAdd(segment, at(AtomicEth.BIT));
  }

  /** AtomicETH: the value to compare with. */
  public long atomicCompare() {
    return AtomicEth.compare(segment, at(AtomicEth.BIT));
  }

  /** AtomicAckETH: the value before the atomic. */
  public long atomicOriginal() {
    return AtomicAckEth.original(segment, at(AtomicAckEth.BIT));
  }

  /** ImmDt: immediate data. */
  public int immData() {
    return ImmDt.immData(segment, at(ImmDt.BIT));
  }

  /** IETH: the key to invalidate. */
  public int invalidateRkey() {
    return Ieth.rkey(segment, at(Ieth.BIT));
  }

  /** How much the sender's receive buffer holds, see {@link BufferSize#bytes}. */
  public int bufferBytes() {
    return BufferSize.bytes(segment, at(BufferSize.BIT));
  }

  /** DETH: queue key. */
  public int dethQkey() {
    return Deth.qkey(segment, at(Deth.BIT));
  }

  /** DETH: queue pair number of the sender, 24 bits. */
  public int dethSrcQpn() {
    return Deth.srcQpn(segment, at(Deth.BIT));
  }

  /** XRCETH: number of the XRC shared receive queue, 24 bits. */
  public int xrcSrqn() {
    return Xrceth.srqn(segment, at(Xrceth.BIT));
  }

  /** FETH: selectivity level, 0..3. */
  public int fethLevel() {
    return Feth.level(segment, at(Feth.BIT));
  }

  /** FETH: placement type bits, 0..15. */
  public int fethType() {
    return Feth.type(segment, at(Feth.BIT));
  }

  /** The ICRC of the packet, in the sense of {@link Icrc#compute}. */
  public int icrc() {
    return Icrc.read(segment, offset + length - ICRC_LENGTH);
  }

  /** Such as {@code RC SEND_LAST psn 12 ack qpn 0x11, 5 bytes}. */
  @Override
  public String toString() {
    if (length == 0) {
      return "no packet";
    }
    if (!segment.scope().isAlive()) {
      return Opcode.text(row.number) + " in memory that was closed";
    }
    StringBuilder text = new StringBuilder(Opcode.text(row.number));
    if (row.number != Opcode.CNP) {
      text.append(" psn ").append(psn);
    }
    if (psns > 1) {
      text.append(" x").append(psns);
    }
    if (ackRequest) {
      text.append(" ack");
    }
    text.append(" qpn 0x").append(Integer.toHexString(destQpn));
    if (row.has(Aeth.BIT)) {
      text.append(" syndrome 0x").append(Integer.toHexString(aethSyndrome()));
    }
    if (row.hasPayload) {
      text.append(", ").append(payloadLength).append(" bytes");
    }
    return text.toString();
  }

  private long at(int header) {
    int behind = row.offset(header);
    if (behind < 0) {
      throw new IllegalStateException(row.name + " has no such header");
    }
    return offset + behind;
  }
}
