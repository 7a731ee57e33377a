package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link Overheard} and {@link CaptureTail}: what is read of a file that is written and cut. */
final class OverheardTest {
  private static final InetAddress HERE = InetAddress.ofLiteral("127.99.0.1");
  private static final InetAddress THERE = InetAddress.ofLiteral("127.99.0.2");
  private static final int PEERS = 0x70_0000;
  private static final int NONE = -1;
  private static final int PACKET_AT = 28 + 20 + 8;
  private static final int PSN_AT = 8;

  /** So many that the latest packet is among them. */
  private static final int DRAWS = 10_000;

  private static final int KEPT = 1 << 16;

  /** A block of a pcapng file with a packet, as little-endian computers write it. */
  private static byte[] block(InetAddress to, int psn) {
    int captured = 20 + 8 + 12 + 1024 + 4;
    int length = 28 + captured + 4;
    ByteBuffer block = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.fill(block.array(), (byte) 1);
    block.putInt(0, 6).putInt(4, length).putInt(20, captured).putInt(24, captured);
    block.putInt(length - 4, length);
    block.order(ByteOrder.BIG_ENDIAN).put(28 + 16, to.getAddress()).putShort(28 + 20, (short) 4791);
    block.putInt(PACKET_AT + PSN_AT, psn);
    return block.array();
  }

  private static byte[] blocks(int count, int firstPsn) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      bytes.writeBytes(block(HERE, firstPsn + i));
      bytes.writeBytes(block(THERE, PEERS + firstPsn + i));
    }
    return bytes.toByteArray();
  }

  /** The highest PSN of the packets that were overheard. */
  private static int latest(Overheard overheard) {
    SplittableRandom random = new SplittableRandom(1);
    int latest = NONE;
    for (int i = 0; i < DRAWS; i++) {
      byte[] packet = overheard.any(random);
      latest = packet == null ? NONE : Math.max(latest, ByteBuffer.wrap(packet).getInt(PSN_AT));
    }
    return latest;
  }

  private static long bytesLeft(CaptureTail tail) throws IOException {
    long left = 0;
    for (byte b : Files.readAllBytes(tail.path())) {
      left += b == 0 ? 0 : 1;
    }
    return left;
  }

  @Test
  void aFileThatIsCutIsReadOnAndKeepsItsEndOnly() throws IOException {
    try (CaptureTail tail = new CaptureTail(KEPT);
        OutputStream device = new FileOutputStream(tail.path().toFile());
        Overheard here = new Overheard(tail.path(), HERE);
        Overheard there = new Overheard(tail.path(), THERE)) {
      int written = 0;
      for (int round = 0; round < 50; round++) {
        byte[] some = blocks(7, round * 7);
        device.write(some);
        written += some.length;
        here.readOn();
        if (round % 10 == 9) {
          // Meanwhile the file was cut, and what was not read has become zeros.
          there.readOn();
          assertThat(latest(there)).isEqualTo(PEERS + round * 7 + 6);
        }
        assertThat(latest(here)).isEqualTo(round * 7 + 6);
        tail.cut();
      }
      assertThat(written).isGreaterThan(5 * KEPT);
      assertThat(bytesLeft(tail)).isLessThan(KEPT);
    }
  }

  @Test
  void whoIsFarBehindSkipsToTheEndAndFindsTheNextPacket() throws IOException {
    try (CaptureTail tail = new CaptureTail();
        OutputStream device = new FileOutputStream(tail.path().toFile());
        Overheard here = new Overheard(tail.path(), HERE)) {
      for (int i = 0; i < 1000; i++) {
        device.write(blocks(16, i));
      }
      byte[] whole = block(HERE, 0x1111);
      device.write(whole, 0, 500);
      here.readOn();
      assertThat(latest(here)).isEqualTo(NONE);
      device.write(whole, 500, whole.length - 500);
      device.write(block(HERE, 0x2222));
      here.readOn();
      assertThat(latest(here)).isEqualTo(0x2222);
    }
  }
}
