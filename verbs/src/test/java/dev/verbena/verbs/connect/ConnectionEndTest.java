package dev.verbena.verbs.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.connect.SetupChannel.Patience;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How connections end, without queue pairs on a device: what each end learns of the other. */
class ConnectionEndTest extends ConnectionFixture {
  @Test
  void bothEndsDisconnectTogether() throws Exception {
    Future<Boolean> server =
        beside(
            () -> {
              listener.getRequest().accept(saying("server")).disconnect(LONG);
              return true;
            });
    Connection client = dial("client");
    client.disconnect(LONG);
    client.awaitEnd();
    assertThat(result(server)).isTrue();
  }

  @Test
  void theEndIsToldOnce() throws Exception {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    Future<Boolean> server =
        beside(
            () -> {
              listener.getRequest().accept(saying("")).disconnect(forEver);
              return true;
            });
    try (Socket socket = stranger(header(1, 0, 0, 0))) {
      socket.getOutputStream().write(header(3, 0, 0, 0));
      socket.getOutputStream().write(header(4, 0, 0, 0));
      assertThat(result(server)).isTrue();
      byte[] told = socket.getInputStream().readAllBytes();
      ByteBuffer acceptAndEnd = ByteBuffer.allocate(2 * SetupMessage.HEADER);
      assertThat(told)
          .isEqualTo(acceptAndEnd.put(header(2, 0, 0, 0)).put(header(4, 0, 0, 0)).array());
    }
  }

