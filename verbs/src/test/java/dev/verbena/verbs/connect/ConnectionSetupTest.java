package dev.verbena.verbs.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The set-up of connections, without queue pairs: what goes by TCP, and what may go wrong. */
class ConnectionSetupTest extends ConnectionFixture {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void bothEndsGetTheOthersBytesOverBothVersionsOfIp(String address) throws Exception {
    try (ConnectionListener here = listener(address)) {
      Future<String> server =
          beside(
              () -> {
                try (ConnectionRequest request = here.getRequest();
                    Connection connection = request.accept(saying("pong"))) {
                  connection.awaitEnd();
                  return text(request.privateData());
                }
              });
      try (Connection client = Connection.connect(here.address(), saying("ping"))) {
        assertThat(text(client.privateData())).isEqualTo("pong");
        assertThat(client.remoteAddress()).isEqualTo(here.address());
        assertThat(client.qps()).isEmpty();
      }
      assertThat(result(server)).isEqualTo("ping");
    }
  }

  @Test
  void whatIsAddedToAParameterLaterIsOfNoConnectionBefore() {
    ConnParam param = ConnParam.of(moved(() -> true));
    List<QueuePair> before = param.qps();
    param.qp(moved(() -> true));
    assertThat(before).hasSize(1);
  }

  @Test
  void aConnectionThatIsOpenWhenItsServiceReturnsStaysOpen() throws Exception {
    BlockingQueue<Connection> accepted = new LinkedBlockingQueue<>();
    BlockingQueue<Thread> services = new LinkedBlockingQueue<>();
    Future<Void> server =
        listener.serveAsync(
            request -> {
              services.add(Thread.currentThread());
              accepted.add(request.accept(saying("served")));
            });
    try (Connection client = dial("client")) {
      Connection other = accepted.take();
      assertThat(services.take().join(LONG)).as("the service has returned").isTrue();
      listener.close();
      assertThat(result(server)).as("no service is left").isNull();
      Future<Boolean> end =
          beside(
              () -> {
                other.disconnect(LONG);
                return true;
              });
      client.disconnect(LONG);
      assertThat(result(end)).isTrue();
    }
  }

  @Test
  void theOtherEndLearnsWhyItWasRejected() throws Exception {
    Future<Boolean> server =
        beside(
            () -> {
              ConnectionRequest request = listener.getRequest();
              request.reject("closed\u001b[2J for today");
              assertThatIllegalStateException().isThrownBy(() -> request.accept(saying("")));
              return true;
            });
    assertThatThrownBy(() -> dial("client"))
        .isInstanceOf(ConnectionRefusedException.class)
        .hasMessage(listener.address() + " refused, in its words: closed?[2J for today");
    assertThat(result(server)).isTrue();
  }

  @Test
  void whoeverConnectsToAServiceThatFailsLearnsWhy() throws Exception {
    Future<Boolean> server =
        beside(
            () -> {
              listener.serve(
                  request -> {
                    switch (text(request.privateData())) {
                      case "fail" -> throw new IllegalArgumentException("no table of this name");
                      case "err" -> throw new AssertionError("this cannot happen");
                      case "accept and err" -> {
                        request.accept(saying("accepted"));
                        throw new AssertionError("this cannot happen");
                      }
                      default -> {}
                    }
                  });
              return true;
            });
    assertThatThrownBy(() -> dial("fail"))
        .hasMessage(listener.address() + " refused, in its words: no table of this name");
    assertThatThrownBy(() -> dial("leave"))
        .hasMessage(listener.address() + " refused, in its words: nobody has answered the request");
    assertThatThrownBy(() -> dial("err"))
        .hasMessage(listener.address() + " refused, in its words: this cannot happen");
    try (Connection accepted = dial("accept and err")) {
      assertThatThrownBy(accepted::awaitEnd).isInstanceOf(EOFException.class);
    }
    listener.close();
    assertThat(result(server)).isTrue();
  }

