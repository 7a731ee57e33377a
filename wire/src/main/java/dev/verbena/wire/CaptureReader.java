package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Reads the packets of a capture file that is in memory, as tcpdump, Wireshark and our own devices
 * write it: pcapng or the older pcap, in either byte order. {@link PcapngWriter} writes them.
 *
 * <p>What breaks the format is skipped and counted, as long as it says where the next packet
 * starts. No content makes the reader read outside the file, loop, keep more than some megabytes,
 * or throw anything but {@link CaptureFormatException}.
 */
public sealed interface CaptureReader permits PcapReader, PcapngReader {
  /**
   * A reader at the start of a file.
   *
   * @param file the whole file; the reader only reads it
   * @throws CaptureFormatException if this is no capture file
   */
  static CaptureReader of(MemorySegment file) throws CaptureFormatException {
    CaptureBytes bytes = new CaptureBytes(file);
    bytes.begin("file header", 0);
    bytes.require(0, Integer.BYTES);
    int first = bytes.integer(0);
    if (first == PcapngWriter.SECTION_HEADER) {
      return new PcapngReader(bytes);
    }
    if (PcapReader.isMagic(first) || PcapReader.isMagic(Integer.reverseBytes(first))) {
      return new PcapReader(bytes);
    }
    throw bytes.wrong(
        first >>> 16 == 0x1F8B
            ? "the file is compressed by gzip; unpack it first"
            : "starts with 0x%08x, which is neither pcapng nor pcap".formatted(first));
  }

  /**
   * The next packet; empty at the end of the file.
   *
   * @throws CaptureFormatException if nobody can tell where the next packet starts; there is no way
   *     to go on
   */
  Optional<CapturedFrame> next() throws CaptureFormatException;

  /**
   * How many packets and descriptions of interfaces were skipped so far. Such packets have a
   * number, too.
   */
  long skipped();

  /** What is wrong with the first that was skipped; empty if none was. */
  Optional<CaptureFormatException> firstSkipped();
}
