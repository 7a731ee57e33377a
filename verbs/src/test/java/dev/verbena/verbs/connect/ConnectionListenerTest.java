package dev.verbena.verbs.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener to which nobody comes, and one that cannot let anybody in. */
class ConnectionListenerTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);

  private ConnectionListener listener;

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static String greet(InetSocketAddress server) throws IOException {
    try (Connection connection = Connection.connect(server, new ConnParam().timeout(LONG))) {
      return connection.remoteAddress().toString();
    }
  }

  /** What is logged, with what was thrown. */
  private static final class Log implements System.Logger {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** The next line, which may still have to come. */
    private @Nullable String next() throws InterruptedException {
      return lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public String getName() {
      return "log";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= Level.INFO.getSeverity();
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
      if (isLoggable(level)) {
        lines.add(level + " " + text + (thrown == null ? "" : " | " + thrown));
      }
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  /** A channel that cannot accept a number of times, as if no file descriptor were free. */
  private static final class Exhausted extends ServerSocketChannel {
    private final ServerSocketChannel real = ServerSocketChannel.open();
    private final AtomicInteger failures;
    private final CountDownLatch failed;

    Exhausted(int failures) throws IOException {
      super(SelectorProvider.provider());
      this.failures = new AtomicInteger(failures);
      failed = new CountDownLatch(Math.min(failures, 3));
      real.bind(anyPort());
    }

    @Override
    public SocketChannel accept() throws IOException {
      if (failures.getAndDecrement() > 0) {
        failed.countDown();
        throw new IOException("Too many open files");
      }
      return real.accept();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
      return real.getLocalAddress();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
      return real.bind(address, backlog);
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
      return real.setOption(name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
      return real.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return real.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
      return real.socket();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
      real.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
      real.configureBlocking(block);
    }
  }

  private void listen(Exhausted channel, Log log) throws IOException {
    listener = new ConnectionListener(channel, (InetSocketAddress) channel.getLocalAddress(), log);
  }

  @Test
  void aServerThatCannotAcceptForAWhileSaysSoAndGoesOn() throws Exception {
    Log log = new Log();
    listen(new Exhausted(5), log);
    CompletableFuture<Void> server =
        listener.serveAsync(request -> request.accept(new ConnParam().timeout(LONG)).close());
    for (int i = 0; i < 2; i++) {
      assertThat(greet(listener.address())).isEqualTo(listener.address().toString());
    }
    assertThat(server).isNotDone();
    assertThat(log.lines)
        .containsExactly(
            "WARNING "
                + listener.address()
                + " cannot accept connections now, and tries again"
                + " | java.io.IOException: Too many open files");
    listener.close();
    server.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aServerThatCannotAcceptEndsWhenTheListenerIsClosed() throws Exception {
    Exhausted channel = new Exhausted(Integer.MAX_VALUE);
    listen(channel, new Log());
    CompletableFuture<Void> server = listener.serveAsync(request -> {});
    assertThat(channel.failed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(server).isNotDone();
    listener.close();
    server.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aServerThatCannotAcceptEndsWhenItsThreadIsInterrupted() throws Exception {
    Exhausted channel = new Exhausted(3);
    listen(channel, new Log());
    Thread thread = Thread.ofPlatform().start(() -> listener.serve(request -> {}));
    assertThat(channel.failed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    thread.interrupt();
    assertThat(thread.join(LONG)).isTrue();
  }

  @Test
  void whoWaitsForARequestWaitsNoLongerThanWasSaid() throws Exception {
    listener = ConnectionListener.listen(anyPort());
    assertThatThrownBy(() -> listener.getRequest(SHORT))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessage("nobody has connected to " + listener.address() + " within 50 ms");
    assertThatThrownBy(() -> listener.getRequest(Duration.ZERO)).isInstanceOf(VerbsException.class);
    CompletableFuture<String> client =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return greet(listener.address());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    listener.getRequest(LONG).accept(new ConnParam().timeout(LONG)).awaitEnd();
    assertThat(client.get(LONG.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo(listener.address().toString());
  }

  @Test
  void soDoesWhoWaitsBesideAnother() throws Exception {
    listener = ConnectionListener.listen(anyPort());
    CompletableFuture<Void> server =
        listener.serveAsync(request -> request.accept(new ConnParam().timeout(LONG)).close());
    // From here on it waits for the next one.
    greet(listener.address());
    assertThatThrownBy(() -> listener.getRequest(SHORT))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("within 50 ms");
    assertThat(server).isNotDone();
  }

  @Test
  void whoWaitsForALimitedTimeIsToldThatTheListenerWasClosed() throws Exception {
    listener = ConnectionListener.listen(anyPort());
    listener.close();
    assertThatThrownBy(() -> listener.getRequest(LONG))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  /** One line each: anybody may connect, and leave. */
  @Test
  void whatOtherEndsDoIsLoggedWithoutAStackTrace() throws Exception {
    Log log = new Log();
    listen(new Exhausted(0), log);
    CompletableFuture<Void> server =
        listener.serveAsync(
            request -> {
              try (Connection connection = request.accept(new ConnParam().timeout(LONG))) {
                connection.awaitEnd();
              }
            });
    try (SocketChannel client = SocketChannel.open(listener.address())) {
      String stranger = String.valueOf(client.getLocalAddress());
      client.write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII)));
      assertThat(log.next())
          .startsWith("WARNING " + stranger + " is no longer served: java.io.IOException: ")
          .endsWith("both ends must use dev.verbena.verbs.connect");
    }
    for (boolean ready : new boolean[] {false, true}) {
      String name;
      try (SocketChannel client = SocketChannel.open(listener.address())) {
        name = String.valueOf(client.getLocalAddress());
        client.write(SetupMessage.of(Kind.REQUEST).encode());
        client.read(ByteBuffer.allocate(SetupMessage.HEADER));
        if (ready) {
          client.write(SetupMessage.of(Kind.READY).encode());
        }
      }
      assertThat(log.next())
          .startsWith("WARNING " + name + " is no longer served: java.io.EOFException: ")
          .endsWith("its TCP connection ended without a word");
    }
    listener.close();
    server.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whatAServiceFailsToDoIsToldToTheOtherEndAndLoggedWithThePlace() throws Exception {
    Log log = new Log();
    listen(new Exhausted(0), log);
    CompletableFuture<Void> server =
        listener.serveAsync(request -> Files.readString(Path.of("no-such-file")));
    assertThatThrownBy(() -> greet(listener.address()))
        .isInstanceOf(ConnectionRefusedException.class)
        .hasMessage(
            listener.address()
                + " refused, in its words: java.nio.file.NoSuchFileException: no-such-file");
    assertThat(log.next())
        .endsWith(
            " is no longer served: java.nio.file.NoSuchFileException: no-such-file"
                + " | java.nio.file.NoSuchFileException: no-such-file");
    listener.close();
    server.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whoeverCannotListenLearnsWhere() throws Exception {
    listener = ConnectionListener.listen(anyPort());
    assertThatThrownBy(() -> ConnectionListener.listen(listener.address()))
        .isInstanceOf(BindException.class)
        .hasMessage(listener.address() + ": Address already in use");
  }

  @Test
  void aHostWithoutAnAddressIsNamed() throws Exception {
    listener = ConnectionListener.listen(anyPort());
    InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 7471);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(() -> ConnectionListener.listen(nowhere), () -> greet(nowhere))) {
      assertThatThrownBy(call)
          .isInstanceOf(UnknownHostException.class)
          .hasMessage("no address is known for the host nowhere.invalid");
    }
  }
}
