package dev.verbena.examples;

import dev.verbena.verbs.connect.ConnectionClosedException;
import dev.verbena.verbs.connect.ConnectionListener;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Starts the two ends of an example: both in this process, or the one that the arguments name. Two
 * ends need another way to tell each other about their queue pairs and memory: here, as in most
 * programs, that is a TCP connection.
 */
final class Ends {
  /** What the arguments of an example mean. */
  static final String USAGE =
      """
      without arguments: both ends in this process, each on a device of its own
      --server [DEVICE]: the server, on soft0 or the device; it prints where it listens
      HOST [DEVICE]: a client of the server on that host
      --listen=ADDRESS: where the server listens; 127.0.0.1, so for this computer only, unless given
      --port=PORT: the server's TCP port; 18600 unless given, 0 takes a free one
      """;

  /** The end that waits for connections, until its listener is closed. */
  interface Server {
    void serve(String device, ConnectionListener listener) throws Exception;
  }

  /** The end that connects. */
  interface Client {
    void run(String device, InetSocketAddress server) throws Exception;
  }

  /**
   * Runs the ends that {@link #USAGE} says.
   *
   * @throws IllegalArgumentException with the usage, for other arguments
   */
  static void run(Server server, Client client, String... args) throws Exception {
    List<String> words = new ArrayList<>(List.of(args));
    if (words.contains("--help")) {
      System.out.print(USAGE);
      return;
    }
    boolean both = words.isEmpty();
    boolean serves = words.remove("--server");
    String listen = option(words, "--listen=", "127.0.0.1");
    int port = Integer.parseInt(option(words, "--port=", "18600"));
    String host = serves || words.isEmpty() ? "" : words.removeFirst();
    String device = words.isEmpty() ? "soft0" : words.removeFirst();
    if (both) {
      runBoth("soft:new", server, "soft:new", client);
    } else if (!words.isEmpty() || serves == !host.isEmpty() || (host + device).contains("--")) {
      throw new IllegalArgumentException(String.join(" ", args) + "\n" + USAGE);
    } else if (serves) {
      try (ConnectionListener listener =
          ConnectionListener.listen(new InetSocketAddress(listen, port))) {
        System.out.println("listening on " + listen + ":" + listener.address().getPort());
        server.serve(device, listener);
      }
    } else {
      client.run(device, new InetSocketAddress(host, port));
    }
  }

  /** Takes an option out of the arguments, and returns its value. */
  private static String option(List<String> words, String name, String otherwise) {
    String value = otherwise;
    for (String word : List.copyOf(words)) {
      if (word.startsWith(name)) {
        value = word.substring(name.length());
        words.remove(word);
      }
    }
    return value;
  }

  /** Runs both ends in this process, until the client ends. */
  static void runBoth(String serverDevice, Server server, String clientDevice, Client client)
      throws Exception {
    ConnectionListener listener =
        ConnectionListener.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    FutureTask<Void> serving = new FutureTask<>(() -> serve(server, serverDevice, listener));
    Thread.ofPlatform().name("server").start(serving);
    Closeable end = () -> end(listener, serving);
    try (end) {
      client.run(clientDevice, listener.address());
    }
  }

  private static Void serve(Server server, String device, ConnectionListener listener)
      throws Exception {
    // A server that fails closes the listener, so that no client waits for it.
    try (listener) {
      try {
        server.serve(device, listener);
      } catch (ConnectionClosedException e) {
        if (listener.isOpen()) {
          throw e;
        }
      }
    }
    return null;
  }

  private static void end(ConnectionListener listener, FutureTask<Void> serving)
      throws IOException {
    listener.close();
    try {
      serving.get();
    } catch (ExecutionException e) {
      throw new IOException("the server has failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the server was ending", e);
    }
  }

  private Ends() {}
}
