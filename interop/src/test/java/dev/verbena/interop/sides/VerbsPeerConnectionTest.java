package dev.verbena.interop.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The line protocol, with a peer that gives predefined answers. */
class VerbsPeerConnectionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stopListening() throws IOException {
    server.close();
  }

  @Test
  void aCommandIsOneLineAndItsAnswerHasValues() throws IOException {
    try (VerbsPeerConnection peer = peerAnswering("ok qpn=17 addr=0xffffffffffff0000 gid=00ff")) {
      Answer answer = peer.ask("open gid=1");
      assertThat(answer.number("qpn")).isEqualTo(17);
      assertThat(answer.number("addr")).isEqualTo(0xffffffffffff0000L);
      assertThat(answer.text("gid")).isEqualTo("00ff");
      assertThat(answer.has("rkey")).isFalse();
      assertThatThrownBy(() -> answer.number("rkey"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("lacks rkey=");
      assertThat(asked).containsExactly("open gid=1");
    }
  }

  @Test
  void answersComeInTheOrderOfTheCommands() throws IOException {
    try (VerbsPeerConnection peer = peerAnswering("ok", "ok none=1")) {
      assertThat(peer.ask("fill len=1 seed=2").values()).isEmpty();
      assertThat(peer.ask("poll").has("none")).isTrue();
    }
  }

  @Test
  void aRefusalCarriesErrnoAndText() throws IOException {
    try (VerbsPeerConnection peer = peerAnswering("error errno=22 text=mtu=7 is none of them")) {
      assertThatExceptionOfType(VerbsPeerException.class)
          .isThrownBy(() -> peer.ask("connect mtu=7"))
          .withMessageContaining("'connect mtu=7'")
          .withMessageContaining("mtu=7 is none of them")
          .satisfies(e -> assertThat(e.errno()).isEqualTo(22));
    }
  }

  @Test
  void nonsenseIsNoAnswer() throws IOException {
    try (VerbsPeerConnection peer = peerAnswering("okay", "ok novalue", "error text=")) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> peer.ask("query")).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aPeerThatHangsUpIsAnError() throws IOException {
    try (VerbsPeerConnection peer = peerAnswering()) {
      assertThatThrownBy(() -> peer.ask("query")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aSilentPeerIsGivenUpAndItsLateAnswerIsNotTakenForAnother() throws IOException {
    // Nobody accepts: the kernel's backlog takes the connection, and there is no answer.
    try (VerbsPeerConnection peer = new VerbsPeerConnection(address(), Duration.ofMillis(50))) {
      assertThatThrownBy(() -> peer.ask("query")).hasMessageContaining("no answer in time");
      assertThatThrownBy(() -> peer.ask("query")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anUnreachablePeerIsNamed() throws IOException {
    server.close();
    assertThatThrownBy(() -> new VerbsPeerConnection(address(), PATIENCE).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot reach verbs_peer.py at")
        .hasMessageContaining(String.valueOf(server.getLocalPort()));
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
  }

  /** A connection to a peer that reads a line for each of these answers, then hangs up. */
  private VerbsPeerConnection peerAnswering(String... answers) throws IOException {
    VerbsPeerConnection connection = new VerbsPeerConnection(address(), PATIENCE);
    Thread.ofPlatform().daemon().start(() -> serve(answers));
    return connection;
  }

  private void serve(String... answers) {
    try (Socket socket = server.accept();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String answer : answers) {
        String line = in.readLine();
        if (line == null) {
          return;
        }
        asked.add(line);
        socket.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      asked.add(e.toString());
    }
  }
}
