package dev.verbena.wire;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads pcapng (IETF draft-ietf-opsawg-pcapng): sections, each with its byte order and interfaces.
 * Blocks that bring no packets, such as statistics and names, are skipped.
 */
final class PcapngReader implements CaptureReader {
  private static final int OBSOLETE_PACKET = 2;
  private static final int SIMPLE_PACKET = 3;

  /** Type, length, and length again. */
  private static final int LEAST_BLOCK = 12;

  /** Type, length, and the packet's original length. */
  private static final int SIMPLE_FIXED = 12;

  /** What is kept of a section, so that it needs no memory without bound. */
  private static final int MOST_INTERFACES = 1 << 16;

  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_COMMENT = 0xFFFF;

  private static final int OPTION_TSOFFSET = 14;
  private static final int MICROSECONDS = 6;

  private final CaptureBytes bytes;
  private final List<Interface> interfaces = new ArrayList<>();
  private long at;
  private long blocks;
  private long packets;

  /** Where the body of the current block ends: at the second length. */
  private long end;

  PcapngReader(CaptureBytes bytes) {
    this.bytes = bytes;
  }

  @Override
  public Optional<CapturedFrame> next() throws CaptureFormatException {
    while (at < bytes.size()) {
      long block = at;
      int type = openBlock();
      at = end + PcapngWriter.TRAILER;
      try {
        CapturedFrame frame = read(type, block);
        if (frame != null) {
          return Optional.of(frame);
        }
      } catch (CaptureFormatException e) {
        // The block has told where the next one starts.
        bytes.skip(e);
      }
    }
    return Optional.empty();
  }

  @Override
  public long skipped() {
    return bytes.skipped();
  }

  @Override
  public Optional<CaptureFormatException> firstSkipped() {
    return bytes.firstSkipped();
  }

  /** Reads a block; null if it brings no packet. */
  private @Nullable CapturedFrame read(int type, long block) throws CaptureFormatException {
    switch (type) {
      case PcapngWriter.INTERFACE_DESCRIPTION -> describeInterface(block);
      case PcapngWriter.ENHANCED_PACKET -> {
        packets++;
        return enhancedPacket(block);
      }
      case SIMPLE_PACKET -> {
        packets++;
        return simplePacket(block);
      }
      case OBSOLETE_PACKET -> {
        packets++;
        return obsoletePacket(block);
      }
      default -> {}
    }
    return null;
  }

  /** Checks the frame of the block that starts here, and returns its type. */
  private int openBlock() throws CaptureFormatException {
    blocks++;
    bytes.begin("block " + blocks, at);
    bytes.require(at, LEAST_BLOCK);
    int type = bytes.integer(at);
    bytes.begin("block " + blocks + " (" + name(type) + ")", at);
    if (type == PcapngWriter.SECTION_HEADER) {
      chooseOrder();
      interfaces.clear();
    }
    long length = bytes.unsignedInt(at + 4);
    if (length < LEAST_BLOCK || (length & 3) != 0) {
      throw bytes.wrong("a length of " + length + " bytes is not possible");
    }
    bytes.require(at, length);
    end = at + length - PcapngWriter.TRAILER;
    if (bytes.unsignedInt(end) != length) {
      throw bytes.wrong(
          "has length %d at its start and %d at its end".formatted(length, bytes.unsignedInt(end)));
    }
    if (type == PcapngWriter.SECTION_HEADER) {
      fixed(at, PcapngWriter.SECTION_HEADER_LENGTH);
      if (bytes.unsignedShort(at + 12) != 1) {
        throw bytes.wrong(
            "version " + bytes.unsignedShort(at + 12) + " of pcapng, which is not known: only 1");
      }
    }
    return type;
  }

  /** The byte order of a section is that of its magic number. */
  private void chooseOrder() throws CaptureFormatException {
    bytes.order(ByteOrder.BIG_ENDIAN);
    int magic = bytes.integer(at + 8);
    if (magic == Integer.reverseBytes(PcapngWriter.BYTE_ORDER_MAGIC)) {
      bytes.order(ByteOrder.LITTLE_ENDIAN);
    } else if (magic != PcapngWriter.BYTE_ORDER_MAGIC) {
      throw bytes.wrong("byte-order magic 0x%08x is not known".formatted(magic));
    }
  }

