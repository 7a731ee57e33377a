package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Datagrams between Linux kernels, from BTH to ICRC, from the capture files of wire. */
public final class Samples {
  private static final Path FOLDER = Path.of("../wire/src/test/resources/samples");
  private static final int PCAP_HEADER = 24;
  private static final int RECORD_HEADER = 16;
  private static final int ETHERNET = 14;
  private static final int UDP = 8;
  private static final int IPV4_TYPE = 0x0800;
  private static final int IPV6_LENGTH = 40;

  private Samples() {}

  /** All of them. */
  public static List<byte[]> all() throws IOException {
    List<byte[]> datagrams = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER, "*.pcap")) {
      for (Path file : files) {
        readInto(datagrams, Files.readAllBytes(file));
      }
    }
    assertThat(datagrams).hasSizeGreaterThan(50);
    return datagrams;
  }

  private static void readInto(List<byte[]> datagrams, byte[] pcap) {
    ByteBuffer numbers = ByteBuffer.wrap(pcap).order(ByteOrder.LITTLE_ENDIAN);
    int at = PCAP_HEADER;
    while (at < pcap.length) {
      int length = numbers.getInt(at + 8);
      int frame = at + RECORD_HEADER;
      // Behind both MAC addresses, big-endian unlike the headers of the file.
      boolean ipv4 = Short.reverseBytes(numbers.getShort(frame + 12)) == IPV4_TYPE;
      int ip = frame + ETHERNET;
      int skipped = ETHERNET + UDP + (ipv4 ? (pcap[ip] & 15) * 4 : IPV6_LENGTH);
      if (skipped < length) {
        datagrams.add(Arrays.copyOfRange(pcap, frame + skipped, frame + length));
      }
      at = frame + length;
    }
  }
}
