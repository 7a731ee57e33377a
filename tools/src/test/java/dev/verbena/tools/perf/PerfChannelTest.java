package dev.verbena.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tools.kit.SideChannel;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.BandwidthResult;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The peer is played by a bare socket, which has said its part before it is asked. */
final class PerfChannelTest {
  private static final PerfKey KEY = new PerfKey(0, 1, 2, 3, 4, 5, Gid.parse("127.0.0.1"));
  private static final String VERSION = "362e3036" + "00".repeat(12);

  private ServerSocket listener;
  private Socket peer;
  private PerfChannel channel;

  @BeforeEach
  void connect() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    peer = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    channel = new PerfChannel(new SideChannel(listener.accept(), Duration.ofSeconds(20)), true);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
    peer.close();
    listener.close();
  }

  @Test
  void theVersionIsThatOfPerftest45() throws Exception {
    say(VERSION);
    channel.exchangeVersions();

    assertThat(heard(16)).isEqualTo(VERSION);
  }

  @ParameterizedTest
  @CsvSource({"5.69, 'the peer has version 5.69'", "six, the peer says 'six'"})
  void anotherVersionIsRefused(String version, String message) throws Exception {
    say(HexFormat.of().formatHex(version.getBytes(StandardCharsets.US_ASCII)) + "00".repeat(16));

    assertThatThrownBy(channel::exchangeVersions)
        .isInstanceOfAny(IOException.class, ToolException.class)
        .hasMessageContaining(message.replace("'the", "the"));
  }

  @ParameterizedTest
  @CsvSource({"00001000, 4096", "00010000, 65536", "00000200, 4096"})
  void theLargerNumberCounts(String theirs, int agreed) throws Exception {
    say(theirs);

    assertThat(channel.exchangeMost(4096, "its page size")).isEqualTo(agreed);
    assertThat(heard(4)).isEqualTo("00001000");
  }

  @ParameterizedTest
  @CsvSource({"3500, MTU_2048", "3300, MTU_1024", "3400, MTU_2048"})
  void theSmallerMtuCounts(String theirs, Mtu agreed) throws Exception {
    say(theirs);

    assertThat(channel.exchangeMtu(Mtu.MTU_2048)).isEqualTo(agreed);
    assertThat(heard(2)).isEqualTo("3400");
  }

  @Test
  void anMtuThatIsNoneIsQuoted() throws Exception {
    say("3900");

    assertThatThrownBy(() -> channel.exchangeMtu(Mtu.MTU_2048))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the peer says '9'");
  }

  @Test
  void aResultIsFiveNumbersInNetworkOrder() throws Exception {
    String iterations = "0000000000001388";
    say("0000000000010000" + iterations + "3ff8000000000000" + "0000000000000000".repeat(2));

    BandwidthResult theirs =
        channel.exchangeResults(new BandwidthResult(65536, 5000, 2, 1.5, -0.0));

    assertThat(theirs).isEqualTo(new BandwidthResult(65536, 5000, 1.5, 0, 0));
    assertThat(heard(40))
        .isEqualTo(
            "0000000000010000"
                + iterations
                + "4000000000000000"
                + "3ff8000000000000"
                + "8000000000000000");
  }

  @Test
  void theGoodbyeIsAKeyAndDone() throws Exception {
    String key = HexFormat.of().formatHex(KEY.toMessage());
    say(key);
    channel.sayDone(KEY);

    assertThat(heard(113)).isEqualTo(key + "646f6e6500");
  }

  @Test
  void aServerSpeaksSecond() throws Exception {
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port.getLocalPort());
        PerfChannel server =
            new PerfChannel(new SideChannel(port.accept(), Duration.ofMillis(20)), false)) {
      assertThatThrownBy(server::exchangeVersions).hasMessageContaining("did not send its version");
      assertThat(client.getInputStream().available()).isZero();
    }
  }

  private void say(String hex) throws IOException {
    peer.getOutputStream().write(HexFormat.of().parseHex(hex));
  }

  private String heard(int bytes) throws IOException {
    return HexFormat.of().formatHex(peer.getInputStream().readNBytes(bytes));
  }
}
