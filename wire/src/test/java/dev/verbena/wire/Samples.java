package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Packets between Linux kernels with rdma_rxe, from the pcap files among the resources. */
final class Samples {
  private static final List<String> FILES =
      List.of(
          "rc-atomic",
          "rc-read",
          "rc-send",
          "rc-send-host",
          "rc-send-ipv6",
          "rc-write",
          "rdma-cm",
          "uc-send",
          "ud-send");

  private static final int PCAP_MAGIC = 0xA1B2C3D4;

  private Samples() {}

  /** One RoCE frame with its headers parsed. */
  record Sample(String name, MemorySegment frame, IpUdpFrame headers) {
    /** A copy of the bytes from BTH to ICRC, in memory of exactly that length. */
    MemorySegment packet() {
      MemorySegment copy = Hex.segment(new byte[headers.payloadLength()]);
      return copy.copyFrom(frame.asSlice(headers.payloadOffset(), headers.payloadLength()));
    }

    /** A calculator that knows everything about the frame's headers. */
    Icrc exact() {
      Icrc icrc = new Icrc();
      headers.describeTo(icrc);
      return icrc;
    }

    /** A calculator that knows what a socket shows: neither ID nor flags. */
    Icrc withoutId() {
      Icrc icrc = exact();
      icrc.identification(0, true);
      return icrc;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Sample> all() {
    return FILES.stream().flatMap(file -> read(file).stream());
  }

  private static List<Sample> read(String file) {
    ByteBuffer pcap = ByteBuffer.wrap(bytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(pcap.getInt(0)).isEqualTo(PCAP_MAGIC);
    List<Sample> samples = new ArrayList<>();
    int at = 24;
    while (at < pcap.limit()) {
      byte[] bytes = new byte[pcap.getInt(at + 8)];
      pcap.get(at + 16, bytes);
      at += 16 + bytes.length;
      MemorySegment frame = Hex.segment(bytes);
      IpUdpFrame headers = new IpUdpFrame();
      if (headers.parse(LinkType.ETHERNET, frame, 0, frame.byteSize())
          && headers.dstPort() == RocePorts.UDP_PORT) {
        samples.add(new Sample(file + " " + (samples.size() + 1), frame, headers));
      }
    }
    assertThat(samples).as(file).isNotEmpty();
    return samples;
  }

  private static byte[] bytes(String file) {
    String resource = "/samples/" + file + ".pcap";
    try (InputStream in = Samples.class.getResourceAsStream(resource)) {
      return Objects.requireNonNull(in, resource).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
