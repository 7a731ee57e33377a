package dev.verbena.tools.trace;

import dev.verbena.tools.trace.TracedPacket.Checksum;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.CaptureFormatException;
import dev.verbena.wire.CaptureNotes;
import dev.verbena.wire.CaptureReader;
import dev.verbena.wire.CapturedFrame;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcCheck;
import dev.verbena.wire.IpUdpFrame;
import dev.verbena.wire.LinkType;
import dev.verbena.wire.ParseResult;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.RxeFlushIcrc;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the RoCE packets of a capture file, from its start.
 *
 * <p>What Linux's interface {@code any} saw twice on the loopback, when it left and when it
 * arrived, is one packet.
 */
final class RoceCapture {
  /** Longer frames cannot be IP: its length has 16 bits, and some headers may come before. */
  private static final int MOST_FRAME = 0xFFFF + 256;

  /** So many are remembered until they arrive: as many as may be on their way, and more. */
  private static final int MOST_IN_THE_AIR = 1 << 16;

  private static final int ECN_BITS = 3;
  private static final int ECN_CONGESTED = 3;

  private final MemorySegment file;
  private final CaptureReader reader;
  private final IpUdpFrame headers = new IpUdpFrame();
  private final RocePacket packet = new RocePacket();
  private final Icrc icrc = new Icrc();
  private final LinkedHashMap<Sight, Integer> inTheAir = new LinkedHashMap<>();
  private @Nullable MemorySegment whole;
  private long frames;
  private @Nullable CapturedFrame current;

  /** Holds the current frame. */
  private MemorySegment bytes;

  /** Where the next packet of the current frame starts, where the last ends, where bytes do. */
  private long at;

  private long end;
  private long held;
  private int pieceLength;

  /**
   * @param file the whole file
   * @throws CaptureFormatException if it is no capture
   */
  RoceCapture(MemorySegment file) throws CaptureFormatException {
    this.file = file;
    this.bytes = file;
    this.reader = CaptureReader.of(file);
  }

  /** The next RoCE packet; null at the end. */
  @Nullable TracedPacket next() throws CaptureFormatException {
    CapturedFrame frame = current;
    while (frame == null || at == end) {
      frame = reader.next().orElse(null);
      current = frame;
      if (frame == null) {
        return null;
      }
      frames++;
      open(frame);
    }
    long bth = at;
    at += Math.min(pieceLength, end - at);
    return traced(frame, bth, (int) (at - bth));
  }

  /** How many packets of all kinds were read so far. */
  long frames() {
    return frames;
  }

  /** How many packets and interfaces were skipped so far, because they break the format. */
  long skipped() {
    return reader.skipped();
  }

  /** What is wrong with the first of them. */
  Optional<CaptureFormatException> firstSkipped() {
    return reader.firstSkipped();
  }

  /** Finds the RoCE packet in a frame, or the packets that wait there for their segmentation. */
  private void open(CapturedFrame frame) {
    at = end;
    if (frame.originalLength() > MOST_FRAME) {
      return;
    }
    boolean cutOff = frame.length() < frame.originalLength();
    bytes = cutOff ? withZeros(frame) : file;
    long start = cutOff ? 0 : frame.offset();
    if (!headers.parse(frame.linkType(), bytes, start, frame.originalLength())
        || headers.dstPort() != RocePorts.UDP_PORT) {
      return;
    }
    long bth = headers.payloadOffset();
    held = start + frame.length();
    if (held - bth < Bth.LENGTH
        || headers.payloadLength() < RocePacket.MIN_LENGTH
        || isSeenAgain(frame, start)) {
      return;
    }
    icrc.addresses(headers.src(), headers.dst(), headers.srcPort(), headers.dstPort());
    // Any ID fits: our captures do not know that of what they received.
    icrc.identification(0, true);
    at = bth;
    end = bth + headers.payloadLength();
    pieceLength = cutOff ? headers.payloadLength() : pieceLength(bth, headers.payloadLength());
  }

  /**
   * The length of the first packet in a datagram. A capture of the sender's computer may see many
   * in one datagram, all but the last of one length, before the kernel cuts it (GSO).
   */
  private int pieceLength(long bth, int length) {
    if (isSound(bth, length)) {
      return length;
    }
    int qpn = Bth.destQpn(bytes, bth);
    // No packet is longer, and each try costs an ICRC.
    int longest = Math.min(length - Bth.LENGTH, IcrcCheck.MAX_LENGTH);
    for (int first = RocePacket.MIN_LENGTH; first <= longest; first += 4) {
      if (Bth.destQpn(bytes, bth + first) == qpn && isSound(bth, first)) {
        return first;
      }
    }
    return length;
  }

  private boolean isSound(long bth, int length) {
    return packet.parse(bytes, bth, length) == ParseResult.OK && hasGoodChecksum(bth, length);
  }

  private boolean hasGoodChecksum(long bth, int length) {
    return IcrcCheck.accepts(icrc, bytes, bth, length)
        || (RxeFlushIcrc.appliesTo(bytes, bth) && RxeFlushIcrc.accepts(icrc, bytes, bth, length));
  }

