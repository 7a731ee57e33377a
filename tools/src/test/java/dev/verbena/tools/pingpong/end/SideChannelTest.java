package dev.verbena.tools.pingpong.end;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tools.kit.SideChannel;
import dev.verbena.tools.kit.SideChannelServer;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The peer is played by bare sockets that read and write as the C programs do. */
final class SideChannelTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
  private static final Destination HERE = new Destination(0, 0x11, 0x22, Gid.parse("127.0.0.1"));
  private static final Destination THERE = new Destination(0, 0x33, 0x44, Gid.parse("127.0.0.2"));

  @Test
  void aClientIsReadByOneReadPerMessage() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<byte[]> done =
          CompletableFuture.supplyAsync(
              () -> {
                try (Socket peer = listener.accept()) {
                  byte[] first = readOnce(peer);
                  peer.getOutputStream().write(THERE.toMessage());
                  byte[] second = readOnce(peer);
                  assertThat(first).isEqualTo(HERE.toMessage());
                  return second;
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      try (SideChannel channel =
          SideChannel.connect("localhost", listener.getLocalPort(), PATIENCE)) {
        channel.send(HERE.toMessage());
        assertThat(receive(channel)).isEqualTo(THERE);
        channel.send(DONE);
      }
      assertThat(done.get(20, TimeUnit.SECONDS)).isEqualTo(DONE);
    }
  }

  @Test
  void aServerTakesAMessageThatComesInPieces() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SideChannel channel = server.accept(PATIENCE)) {
      CompletableFuture<Destination> received =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return receive(channel);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      peer.setTcpNoDelay(true);
      OutputStream out = peer.getOutputStream();
      for (byte each : THERE.toMessage()) {
        out.write(each);
      }
      assertThat(received.get(20, TimeUnit.SECONDS)).isEqualTo(THERE);

      channel.send(HERE.toMessage());
      assertThat(readOnce(peer)).isEqualTo(HERE.toMessage());
    }
  }

  @Test
  void aPeerThatHangsUpIsNamedWithWhatIsMissing() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SideChannel channel = server.accept(PATIENCE)) {
      peer.getOutputStream().write(new byte[7]);
      peer.shutdownOutput();

      assertThatThrownBy(() -> receive(channel))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("after 7 of the 52 bytes");
    }
  }

  @Test
  void aSilentPeerIsNotWaitedForForEver() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SideChannel channel = server.accept(Duration.ofMillis(20))) {
      assertThatThrownBy(() -> receive(channel))
          .isInstanceOf(ToolException.class)
          .hasMessageContaining(peer.getLocalPort() + " did not send its address within 20 ms");
    }
  }

  @Test
  void anEndThatHasEverythingStaysUntilItsPeerHasToo() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SideChannel channel = server.accept(PATIENCE)) {
      CompletableFuture<Void> parted =
          CompletableFuture.runAsync(
              () -> {
                try {
                  channel.part();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      assertThat(peer.getInputStream().read()).isEqualTo(-1);
      assertThat(parted).isNotDone();
      peer.shutdownOutput();
      parted.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aPeerThatLeavesWithoutAWordIsNotWaitedFor() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1)) {
      Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.port());
      try (SideChannel channel = server.accept(PATIENCE)) {
        peer.setSoLinger(true, 0);
        peer.close();
        channel.part();
      }
    }
  }

  @Test
  void aPortInUseIsNamedWithTheOptionForAnother() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1)) {
      assertThatThrownBy(() -> SideChannelServer.listen(server.port(), 1))
          .isInstanceOf(ToolException.class)
          .hasMessageContaining("TCP port " + server.port())
          .hasMessageContaining("--port");
    }
  }

  @Test
  void onlyOneClientIsTaken() throws Exception {
    try (SideChannelServer server = SideChannelServer.listen(0, 1);
        Socket first = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SideChannel channel = server.acceptOnly(PATIENCE)) {
      channel.send(HERE.toMessage());
      assertThat(readOnce(first)).isEqualTo(HERE.toMessage());
      assertThatThrownBy(
              () -> SideChannel.connect("127.0.0.1", first.getPort(), Duration.ofSeconds(2)))
          .isInstanceOf(ToolException.class)
          .hasMessageContaining("couldn't connect to 127.0.0.1:" + first.getPort());
    }
  }

  private static Destination receive(SideChannel channel) throws IOException {
    return Destination.parse(channel.receive(Destination.MESSAGE_BYTES, "its address"));
  }

  /** As read(fd, message, 52): whatever one read brings. */
  private static byte[] readOnce(Socket peer) throws IOException {
    byte[] buffer = new byte[Destination.MESSAGE_BYTES];
    int length = peer.getInputStream().read(buffer);
    return Arrays.copyOf(buffer, Math.max(length, 0));
  }
}
