package dev.verbena.bench.udp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much the UDP link carries from this process to another one, which it starts, and beside it
 * how much bare sockets do: UDP in full GSO buffers, without a window. The receiver of WRITEs and
 * READs does not poll.
 */
public final class UdpSpeed {
  private static final List<Traffic> ALL =
      List.of(
          new Traffic(Traffic.Kind.WRITE, 1 << 16, 1, 1, 32),
          new Traffic(Traffic.Kind.WRITE, 1 << 20, 1, 1, 8),
          new Traffic(Traffic.Kind.READ, 1 << 20, 1, 1, 8),
          new Traffic(Traffic.Kind.SEND, 64, 4, 64, 4));

  private static final long WARM_UP_NANOS = 2_000_000_000;
  private static final long ROUND_NANOS = 1_000_000_000;
  private static final int ROUNDS = 5;

  private UdpSpeed() {}

  /** Without arguments all, otherwise those kinds of traffic whose text contains one of them. */
  public static void main(String[] args) throws IOException, InterruptedException {
    switch (args.length > 0 ? args[0] : "") {
      case "target" -> target(Traffic.of(args[1]));
      case "raw-target" -> RawUdpNative.receive();
      default -> {
        for (int bytes : new int[] {4112, 80}) {
          measureRaw(bytes);
        }
        for (Traffic traffic : ALL) {
          String text = traffic.toString();
          if (args.length == 0 || Arrays.stream(args).anyMatch(text::contains)) {
            measure(traffic);
          }
        }
      }
    }
  }

  private static void target(Traffic traffic) throws IOException {
    try (SpeedEnd end = new SpeedEnd("soft:127.0.0.2?link=udp", traffic);
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      try (Socket peer = server.accept()) {
        end.connect(peer);
        if (traffic.kind() == Traffic.Kind.SEND) {
          Thread watcher = Thread.ofPlatform().start(() -> awaitEnd(peer));
          end.receiveUntil(() -> !watcher.isAlive());
        } else {
          awaitEnd(peer);
        }
      }
      System.out.println(end.counters());
    }
  }

  private static void awaitEnd(Socket peer) {
    try {
      while (peer.getInputStream().read() >= 0) {
        // Only the end of it counts.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void measure(Traffic traffic) throws IOException, InterruptedException {
    Process target = start("target", traffic.text());
    try (BufferedReader said = target.inputReader(StandardCharsets.UTF_8);
        SpeedEnd end = new SpeedEnd("soft:127.0.0.1?link=udp", traffic)) {
      int port = Integer.parseInt(said.readLine());
      double[] rounds = new double[ROUNDS];
      try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port)) {
        end.connect(peer);
        end.send(WARM_UP_NANOS);
        for (int i = 0; i < ROUNDS; i++) {
          rounds[i] = end.send(ROUND_NANOS);
        }
      }
      report(traffic.toString(), traffic.isSmall(), traffic.bytes(), rounds);
      System.out.println("    here:  " + end.counters());
      System.out.println("    there: " + said.readLine());
    } finally {
      end(target);
    }
  }

  private static void measureRaw(int bytes) throws IOException, InterruptedException {
    Process target = start("raw-target");
    double[] rounds = new double[ROUNDS];
    try (BufferedReader said = target.inputReader(StandardCharsets.UTF_8)) {
      int port = Integer.parseInt(said.readLine());
      try (RawUdpNative sender = new RawUdpNative(port, bytes)) {
        for (int i = 0; i < ROUNDS; i++) {
          sender.send(ROUND_NANOS);
          rounds[i] = Double.parseDouble(said.readLine()) / bytes;
        }
      }
      report("raw UDP, GSO of " + bytes + " B, received", bytes < 1024, bytes, rounds);
    } finally {
      end(target);
    }
  }

  private static void report(String what, boolean messages, int bytes, double[] perSecond) {
    Arrays.sort(perSecond);
    double scale = messages ? 1e-6 : bytes * 1e-9;
    System.out.printf(
        "%-40s %8.3f %s  (%.3f to %.3f)%n",
        what,
        perSecond[ROUNDS / 2] * scale,
        messages ? "M/s " : "GB/s",
        perSecond[0] * scale,
        perSecond[ROUNDS - 1] * scale);
  }

  private static Process start(String... role) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                UdpSpeed.class.getName()));
    command.addAll(List.of(role));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void end(Process target) throws InterruptedException {
    if (!target.waitFor(5, TimeUnit.SECONDS)) {
      target.destroyForcibly();
    }
  }
}
