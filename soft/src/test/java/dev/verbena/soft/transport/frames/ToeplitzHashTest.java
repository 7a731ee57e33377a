package dev.verbena.soft.transport.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.RxHashFields;
import dev.verbena.wire.EthernetFrame;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hash, against the values that Microsoft published for receive side scaling. */
@Proves("S9.8")
class ToeplitzHashTest {
  private static final byte[] KEY =
      HexFormat.of()
          .parseHex(
              "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa");
  private static final long IPV4 = RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4;
  private static final long IPV6 = RxHashFields.SRC_IPV6 | RxHashFields.DST_IPV6;
  private static final long TCP = RxHashFields.SRC_PORT_TCP | RxHashFields.DST_PORT_TCP;
  private static final long UDP = RxHashFields.SRC_PORT_UDP | RxHashFields.DST_PORT_UDP;
  private static final long ALL = IPV4 | IPV6 | TCP | UDP;

  private final EthernetFrame frame = new EthernetFrame();

  @ParameterizedTest
  @CsvSource({
    // Source, port, destination, port, hash of the addresses, hash of addresses and ports.
    "420995bb, 2794, a18e6450, 1766, 323e8fc2, 51ccc178",
    "c75c6f02, 14230, 41458c53, 4739, d718262a, c626b0ea",
    "1813c65f, 12898, 0c16cfb8, 38024, d2d0a5de, 5c2b394a",
    "261bcd1e, 48228, d18ea306, 2217, 82989176, afc7327f",
    "9927a3bf, 44251, cabc7f02, 1303, 5d1809c5, 10e828a2",
    "3ffe250102001fff0000000000000007, 2794, 3ffe2501020000030000000000000001, 1766, 2cc18cd5, "
        + "40207d3d",
    "3ffe050100080000026097fffe40efab, 14230, ff020000000000000000000000000001, 4739, 0f0c461c, "
        + "dde51bbf",
    "3ffe1900454500030200f8fffe2167cf, 44251, fe800000000000000200f8fffe2167cf, 38024, 4b61e985, "
        + "02d1feef"
  })
  void thePublishedValues(
      String src, int srcPort, String dst, int dstPort, String addresses, String all) {
    parse(src, dst, 6, tcp(srcPort, dstPort));
    assertThat(hash(IPV4 | IPV6)).isEqualTo(addresses);
    assertThat(hash(ALL)).isEqualTo(all);
    parse(src, dst, 17, udp(srcPort, dstPort));
    assertThat(hash(IPV4 | IPV6 | TCP)).isEqualTo(addresses);
    assertThat(hash(ALL)).isEqualTo(all);
  }

  @Test
  void eachFieldIsHashedForItselfAndWhatTheFrameDoesNotHaveIsNot() {
    parse("420995bb", "a18e6450", 6, tcp(2794, 1766));
    String src = hash(RxHashFields.SRC_IPV4);
    assertThat(src).isNotEqualTo(hash(RxHashFields.DST_IPV4));
    assertThat(hash(RxHashFields.SRC_IPV4 | IPV6 | UDP)).isEqualTo(src);
    assertThat(hash(RxHashFields.SRC_PORT_TCP)).isNotEqualTo(hash(RxHashFields.DST_PORT_TCP));
    assertThat(hash(0)).isEqualTo("00000000");
    assertThat(hash(IPV6 | UDP)).isEqualTo("00000000");
    MemorySegment arp = bytes("ffffffffffff" + "020000000001" + "0806" + "0001");
    assertThat(frame.parse(arp, 0, (int) arp.byteSize())).isTrue();
    assertThat(hash(ALL)).isEqualTo("00000000");
  }

  private String hash(long fields) {
    return "%08x".formatted(new ToeplitzHash(KEY, fields).of(frame));
  }

  private static String tcp(int src, int dst) {
    return "%04x%04x".formatted(src, dst) + "0000000000000000" + "5000ffff00000000";
  }

  private static String udp(int src, int dst) {
    return "%04x%04x".formatted(src, dst) + "00080000";
  }

  private void parse(String src, String dst, int protocol, String upper) {
    boolean four = src.length() == 8;
    int payload = upper.length() / 2;
    String ip =
        four
            ? "4500%04x0000000040%02x0000".formatted(20 + payload, protocol)
            : "60000000%04x%02x40".formatted(payload, protocol);
    String type = four ? "0800" : "86dd";
    MemorySegment bytes = bytes("020000000002" + "020000000001" + type + ip + src + dst + upper);
    assertThat(frame.parse(bytes, 0, (int) bytes.byteSize())).isTrue();
    assertThat(frame.upper()).isEqualTo(protocol);
  }

  private static MemorySegment bytes(String hex) {
    byte[] heap = HexFormat.of().parseHex(hex);
    return MemorySegment.ofArray(heap);
  }
}