  private static String name(int type) {
    return switch (type) {
      case PcapngWriter.SECTION_HEADER -> "section header";
      case PcapngWriter.INTERFACE_DESCRIPTION -> "interface description";
      case PcapngWriter.ENHANCED_PACKET -> "enhanced packet";
      case SIMPLE_PACKET -> "simple packet";
      case OBSOLETE_PACKET -> "packet";
      default -> "type 0x%x".formatted(type);
    };
  }

  /** Fails unless the block has so many bytes, both lengths included. */
  private void fixed(long block, int length) throws CaptureFormatException {
    if (end + PcapngWriter.TRAILER - block < length) {
      throw bytes.wrong(
          "has %d bytes, and needs at least %d"
              .formatted(end + PcapngWriter.TRAILER - block, length));
    }
  }

  private void describeInterface(long block) throws CaptureFormatException {
    if (interfaces.size() == MOST_INTERFACES) {
      throw bytes.wrong("a section has more than " + MOST_INTERFACES + " interfaces");
    }
    // Those behind it keep their numbers, even if this one cannot be read.
    interfaces.add(Interface.UNKNOWN);
    fixed(block, PcapngWriter.INTERFACE_FIXED + PcapngWriter.TRAILER);
    int linkType = bytes.unsignedShort(block + 8);
    long snapLength = bytes.unsignedInt(block + 12);
    String name = "";
    int resolution = MICROSECONDS;
    long seconds = 0;
    Options options = new Options(block + PcapngWriter.INTERFACE_FIXED);
    while (options.next()) {
      switch (options.code) {
        case PcapngWriter.OPTION_IF_NAME ->
            name = bytes.text(options.value, Math.min(options.length, LONGEST_NAME));
        case PcapngWriter.OPTION_IF_TSRESOL -> {
          options.require(1);
          resolution = bytes.unsignedByte(options.value);
        }
        case OPTION_TSOFFSET -> {
          options.require(Long.BYTES);
          seconds = bytes.longInteger(options.value);
        }
        default -> {}
      }
    }
    interfaces.set(
        interfaces.size() - 1,
        new Interface(linkType, snapLength, name, new StampUnit(resolution, seconds)));
  }

  private CapturedFrame enhancedPacket(long block) throws CaptureFormatException {
    fixed(block, PcapngWriter.PACKET_FIXED + PcapngWriter.TRAILER);
    return stamped(block, bytes.unsignedInt(block + 8));
  }

  private CapturedFrame obsoletePacket(long block) throws CaptureFormatException {
    fixed(block, PcapngWriter.PACKET_FIXED + PcapngWriter.TRAILER);
    return stamped(block, bytes.unsignedShort(block + 8));
  }

  /** Old and new packet block agree from the time stamp on. */
  private CapturedFrame stamped(long block, long interfaceId) throws CaptureFormatException {
    Interface on = interfaceOf(interfaceId);
    long stamp = (bytes.unsignedInt(block + 12) << Integer.SIZE) | bytes.unsignedInt(block + 16);
    long captured = bytes.unsignedInt(block + 20);
    long original = bytes.unsignedInt(block + 24);
    long data = block + PcapngWriter.PACKET_FIXED;
    checkCaptured(captured, data, original);
    StringBuilder comment = new StringBuilder();
    Options options = new Options(Math.min(end, data + ((captured + 3) & ~3L)));
    while (options.next()) {
      if (options.code == PcapngWriter.OPTION_COMMENT) {
        if (comment.length() + options.length > LONGEST_COMMENT) {
          throw bytes.wrong("has more than " + LONGEST_COMMENT + " bytes of comment");
        }
        comment
            .append(comment.isEmpty() ? "" : "; ")
            .append(bytes.text(options.value, options.length));
      }
    }
    return frame(on, on.unit.nanos(stamp), comment.toString(), data, (int) captured, original);
  }