  @Test
  void anEndThatDoesNotDisconnectIsWaitedForNoLongerThanWasSaid() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    assertThatThrownBy(() -> client.disconnect(SHORT))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageStartingWith("no END from " + listener.address() + " within 50 ms: ")
        .hasMessageContaining("neither calls disconnect nor closes");
    Connection other = result(server);
    other.awaitEnd();
    other.close();
  }

  @Test
  void anEndThatGoesWithoutAWordIsNoOrderlyEnd() throws Exception {
    byte[] request = header(1, 0, 0, 0);
    Future<Connection> server = accepting();
    try (Socket socket = stranger(request)) {
      assertThat(socket.getInputStream().readNBytes(SetupMessage.HEADER + "server".length()))
          .isEqualTo(
              ByteBuffer.allocate(SetupMessage.HEADER + "server".length())
                  .put(header(2, 0, 0, "server".length()))
                  .put("server".getBytes(US_ASCII))
                  .array());
      socket.getOutputStream().write(header(3, 0, 0, 0));
    }
    try (Connection connection = result(server)) {
      assertThatThrownBy(connection::awaitEnd)
          .isInstanceOf(EOFException.class)
          .hasMessageEndingWith(" has gone: its TCP connection ended without a word");
    }
  }

  @Test
  void closingAConnectionEndsTheWaitForTheOtherEnd() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    Future<Boolean> wait =
        beside(
            () -> {
              client.awaitEnd();
              return true;
            });
    client.close();
    client.close();
    assertThatThrownBy(() -> result(wait))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .satisfies(this::saysThatThisEndHasClosed);
    assertThatThrownBy(client::awaitEnd).satisfies(this::saysThatThisEndHasClosed);
    result(server).close();
  }

  /**
   * Some answer so soon that their answers are there before this end's TCP connection is closed.
   */
  @Test
  void servicesAreToldThatTheirListenerWasClosedHoweverSoonTheOtherEndsAnswer() throws Exception {
    int clients = 40;
    Queue<Object> ends = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> served =
        listener.serveAsync(
            request -> {
              try (Connection connection = request.accept(saying("server"))) {
                connection.awaitEnd();
                ends.add("the client has ended");
              } catch (ConnectionClosedException e) {
                ends.add(e.getClass());
              }
            });
    CountDownLatch connected = new CountDownLatch(clients);
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      waiting.add(Thread.startVirtualThread(() -> answerTheEnd(connected)));
    }
    connected.await();
    listener.close();
    served.get(LONG.toSeconds(), TimeUnit.SECONDS);
    for (Thread each : waiting) {
      each.join();
    }
    assertThat(ends).hasSize(clients).containsOnly(ConnectionClosedException.class);
  }

  private void answerTheEnd(CountDownLatch connected) {
    try (Connection connection = dial("client")) {
      connected.countDown();
      connection.awaitEnd();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void saysThatThisEndHasClosed(Throwable failure) {
    assertThat(failure)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessage("this end has closed the connection to " + listener.address());
  }

  @Test
  void whoeverWaitsForTheEndAfterClosingIsToldTheSame() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    result(server).close();
    client.close();
    assertThatThrownBy(client::awaitEnd).satisfies(this::saysThatThisEndHasClosed);
    assertThatThrownBy(() -> client.disconnect(LONG)).satisfies(this::saysThatThisEndHasClosed);
  }

  @Test
  void theWaitForTheEndMayHaveALimit() throws Exception {
    Future<Connection> server = accepting();
    try (Connection client = dial("client")) {
      assertThat(client.awaitEnd(SHORT)).isFalse();
      assertThat(client.awaitEnd(Duration.ofNanos(1))).isFalse();
      result(server).close();
      assertThat(client.awaitEnd(LONG)).isTrue();
      assertThat(client.awaitEnd(Duration.ofNanos(1))).isTrue();
      client.awaitEnd();
      for (Duration none : List.of(Duration.ZERO, LONG.negated())) {
        assertThatThrownBy(() -> client.awaitEnd(none))
            .isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
      }
    }
  }

  @Test
  void aWaitWithALimitGoesOnWhereTheLastOneStopped() throws Exception {
    byte[] end = header(4, 0, 0, 0);
    Future<Connection> server = accepting();
    try (Socket socket = stranger(header(1, 0, 0, 0))) {
      socket.getOutputStream().write(header(3, 0, 0, 0));
      try (Connection connection = result(server)) {
        socket.getOutputStream().write(end, 0, 7);
        assertThat(connection.awaitEnd(SHORT)).isFalse();
        socket.getOutputStream().write(end, 7, end.length - 7);
        assertThat(connection.awaitEnd(LONG)).isTrue();
      }
    }
  }

  @Test
  void aWaitWithALimitTellsOfALossAndOfTheOwnEnd() throws Exception {
    Future<Connection> server = accepting();
    try (Socket socket = stranger(header(1, 0, 0, 0))) {
      int answer = SetupMessage.HEADER + "server".length();
      assertThat(socket.getInputStream().readNBytes(answer)).hasSize(answer);
      socket.getOutputStream().write(header(3, 0, 0, 0));
    }
    try (Connection connection = result(server)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> connection.awaitEnd(LONG))
            .isInstanceOf(EOFException.class)
            .hasMessageEndingWith(" has gone: its TCP connection ended without a word");
      }
    }
    Future<Connection> other = accepting();
    Connection client = dial("client");
    client.close();
    assertThatThrownBy(() -> client.awaitEnd(LONG)).satisfies(this::saysThatThisEndHasClosed);
    result(other).close();
  }

  @Test
  void aWaitWithALimitWaitsNoLongerThoughTheEndIsWatched() throws Exception {
    Future<Connection> server = accepting();
    try (Connection client = dial("client").closeOnEnd()) {
      assertThat(client.awaitEnd(SHORT)).isFalse();
      result(server).close();
      assertThat(client.awaitEnd(LONG)).isTrue();
    }
  }

  @Test
  void anInterruptedThreadStillTellsTheEnd() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    Future<Boolean> interrupted =
        beside(
            () -> {
              Thread.currentThread().interrupt();
              client.close();
              return Thread.interrupted();
            });
    assertThat(result(interrupted)).isTrue();
    try (Connection other = result(server)) {
      other.awaitEnd();
    }
  }

  @Test
  void anInterruptEndsTheWaitForTheEndAlsoWhileItIsWatched() throws Exception {
    Future<Connection> server = accepting();
    try (Connection client = dial("client").closeOnEnd()) {
      Future<Boolean> interrupted =
          beside(
              () -> {
                Thread.currentThread().interrupt();
                client.awaitEnd();
                return true;
              });
      assertThatThrownBy(() -> result(interrupted)).cause().isInstanceOf(IOException.class);
    }
    result(server).close();
  }

  /** A connection of these queue pairs, to which nobody else belongs. */
  private Connection withQps(QueuePair... qps) throws IOException {
    SetupChannel channel = SetupChannel.dial(listener.address(), Patience.of(LONG));
    return new Connection(channel, List.of(qps), SetupMessage.of(Kind.ACCEPT));
  }

  @Test
  void aQueuePairThatCannotBeMovedKeepsNoOtherFromItsEnd() throws IOException {
    List<String> ended = new ArrayList<>();
    Callable<Boolean> fails =
        () -> {
          throw new VerbsException("modifyQp", Errno.EIO, "the device has gone");
        };
    Connection connection =
        withQps(moved(fails), moved(fails), moved(() -> ended.add("the third")));
    assertThatThrownBy(connection::close)
        .hasMessageContaining("the device has gone")
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    assertThat(ended).containsExactly("the third");
    connection.close();
    assertThat(ended).hasSize(1);
  }

  @Test
  void whoeverClosesSecondWaitsForTheFirst() throws Exception {
    CountDownLatch moving = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Connection connection =
        withQps(
            moved(
                () -> {
                  moving.countDown();
                  goOn.await();
                  return order.add("moved");
                }));
    Future<Boolean> first =
        beside(
            () -> {
              connection.close();
              return true;
            });
    moving.await();
    Thread second =
        Thread.ofPlatform()
            .start(
                () -> {
                  connection.close();
                  order.add("closed");
                });
    // Whoever does not wait ends.
    while (second.getState() != Thread.State.WAITING && second.isAlive()) {
      Thread.onSpinWait();
    }
    goOn.countDown();
    second.join();
    assertThat(order).containsExactly("moved", "closed");
    assertThat(result(first)).isTrue();
  }

  @Test
  void aConnectionThatClosesOnEndIsClosedWhenTheOtherEndHasEnded() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    Connection other = result(server);
    assertThat(other.closeOnEnd().closeOnEnd()).isSameAs(other);
    client.disconnect(LONG);
    other.awaitEnd();
    other.awaitEnd();
  }

  @Test
  void aConnectionThatClosesOnEndTellsHowTheOtherEndWasLost() throws Exception {
    Future<Connection> server = beside(() -> listener.getRequest().accept(saying("")));
    try (Socket socket = stranger(header(1, 0, 0, 0))) {
      // TCP resets a connection of which something is unread when it is closed.
      assertThat(socket.getInputStream().readNBytes(SetupMessage.HEADER))
          .isEqualTo(header(2, 0, 0, 0));
      socket.getOutputStream().write(header(3, 0, 0, 0));
      result(server).closeOnEnd();
    }
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(result(server)::awaitEnd)
          .isInstanceOf(EOFException.class)
          .hasMessageEndingWith(" has gone: its TCP connection ended without a word");
    }
  }

  @Test
  void bothEndsDisconnectTogetherThoughOneClosesOnEnd() throws Exception {
    for (int i = 0; i < 100; i++) {
      Future<Boolean> server =
          beside(
              () -> {
                listener.getRequest().accept(saying("server")).closeOnEnd().disconnect(LONG);
                return true;
              });
      dial("client").disconnect(LONG);
      assertThat(result(server)).isTrue();
    }
  }

  @Test
  void disconnectWaitsNoLongerThanWasSaidThoughTheEndIsWatched() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client").closeOnEnd();
    assertThatThrownBy(() -> client.disconnect(SHORT))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageStartingWith("no END from " + listener.address() + " within 50 ms: ")
        .hasMessageContaining("neither calls disconnect nor closes");
    result(server).close();
  }

  @Test
  void whoeverClosesAConnectionThatClosesOnEndEndsItsWatch() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client").closeOnEnd();
    client.close();
    assertThatThrownBy(client::awaitEnd).isInstanceOf(IOException.class);
    Connection other = result(server);
    other.awaitEnd();
    other.close();
  }

  @Test
  void theEndIsWatchedByASelectorOrByTheConnectionItself() throws Exception {
    Future<Connection> server = accepting();
    try (Selector selector = Selector.open();
        Connection client = dial("client");
        Connection other = result(server)) {
      client.closeOnEnd();
      assertThatIllegalStateException().isThrownBy(() -> client.registerEnd(selector, null));
      other.registerEnd(selector, null);
      assertThatIllegalStateException().isThrownBy(other::closeOnEnd);
    }
  }

  @Test
  void aSelectorTellsOfTheEnd() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    try (Selector selector = Selector.open();
        Connection other = result(server)) {
      other.registerEnd(selector, "the client");
      client.close();
      assertThat(selector.select(LONG.toMillis())).isOne();
      assertThat(selector.selectedKeys())
          .allSatisfy(key -> assertThat(key.attachment()).isEqualTo("the client"));
    }
  }

  @Test
  void aSelectorThatTellsOfTheEndLetsTheProgramAskForIt() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    try (Selector selector = Selector.open();
        Connection other = result(server)) {
      assertThatIllegalStateException().isThrownBy(other::checkEnd);
      other.registerEnd(selector, null);
      assertThat(other.checkEnd()).isFalse();
      client.close();
      assertThat(selector.select(LONG.toMillis())).isOne();
      assertThat(other.checkEnd()).isTrue();
      assertThat(other.checkEnd()).isTrue();
    }
  }

  @Test
  void anEndThatArrivesInPiecesHasArrivedWithTheLast() throws Exception {
    byte[] end = header(4, 0, 0, 0);
    Future<Connection> server = accepting();
    try (Socket socket = stranger(header(1, 0, 0, 0));
        Selector selector = Selector.open()) {
      socket.getOutputStream().write(header(3, 0, 0, 0));
      try (Connection connection = result(server)) {
        connection.registerEnd(selector, null);
        for (byte each : end) {
          assertThat(connection.checkEnd()).isFalse();
          socket.getOutputStream().write(each);
          assertThat(selector.select(LONG.toMillis())).isOne();
          selector.selectedKeys().clear();
        }
        assertThat(connection.checkEnd()).isTrue();
      }
    }
  }

  @Test
  void whoeverAsksForTheEndIsToldOfALoss() throws Exception {
    for (byte[] last :
        new byte[][] {{}, header(3, 0, 0, 0), "GET / HTTP/1.1\r\n\r\n  ".getBytes(US_ASCII)}) {
      Future<Connection> server = accepting();
      try (Socket socket = stranger(header(1, 0, 0, 0));
          Selector selector = Selector.open()) {
        int answer = SetupMessage.HEADER + "server".length();
        assertThat(socket.getInputStream().readNBytes(answer)).hasSize(answer);
        socket.getOutputStream().write(header(3, 0, 0, 0));
        try (Connection connection = result(server)) {
          connection.registerEnd(selector, null);
          socket.getOutputStream().write(last);
          socket.shutdownOutput();
          assertThat(selector.select(LONG.toMillis())).isOne();
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(connection::checkEnd)
                .isInstanceOf(last.length == 0 ? EOFException.class : IOException.class)
                .hasMessageMatching(
                    ".* (has gone: its TCP connection ended without a word"
                        + "|sent READY, not END|sent 0x47455420 where a message begins .*)");
          }
        }
      }
    }
  }

  @Test
  void whoeverAsksForTheEndAfterClosingIsToldSo() throws Exception {
    Future<Connection> server = accepting();
    Connection client = dial("client");
    try (Selector selector = Selector.open()) {
      client.registerEnd(selector, null);
      client.close();
      assertThatThrownBy(client::checkEnd).satisfies(this::saysThatThisEndHasClosed);
    }
    result(server).close();
  }
}
