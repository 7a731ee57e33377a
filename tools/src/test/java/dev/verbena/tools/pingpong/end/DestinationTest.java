package dev.verbena.tools.pingpong.end;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DestinationTest {
  private static final Destination EXAMPLE =
      new Destination(0, 0x11, 0x5f2a1c, Gid.parse("192.168.0.1"));

  @Test
  void aMessageIsTheExampleOfTheFormatWithItsNul() {
    assertThat(EXAMPLE.toMessage())
        .isEqualTo(ascii("0000:000011:5f2a1c:00000000000000000000ffffc0a80001\0"))
        .hasSize(52);
  }

  @Test
  void everyMessageHas52BytesWhateverTheValues() {
    Destination largest = new Destination(0xffff, 0xffffff, 0xffffff, new Gid(-1, -1));

    assertThat(largest.toMessage()).hasSize(52).endsWith((byte) 'f', (byte) 0);
    assertThat(new Destination(0, 0, 0, Gid.ZERO).toMessage()).hasSize(52);
  }

  @Test
  void whatWasWrittenIsReadBack() throws IOException {
    Destination ipv6 = new Destination(0xabcd, 0x123456, 0xfedcba, Gid.parse("fe80::1:2:3"));

    assertThat(Destination.parse(EXAMPLE.toMessage())).isEqualTo(EXAMPLE);
    assertThat(Destination.parse(ipv6.toMessage())).isEqualTo(ipv6);
  }

  @Test
  void shorterNumbersAreReadLikePaddedOnes() throws IOException {
    byte[] message = Arrays.copyOf(ascii("0:11:5F2A1C:00000000000000000000ffffc0a80001\0"), 52);

    assertThat(Destination.parse(message)).isEqualTo(EXAMPLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET / HTTP/1.1",
        "0000:000011:5f2a1c",
        "0000:000011:5f2a1c:00000000000000000000ffffc0a8000",
        "0000:000011:5f2a1c:00000000000000000000ffffc0a8000x",
        "0000:1000011:5f2a1c:00000000000000000000ffffc0a80001",
        "0000:-00011:5f2a1c:00000000000000000000ffffc0a80001",
        "00000:000011::00000000000000000000ffffc0a80001"
      })
  void anythingElseIsRefusedWithItsText(String text) {
    assertThatThrownBy(() -> Destination.parse(Arrays.copyOf(ascii(text), 52)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the peer sent '" + text + "'");
  }

  @Test
  void bytesThatATerminalCouldObeyAreNotQuoted() {
    assertThatThrownBy(() -> Destination.parse(new byte[] {27, '[', 'J', (byte) 0x9b}))
        .hasMessageContaining("'?[J?'");
  }

  @Test
  void theLinesAreThoseOfTheCProgram() {
    assertThat(EXAMPLE.line("local"))
        .isEqualTo(
            "  local address:  LID 0x0000, QPN 0x000011, PSN 0x5f2a1c, GID ::ffff:192.168.0.1");
    assertThat(new Destination(1, 2, 3, Gid.ZERO).line("remote"))
        .isEqualTo("  remote address: LID 0x0001, QPN 0x000002, PSN 0x000003, GID ::");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