  private TracedPacket traced(CapturedFrame frame, long bth, int length) {
    ParseResult parsed = packet.parse(bytes, bth, length);
    if (parsed != ParseResult.OK) {
      return malformed(frame, bth, text(parsed));
    }
    if (held - bth < packet.row.headerLength) {
      return malformed(frame, bth, "cut off by the capture");
    }
    Checksum checksum =
        held < bth + length
            ? Checksum.CUT_OFF
            : hasGoodChecksum(bth, length) ? Checksum.GOOD : Checksum.BAD;
    if (isOurs(frame)) {
      packet.mayBeLong();
    }
    return wellFormed(frame, checksum);
  }

  /** A copy of what the capture holds, as long as the packet was. */
  private MemorySegment withZeros(CapturedFrame frame) {
    MemorySegment copy = whole;
    if (copy == null) {
      copy = MemorySegment.ofArray(new byte[MOST_FRAME]);
      whole = copy;
    }
    MemorySegment.copy(file, frame.offset(), copy, 0, frame.length());
    copy.asSlice(frame.length(), frame.originalLength() - frame.length()).fill((byte) 0);
    return copy;
  }

  private TracedPacket wellFormed(CapturedFrame frame, Checksum checksum) {
    boolean hasAeth = packet.row.has(Aeth.BIT);
    return new TracedPacket(
        frame.number(),
        frame.nanos(),
        new Direction(
            headers.src(),
            headers.dst(),
            packet.destQpn,
            packet.row.has(Deth.BIT) ? packet.dethSrcQpn() : Direction.NOT_SAID),
        packet.row,
        "",
        packet.psn,
        packet.psns,
        packet.ackRequest,
        packet.payloadLength,
        packet.row.has(Reth.BIT) ? packet.rethLength() : -1,
        hasAeth ? packet.aethSyndrome() : -1,
        hasAeth ? packet.aethMsn() : 0,
        checksum,
        isCongested(),
        isDropped(frame),
        frame.comment());
  }

  private TracedPacket malformed(CapturedFrame frame, long bth, String flaw) {
    boolean hasBth = held - bth >= Bth.LENGTH;
    return new TracedPacket(
        frame.number(),
        frame.nanos(),
        new Direction(
            headers.src(), headers.dst(), hasBth ? Bth.destQpn(bytes, bth) : 0, Direction.NOT_SAID),
        null,
        flaw,
        hasBth ? Bth.psn(bytes, bth) : 0,
        1,
        false,
        0,
        -1,
        -1,
        0,
        Checksum.NOT_JUDGED,
        isCongested(),
        isDropped(frame),
        frame.comment());
  }

  private static boolean isOurs(CapturedFrame frame) {
    return frame.interfaceName().startsWith(CaptureNotes.INTERFACE);
  }

  private static boolean isDropped(CapturedFrame frame) {
    return isOurs(frame) && frame.comment().equals(CaptureNotes.DROPPED);
  }

  private boolean isCongested() {
    return (headers.trafficClass() & ECN_BITS) == ECN_CONGESTED;
  }

  private static String text(ParseResult flaw) {
    return switch (flaw) {
      case OK -> throw new IllegalArgumentException("a packet without flaw");
      case TRUNCATED -> "shorter than its headers";
      case BAD_VERSION -> "unknown transport version";
      case UNKNOWN_OPCODE -> "unknown opcode";
      case BAD_LENGTH -> "its length is not a multiple of 4";
      case BAD_PAD -> "more padding than payload, or padding before the end of a message";
      case UNEXPECTED_PAYLOAD -> "payload where there is none";
    };
  }

  /**
   * Whether this is the arrival of a packet that was captured when it left. If equal packets are on
   * their way, their number is right, though perhaps not which of them is which.
   */
  private boolean isSeenAgain(CapturedFrame frame, long start) {
    int linkType = frame.linkType();
    long length = frame.originalLength();
    boolean leaves = LinkType.leavesByLoopback(linkType, bytes, start, length);
    boolean arrives = LinkType.arrivesByLoopback(linkType, bytes, start, length);
    if (!leaves && !arrives) {
      return false;
    }
    Sight sight = sight();
    Integer on = inTheAir.get(sight);
    if (arrives && on != null) {
      if (on == 1) {
        inTheAir.remove(sight);
      } else {
        inTheAir.put(sight, on - 1);
      }
      return true;
    }
    if (!arrives) {
      inTheAir.merge(sight, 1, Integer::sum);
      if (inTheAir.size() > MOST_IN_THE_AIR) {
        inTheAir.pollFirstEntry();
      }
    }
    return false;
  }

  private Sight sight() {
    long bth = headers.payloadOffset();
    int length = headers.payloadLength();
    return new Sight(
        new Direction(headers.src(), headers.dst(), Bth.destQpn(bytes, bth), headers.srcPort()),
        length,
        Bth.psn(bytes, bth),
        Icrc.read(bytes, bth + length - RocePacket.ICRC_LENGTH));
  }

  /** What distinguishes packets; the ICRC stands for all other bytes. */
  private record Sight(Direction to, int length, int psn, int icrc) {}
}