  /** A block without time stamp, which belongs to the first interface. */
  private CapturedFrame simplePacket(long block) throws CaptureFormatException {
    fixed(block, SIMPLE_FIXED + PcapngWriter.TRAILER);
    Interface on = interfaceOf(0);
    long original = bytes.unsignedInt(block + 8);
    long captured = on.snapLength == 0 ? original : Math.min(original, on.snapLength);
    long data = block + SIMPLE_FIXED;
    checkCaptured(captured, data, original);
    return frame(on, CapturedFrame.NO_TIME, "", data, (int) captured, original);
  }

  private void checkCaptured(long captured, long data, long original)
      throws CaptureFormatException {
    if (captured > end - data || captured > original || captured > Integer.MAX_VALUE) {
      throw bytes.wrong(
          "says that it holds %d bytes of a packet of %d, and has room for %d"
              .formatted(captured, original, end - data));
    }
  }

  private CapturedFrame frame(
      Interface on, long nanos, String comment, long data, int captured, long original) {
    return new CapturedFrame(
        packets, nanos, on.linkType, on.name, comment, data, captured, original);
  }

  private Interface interfaceOf(long id) throws CaptureFormatException {
    if (id >= interfaces.size()) {
      throw bytes.wrong(
          "belongs to interface %d, but only %d are described before it"
              .formatted(id, interfaces.size()));
    }
    return interfaces.get((int) id);
  }

  private record Interface(int linkType, long snapLength, String name, StampUnit unit) {
    /** Of no link type, so nothing is known of its packets. */
    static final Interface UNKNOWN = new Interface(-1, 0, "", new StampUnit(MICROSECONDS, 0));
  }

  /**
   * What the time stamps of an interface count.
   *
   * @param resolution a negative power of ten, or of two if bit 7 is set
   * @param seconds to be added to each
   */
  private record StampUnit(int resolution, long seconds) {
    private static final int NANOSECONDS = 9;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Times that no long can hold wrap around: they are as wrong as the file. */
    long nanos(long stamp) {
      return seconds * NANOS_PER_SECOND + fraction(stamp);
    }

    private long fraction(long stamp) {
      int exponent = resolution & 0x7F;
      if ((resolution & 0x80) != 0) {
        // Bits finer than 2^-30 s, which is 1 ns, do not matter.
        int fine = Math.max(0, exponent - 30);
        long coarse = fine < Long.SIZE ? stamp >>> fine : 0;
        int bits = exponent - fine;
        return (coarse >>> bits) * NANOS_PER_SECOND
            + (((coarse & ((1L << bits) - 1)) * NANOS_PER_SECOND) >>> bits);
      }
      long nanos = stamp;
      for (int power = exponent; power < NANOSECONDS; power++) {
        nanos *= 10;
      }
      for (int power = exponent; power > NANOSECONDS; power--) {
        nanos = Long.divideUnsigned(nanos, 10);
      }
      return nanos;
    }
  }

  /** Walks through the options at the end of a block. */
  private final class Options {
    private long next;
    private int code;
    private int length;
    private long value;

    Options(long next) {
      this.next = next;
    }

    boolean next() throws CaptureFormatException {
      // Without options there is not even the one that ends them.
      if (end - next < PcapngWriter.OPTION_HEADER) {
        return false;
      }
      code = bytes.unsignedShort(next);
      length = bytes.unsignedShort(next + 2);
      value = next + PcapngWriter.OPTION_HEADER;
      if (code == PcapngWriter.OPTION_END) {
        return false;
      }
      if (length > end - value) {
        throw bytes.wrong(
            "option %d has %d bytes, and room for %d".formatted(code, length, end - value));
      }
      next = value + ((length + 3) & ~3);
      return true;
    }

    void require(int bytesOfIt) throws CaptureFormatException {
      if (length != bytesOfIt) {
        throw bytes.wrong("option %d has %d bytes, not %d".formatted(code, length, bytesOfIt));
      }
    }
  }
}
