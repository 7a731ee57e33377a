package dev.verbena.tck.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Packets to one device, from the capture file that the other one is writing. It may be cut
 * meanwhile ({@link CaptureTail}).
 */
final class Overheard implements AutoCloseable {
  private static final int ENHANCED_PACKET = 6;
  private static final int LENGTH_AT = 4;
  private static final int CAPTURED_AT = 20;
  private static final int PACKET_FIXED = 28;

  /** More than any packet with what is noted about it. */
  private static final int LONGEST_BLOCK = 1 << 14;

  private static final int IP = 20;
  private static final int UDP = 8;
  private static final int BTH = 12;
  private static final int ROCE_PORT = 4791;
  private static final int DESTINATION_AT = 16;
  private static final int MOST_BYTES = 1 << 20;

  /** Who is so far behind skips what is in between. */
  private static final long MOST_BEHIND = 16 * MOST_BYTES;

  /** The number of latest packets to keep. */
  private static final int KEPT = 256;

  private final FileChannel file;
  private final byte[] destination;
  private final List<byte[]> packets = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int next;

  Overheard(Path capture, InetAddress to) {
    destination = to.getAddress();
    try {
      file = FileChannel.open(capture, StandardOpenOption.READ);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads more of the file, to its current end or a good deal of it. */
  void readOn() {
    try {
      long end = file.size() & -Integer.BYTES;
      if (end - file.position() > MOST_BEHIND) {
        file.position(end);
        buffer.clear();
      }
      file.read(buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    buffer.flip();
    while (buffer.remaining() >= PACKET_FIXED) {
      int start = buffer.position();
      int length = packetBlock(start);
      if (length > buffer.remaining()) {
        break;
      }
      if (length > 0 && buffer.getInt(start + length - Integer.BYTES) == length) {
        take(start + PACKET_FIXED, buffer.getInt(start + CAPTURED_AT));
        buffer.position(start + length);
      } else {
        // Zeros in place of what was cut, the end of a block that was, or one without a packet.
        buffer.position(start + Integer.BYTES);
      }
    }
    buffer.compact();
  }

  /** The length of the block that begins here and has a packet, if one does; or 0. */
  private int packetBlock(int start) {
    int length = buffer.getInt(start + LENGTH_AT);
    int captured = buffer.getInt(start + CAPTURED_AT);
    boolean fits =
        buffer.getInt(start) == ENHANCED_PACKET
            && captured >= IP + UDP + BTH
            && captured <= length - PACKET_FIXED - Integer.BYTES
            && length <= LONGEST_BLOCK;
    return fits ? length : 0;
  }

  /** Keeps the packets of the devices themselves; attacks come from other ports. */
  private void take(int at, int length) {
    byte[] ip = new byte[length];
    buffer.get(at, ip);
    int sourcePort = ByteBuffer.wrap(ip).getShort(IP) & 0xffff;
    boolean hither = Arrays.equals(ip, DESTINATION_AT, IP, destination, 0, destination.length);
    if (hither && sourcePort == ROCE_PORT) {
      byte[] packet = Arrays.copyOfRange(ip, IP + UDP, length);
      if (packets.size() < KEPT) {
        packets.add(packet);
      } else {
        packets.set(next, packet);
      }
      next = (next + 1) % KEPT;
    }
  }

  /** A random one of the packets, which the caller may change; null if there is none yet. */
  byte @Nullable [] any(SplittableRandom random) {
    return packets.isEmpty() ? null : packets.get(random.nextInt(packets.size())).clone();
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
