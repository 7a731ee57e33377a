package dev.verbena.verbs.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A listener, and ends that talk to it by TCP, without queue pairs. */
abstract class ConnectionFixture {
  static final Duration LONG = Duration.ofSeconds(60);
  static final Duration SHORT = Duration.ofMillis(50);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  ConnectionListener listener;

  @BeforeEach
  void listen() throws IOException {
    listener = listener("127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
    threads.close();
  }

  static ConnectionListener listener(String address) throws IOException {
    return ConnectionListener.listen(new InetSocketAddress(InetAddress.getByName(address), 0))
        .timeout(LONG);
  }

  static ConnParam saying(String text) {
    return new ConnParam().privateData(text.getBytes(UTF_8)).timeout(LONG);
  }

  static String text(ByteBuffer bytes) {
    return UTF_8.decode(bytes).toString();
  }

  Connection dial(String text) throws IOException {
    return Connection.connect(listener.address(), saying(text));
  }

  <T> Future<T> beside(Callable<T> call) {
    return threads.submit(call);
  }

  /** A server of one client. */
  Future<Connection> accepting() {
    return beside(() -> listener.getRequest().accept(saying("server")));
  }

  static <T> T result(Future<T> of) throws Exception {
    return of.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  /** A stranger who sends some bytes. */
  Socket stranger(byte... bytes) throws IOException {
    Socket socket = new Socket(listener.address().getAddress(), listener.address().getPort());
    socket.getOutputStream().write(bytes);
    return socket;
  }

  static byte[] header(int kind, int qps, int regions, int bytes) {
    return ByteBuffer.allocate(SetupMessage.HEADER)
        .put("VBCM".getBytes(US_ASCII))
        .putInt(kind)
        .putInt(qps)
        .putInt(regions)
        .putInt(bytes)
        .array();
  }

  /** A queue pair that is moved, which is all that the end of a connection asks of it. */
  static QueuePair moved(Callable<Boolean> move) {
    InvocationHandler handler =
        (proxy, method, args) ->
            switch (method.getName()) {
              case "qpType" -> QpType.RC;
              case "modify" -> {
                move.call();
                yield null;
              }
              default -> throw new AssertionError(method + " was called");
            };
    Class<?>[] type = {QueuePair.class};
    return (QueuePair) Proxy.newProxyInstance(QueuePair.class.getClassLoader(), type, handler);
  }
}
