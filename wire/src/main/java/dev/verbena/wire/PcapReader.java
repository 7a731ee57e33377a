package dev.verbena.wire;

import java.nio.ByteOrder;
import java.util.Optional;

/** Reads pcap: a file header, then packets with a header of 16 bytes each. */
final class PcapReader implements CaptureReader {
  private static final int MICROSECONDS = 0xA1B2C3D4;
  private static final int NANOSECONDS = 0xA1B23C4D;
  private static final int FILE_HEADER = 24;
  private static final int PACKET_HEADER = 16;

  /** Above the link type are bits about frame check sequences. */
  private static final int LINK_TYPE_BITS = 0xFFFF;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final CaptureBytes bytes;
  private final long nanosPerUnit;
  private final int linkType;
  private long at = FILE_HEADER;
  private long packets;

  PcapReader(CaptureBytes bytes) throws CaptureFormatException {
    this.bytes = bytes;
    bytes.require(0, FILE_HEADER);
    if (!isMagic(bytes.integer(0))) {
      bytes.order(ByteOrder.LITTLE_ENDIAN);
    }
    nanosPerUnit = bytes.integer(0) == NANOSECONDS ? 1 : 1000;
    linkType = bytes.integer(20) & LINK_TYPE_BITS;
  }

  static boolean isMagic(int first) {
    return first == MICROSECONDS || first == NANOSECONDS;
  }

  @Override
  public Optional<CapturedFrame> next() throws CaptureFormatException {
    while (at < bytes.size()) {
      packets++;
      bytes.begin("packet " + packets, at);
      bytes.require(at, PACKET_HEADER);
      long nanos =
          bytes.unsignedInt(at) * NANOS_PER_SECOND + bytes.unsignedInt(at + 4) * nanosPerUnit;
      long length = bytes.unsignedInt(at + 8);
      long originalLength = bytes.unsignedInt(at + 12);
      long data = at + PACKET_HEADER;
      bytes.require(data, length);
      at = data + length;
      if (length <= originalLength && length <= Integer.MAX_VALUE) {
        return Optional.of(
            new CapturedFrame(
                packets, nanos, linkType, "", "", data, (int) length, originalLength));
      }
      bytes.skip(bytes.wrong("holds " + length + " bytes of a packet of " + originalLength));
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
}