  @Test
  void aServerGoesOnBesideItsProgramUntilTheListenerIsClosed() throws Exception {
    Future<Void> server =
        listener.serveAsync(
            request -> {
              try (Connection connection = request.accept(saying("served"))) {
                connection.awaitEnd();
              }
            });
    for (int i = 0; i < 3; i++) {
      try (Connection client = dial("client " + i)) {
        assertThat(text(client.privateData())).isEqualTo("served");
      }
    }
    assertThat(server.isDone()).isFalse();
    listener.close();
    assertThat(result(server)).isNull();
  }

  @Test
  void whoeverIsServedSeesAnOrderlyEndWhenTheListenerIsClosed() throws Exception {
    CountDownLatch waiting = new CountDownLatch(10);
    BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();
    Future<Void> server =
        listener.serveAsync(
            request -> {
              try (Connection connection = request.accept(saying("served"))) {
                waiting.countDown();
                connection.awaitEnd();
              } catch (IOException e) {
                ends.add(e);
              }
            });
    List<Connection> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      // The service of the last one may still be waiting for READY.
      clients.add(dial("client"));
    }
    assertThat(waiting.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    listener.close();
    assertThat(result(server)).isNull();
    for (Connection client : clients) {
      client.awaitEnd();
      client.close();
    }
    assertThat(ends)
        .hasSize(20)
        .filteredOn(ConnectionClosedException.class::isInstance)
        .hasSizeGreaterThanOrEqualTo(10)
        .allSatisfy(
            e -> assertThat(e).hasMessageStartingWith("this end has closed the connection"));
  }

  /** It has its connection already, though the service has not. */
  @Test
  void anEndThatWasJustAcceptedSeesAnOrderlyEndWhenTheListenerIsClosed() throws Exception {
    Future<Void> server = listener.serveAsync(request -> request.accept(saying("")).close());
    try (Socket socket = stranger(header(1, 0, 0, 0))) {
      assertThat(socket.getInputStream().readNBytes(SetupMessage.HEADER))
          .isEqualTo(header(2, 0, 0, 0));
      listener.close();
      assertThat(socket.getInputStream().readAllBytes()).isEqualTo(header(4, 0, 0, 0));
    }
    assertThat(result(server)).isNull();
  }

  @Test
  void aServerBesideItsProgramThatCannotGoOnSaysSoAndStopsListening() throws Exception {
    ServerSocketChannel broken = ServerSocketChannel.open();
    broken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    // accept does not wait any more, which serve cannot deal with.
    broken.configureBlocking(false);
    try (ConnectionListener failing =
        new ConnectionListener(broken, (InetSocketAddress) broken.getLocalAddress())) {
      assertThat(failing.serveAsync(request -> {}))
          .failsWithin(LONG)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(NullPointerException.class);
      assertThat(failing.isOpen()).isFalse();
    }
  }

