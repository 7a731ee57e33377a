package dev.verbena.verbs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exchange of connection data over a real TCP connection. */
@Timeout(30)
class ConnectionDataTest {
  private static final int SOCKET_TIMEOUT_MILLIS = 20_000;
  private static final ConnectionData OURS =
      new ConnectionData(
          new QpEndpoint(0x11, 0xffffff, Gid.parse("10.77.0.1"), 3, Mtu.MTU_4096),
          0x7fff_0000_1234_5678L,
          1L << 40,
          0x80001122);
  private static final ConnectionData THEIRS =
      new ConnectionData(
          new QpEndpoint(0xfffffe, 0, Gid.parse("fe80::1"), 0, Mtu.MTU_256, 0xbfff), 0, 0, 0);

  private Socket near;
  private Socket far;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      near = new Socket(server.getInetAddress(), server.getLocalPort());
      far = server.accept();
      near.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
      far.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    near.close();
    far.close();
  }

  @Test
  void bothSidesGetWhatTheOtherGave() throws Exception {
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<ConnectionData> atFar = pool.submit(() -> ConnectionData.exchange(far, THEIRS));
      assertThat(ConnectionData.exchange(near, OURS)).isEqualTo(THEIRS);
      assertThat(atFar.get(SOCKET_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(OURS);
    }
  }

  @Test
  void theSocketStaysOpenAndNothingBehindTheDataIsTaken() throws Exception {
    far.getOutputStream().write(message().array());
    far.getOutputStream().write('x');
    assertThat(ConnectionData.exchange(near, OURS)).isEqualTo(THEIRS);
    assertThat(near.isClosed()).isFalse();
    assertThat(near.getInputStream().read()).isEqualTo('x');
  }

  @Test
  void itReads60BigEndianBytesHoweverTheyArrive() throws Exception {
    far.setTcpNoDelay(true);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<ConnectionData> atNear = pool.submit(() -> ConnectionData.exchange(near, OURS));
      for (byte b : message().array()) {
        far.getOutputStream().write(b);
      }
      assertThat(atNear.get(SOCKET_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(THEIRS);
    }
    ByteBuffer sent = ByteBuffer.wrap(far.getInputStream().readNBytes(60));
    assertThat(sent.getInt()).isEqualTo(0x56424e32);
    assertThat(sent.getInt()).isEqualTo(0x11);
    assertThat(sent.getInt()).isEqualTo(0xffffff);
    assertThat(Gid.parse("10.77.0.1").toBytes()).isEqualTo(gid(sent));
    assertThat(sent.getInt()).isEqualTo(3);
    assertThat(sent.getInt()).isEqualTo(5);
    assertThat(sent.getInt()).isZero();
    assertThat(sent.getLong()).isEqualTo(0x7fff_0000_1234_5678L);
    assertThat(sent.getLong()).isEqualTo(1L << 40);
    assertThat(sent.getInt()).isEqualTo(0x80001122);
  }

  @Test
  void aPeerThatBreaksOffIsNamedWithWhatItSent() throws Exception {
    far.getOutputStream().write(message().array(), 0, 12);
    far.shutdownOutput();
    assertThatThrownBy(() -> ConnectionData.exchange(near, OURS))
        .isInstanceOf(EOFException.class)
        .hasMessage(
            "peer %s closed the connection after 12 of 60 bytes of connection data",
            near.getRemoteSocketAddress());
  }

  @Test
  void aPeerThatSpeaksSomethingElseIsNotWaitedFor() throws Exception {
    far.getOutputStream().write("SSH-".getBytes(US_ASCII));
    assertThatThrownBy(() -> ConnectionData.exchange(near, OURS))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "peer %s sent 0x5353482d where connection data starts with 0x56424e32",
            near.getRemoteSocketAddress());
  }

  @Test
  void numbersOutOfRangeAreAnIoError() throws Exception {
    far.getOutputStream().write(message().putInt(4, 0x1000000).array());
    assertThatThrownBy(() -> ConnectionData.exchange(near, OURS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sent QPN 0x1000000, PSN 0x0, MTU number 1");
    far.getOutputStream().write(message().putInt(32, 6).array());
    assertThatThrownBy(() -> ConnectionData.exchange(near, OURS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("MTU number 6, LID 0xbfff: not 24 bits, 24 bits, 1 to 5, 16 bits");
    far.getOutputStream().write(message().putInt(36, 0x10000).array());
    assertThatThrownBy(() -> ConnectionData.exchange(near, OURS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("LID 0x10000");
  }

  @Test
  void theBytesAreThoseThatGoOverTheSocket() {
    assertThat(THEIRS.toBytes()).isEqualTo(message().array());
    assertThat(ConnectionData.ofBytes(message().array())).isEqualTo(THEIRS);
    assertThat(ConnectionData.ofBytes(OURS.toBytes())).isEqualTo(OURS);
  }

  @Test
  void bytesThatAreNoConnectionDataAreEinval() {
    assertThatThrownBy(() -> ConnectionData.ofBytes(new byte[59]))
        .hasMessage("connectionData: 59 bytes, not 60 (EINVAL: Invalid argument)");
    assertThatThrownBy(() -> ConnectionData.ofBytes(new byte[60]))
        .hasMessageContaining("0x00000000 where connection data starts with 0x56424e32");
    assertThatThrownBy(() -> ConnectionData.ofBytes(message().putInt(8, -1).array()))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("PSN 0xffffffff");
  }

  @Test
  void dataOfAQueuePairAndARegionCarriesBoth() {
    QueuePair qp = Stubs.of(QueuePair.class, Map.of("endpoint", args -> OURS.endpoint()));
    MemoryRegion region =
        Stubs.of(
            MemoryRegion.class,
            Map.of("addr", args -> 0x1000L, "length", args -> 64L, "rkey", args -> 7));
    assertThat(ConnectionData.of(qp, region))
        .isEqualTo(new ConnectionData(OURS.endpoint(), 0x1000, 64, 7));
    assertThat(ConnectionData.of(qp)).isEqualTo(new ConnectionData(OURS.endpoint(), 0, 0, 0));
  }

  /** THEIRS as it goes over the wire. */
  private static ByteBuffer message() {
    return ByteBuffer.allocate(60)
        .putInt(0x56424e32)
        .putInt(0xfffffe)
        .putInt(0)
        .put(Gid.parse("fe80::1").toBytes())
        .putInt(0)
        .putInt(1)
        .putInt(0xbfff);
  }

  private static byte[] gid(ByteBuffer from) {
    byte[] raw = new byte[16];
    from.get(raw);
    return raw;
  }
}
