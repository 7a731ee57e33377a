package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkTypeTest {
  private static final String MACS = "020000000002" + "020000000001";

  @ParameterizedTest
  @CsvSource({
    "1, 0800, 14",
    "1, 86dd, 14",
    "1, 810000070800, 18",
    "1, 88a80005810000070800, 22",
    "1, 0806, -1",
    "1, 81000007, -1",
    "1, 810000070806, -1",
    "1, 08, -1",
  })
  void ethernetIsReadWithAndWithoutVlanTags(int linkType, String type, long ip) {
    assertThat(ipOffset(linkType, MACS + type)).isEqualTo(ip);
  }

  @ParameterizedTest
  @CsvSource({
    "101, 45, 0",
    "228, 45, 0",
    "229, 60, 0",
    "0, 02000000, 4",
    "108, 00000002, 4",
    "0, 020000, -1",
    "113, 00000304000600000000000000000800, 16",
    "113, 000003040006000000000000000086dd, 16",
    "113, 00000304000600000000000000008100000786dd, 20",
    "113, 000003040006000000000000000008, -1",
    "276, 0800000000000001030400060000000000000000, 20",
    "276, 86dd000000000001030400060000000000000000, 20",
    "276, 8100000000000001030400060000000000000000000786dd, 24",
    "276, 0806000000000001030400060000000000000000, -1",
    "276, 08000000000000010304000600000000000000, -1",
    "9999, 45, -1",
  })
  void otherHeadersBeforeIpAreRead(int linkType, String header, long ip) {
    assertThat(ipOffset(linkType, header)).isEqualTo(ip);
  }

  @Test
  void linuxTellsWhatLeavesByTheLoopbackFromWhatArrives() {
    MemorySegment leaves = Hex.segment("00040304000600000000000000000800");
    MemorySegment arrives = Hex.segment("00000304000600000000000000000800");
    MemorySegment ethernet = Hex.segment("00040001000600000000000000000800");

    assertThat(LinkType.leavesByLoopback(113, leaves, 0, 16)).isTrue();
    assertThat(LinkType.arrivesByLoopback(113, leaves, 0, 16)).isFalse();
    assertThat(LinkType.arrivesByLoopback(113, arrives, 0, 16)).isTrue();
    assertThat(LinkType.leavesByLoopback(113, ethernet, 0, 16)).isFalse();
    assertThat(LinkType.leavesByLoopback(113, leaves, 0, 15)).isFalse();
    assertThat(LinkType.leavesByLoopback(1, leaves, 0, 16)).isFalse();
    MemorySegment second = Hex.segment("0800000000000001030404060000000000000000");
    assertThat(LinkType.leavesByLoopback(276, second, 0, 20)).isTrue();
  }

  /** The frame starts at 3, so that offsets count. */
  private static long ipOffset(int linkType, String hex) {
    MemorySegment frame = Hex.segment("ffffff" + hex);
    long ip = LinkType.ipOffset(linkType, frame, 3, frame.byteSize() - 3);
    return ip < 0 ? ip : ip - 3;
  }
}