  @Test
  void neitherSilentNorUnrulyEndsHoldUpAServer() throws Exception {
    CountDownLatch served = new CountDownLatch(2);
    Future<Boolean> server =
        beside(
            () -> {
              listener.serve(
                  request -> {
                    try (Connection connection = request.accept(saying("served"))) {
                      served.countDown();
                      connection.awaitEnd();
                    }
                  });
              return true;
            });
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      silent.add(stranger());
      stranger(new byte[i]).close();
      stranger("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII)).close();
    }
    Connection one = dial("one");
    Connection two = dial("two");
    assertThat(served.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    one.disconnect(LONG);
    // Those that stay are told of the end when the listener is closed.
    listener.close();
    assertThat(result(server)).isTrue();
    two.awaitEnd();
    two.close();
    for (Socket socket : silent) {
      socket.close();
    }
  }

  @Test
  void aStrangerIsToldWhatIsExpected() throws Exception {
    Future<ConnectionRequest> request = beside(listener::getRequest);
    try (Socket socket = stranger("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII))) {
      assertThatThrownBy(() -> result(request))
          .cause()
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "/127\\.0\\.0\\.1:\\d+ sent 0x47455420 where a message begins with 0x5642434d;"
                  + " both ends must use dev\\.verbena\\.verbs\\.connect");
      assertThat(new String(socket.getInputStream().readNBytes(4), US_ASCII)).isEqualTo("VBCM");
    }
  }

  @Test
  void aStrangerCannotAskForMuchMemory() throws Exception {
    int[][] counts = {{257, 0, 0}, {0, 1025, 0}, {0, 0, 4097}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int[] each : counts) {
      Future<ConnectionRequest> request = beside(listener::getRequest);
      try (Socket socket = stranger(header(1, each[0], each[1], each[2]))) {
        assertThatThrownBy(() -> result(request))
            .cause()
            .hasMessageEndingWith(
                "sent a message with %d queue pairs, %d regions and %d bytes;"
                    + " the limits are 256, 1024 and 4096",
                each[0], each[1], each[2]);
        socket.shutdownOutput();
      }
    }
  }

  @Test
  void aStrangerCannotOfferLessThanNothing() throws Exception {
    Future<ConnectionRequest> request = beside(listener::getRequest);
    ByteBuffer message = ByteBuffer.allocate(SetupMessage.HEADER + 20);
    message.put(header(1, 0, 1, 0)).putLong(0x1000).putLong(Long.MIN_VALUE).putInt(7);
    try (Socket socket = stranger(message.array())) {
      assertThatThrownBy(() -> result(request))
          .cause()
          .hasMessageEndingWith(
              " sent a region that is none: remoteRegion: length -9223372036854775808 is negative"
                  + " (EINVAL: Invalid argument)");
      socket.shutdownOutput();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 6, -1})
  void aMessageOfAnUnknownKindIsNone(int kind) throws Exception {
    Future<ConnectionRequest> request = beside(listener::getRequest);
    try (Socket socket = stranger(header(kind, 0, 0, 0))) {
      assertThatThrownBy(() -> result(request))
          .cause()
          .hasMessageEndingWith("sent a message of kind " + kind + ", which does not exist");
      socket.shutdownOutput();
    }
  }

  @Test
  void aMessageOutOfTurnIsRefused() throws Exception {
    Future<ConnectionRequest> request = beside(listener::getRequest);
    try (Socket socket = stranger(header(3, 0, 0, 0))) {
      assertThatThrownBy(() -> result(request))
          .cause()
          .hasMessageEndingWith("sent READY, not REQUEST");
      socket.shutdownOutput();
    }
  }

  @Test
  void aListenerThatSaysNothingIsGivenUp() throws Exception {
    ConnParam param = new ConnParam().timeout(SHORT);
    assertThatThrownBy(() -> Connection.connect(listener.address(), param))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageStartingWith("no ACCEPT from " + listener.address() + " within 50 ms: ")
        .hasMessageContaining("does not call accept")
        .hasMessageEndingWith("no processor in time (ConnParam.timeout sets how long to wait)");
  }

  /** No write takes time, so none needs a limit: not even if the other end's window is small. */
  @Test
  void theLongestMessageCanBeWrittenToAnEndThatReadsNothing() throws Exception {
    QpEndpoint endpoint = new QpEndpoint(17, 3, Gid.parse("10.0.0.1"), 3, Mtu.MTU_1024);
    SetupMessage longest =
        new SetupMessage(
            Kind.REQUEST,
            Collections.nCopies(ConnParam.MAX_QPS, new RemoteQp(QpType.RC, endpoint, 0)),
            Collections.nCopies(ConnParam.MAX_REGIONS, new RemoteRegion(1, 2, 3)),
            new byte[ConnParam.MAX_PRIVATE_DATA]);
    assertThat(longest.encode().remaining()).isEqualTo(SetupMessage.MOST);

    try (ServerSocket silent = new ServerSocket()) {
      silent.setReceiveBufferSize(1);
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel client = SocketChannel.open(silent.getLocalSocketAddress());
      try (SetupChannel channel = SetupChannel.of(client);
          Socket unread = silent.accept()) {
        assertThat(unread.isConnected()).isTrue();
        assertThat(client.getOption(StandardSocketOptions.SO_SNDBUF))
            .isGreaterThanOrEqualTo(SetupMessage.MOST);
        client.configureBlocking(false);
        channel.write(longest);
        channel.write(SetupMessage.of(Kind.READY));
        channel.write(SetupMessage.of(Kind.END));
      }
    }
  }

  @Test
  void anEndThatBreaksOffInItsRequestIsGivenUp() throws Exception {
    listener.timeout(SHORT);
    Future<ConnectionRequest> request = beside(listener::getRequest);
    try (Socket socket = stranger(header(1, 1, 0, 0))) {
      assertThatThrownBy(() -> result(request))
          .cause()
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageMatching("no REQUEST from .* within 50 ms: .* not by Connection.connect");
      socket.shutdownOutput();
    }
  }

  @Test
  void whoeverFindsNoListenerLearnsWhere() throws Exception {
    InetSocketAddress closed = listener.address();
    listener.close();
    assertThatThrownBy(() -> dial("nobody"))
        .isInstanceOf(ConnectException.class)
        .hasMessage(closed + ": Connection refused");
  }

  @Test
  void aListenerThatIsClosedHasNoRequests() throws Exception {
    listener.close();
    String closed = "the listener at " + listener.address() + " is closed";
    assertThatThrownBy(listener::getRequest)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessage(closed);
    assertThatThrownBy(() -> listener.getRequest(Duration.ofSeconds(1)))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessage(closed);
    listener.serve(request -> {});
  }

  @Test
  void aMessageIsReadAsItWasWritten() throws Exception {
    RemoteQp rc =
        new RemoteQp(
            QpType.RC, new QpEndpoint(0x11, 0xffffff, Gid.parse("fd00::7"), 3, Mtu.MTU_4096), 0);
    RemoteQp ud =
        new RemoteQp(
            QpType.UD,
            new QpEndpoint(0xfffffe, 1, Gid.parse("10.0.0.1"), 0, Mtu.MTU_256, 0xbfff),
            0x80000001);
    List<RemoteRegion> regions =
        List.of(new RemoteRegion(-8, 1L << 40, -2), new RemoteRegion(0, 1, 3));
    ByteBuffer all =
        new SetupMessage(Kind.ACCEPT, List.of(rc, ud), regions, new byte[] {1, 2}).encode();
    ByteBuffer header = all.slice(0, SetupMessage.HEADER);
    ByteBuffer body = all.slice(SetupMessage.HEADER, all.limit() - SetupMessage.HEADER);
    assertThat(SetupMessage.bodyLength(header)).isEqualTo(body.remaining());
    SetupMessage read = SetupMessage.decode(header, body);
    assertThat(read.kind()).isEqualTo(Kind.ACCEPT);
    assertThat(read.qps()).containsExactly(rc, ud);
    assertThat(read.regions()).isEqualTo(regions);
    assertThat(read.bytes()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
  }

  @Test
  void whatExceedsALimitIsRefusedWhereItIsSet() {
    ConnParam param = new ConnParam();
    assertThatThrownBy(() -> param.privateData(new byte[4097]))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("4097 bytes of private data, the limit is 4096");
    assertThatThrownBy(() -> param.timeout(Duration.ZERO))
        .hasMessageContaining("a limit of PT0S leaves no time");
    assertThatThrownBy(() -> listener.timeout(Duration.ofNanos(-1)))
        .hasMessageContaining("a limit of PT-0.000000001S leaves no time");
  }

  @Test
  void bytesBeyondARemoteRegionHaveNoAddress() {
    RemoteRegion region = new RemoteRegion(1000, 100, 7);
    assertThat(region.addr(60, 40)).isEqualTo(1060);
    assertThat(region.addr(100, 0)).isEqualTo(1100);
    assertThatThrownBy(() -> region.addr(61, 40))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("40 bytes at offset 61 of a remote region of 100 bytes (EINVAL");
    assertThatThrownBy(() -> region.addr(-1, 1)).isInstanceOf(VerbsException.class);
    assertThatThrownBy(() -> region.addr(0, Long.MIN_VALUE)).isInstanceOf(VerbsException.class);
  }

  @Test
  void aConnectionHasNoOtherPortThanTheFirst() {
    assertThatThrownBy(() -> new ConnParam().attr(new QpAttr().portNum(2)))
        .hasMessageContaining("attr sets port 2, but a connection uses port 1 (EINVAL");
  }
}
