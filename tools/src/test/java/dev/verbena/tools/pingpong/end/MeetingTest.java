package dev.verbena.tools.pingpong.end;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.kit.SideChannel;
import dev.verbena.verbs.Gid;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The peer is played by bare sockets, which do what ibv_srq_pingpong does. */
final class MeetingTest {
  private static final int ADDRESSES = 256;
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
  private static final List<Destination> HERE =
      List.of(
          new Destination(0, 0x11, 0x21, Gid.parse("127.0.0.1")),
          new Destination(0, 0x12, 0x22, Gid.parse("127.0.0.1")));
  private static final List<Destination> THERE =
      List.of(
          new Destination(0, 0x31, 0x41, Gid.parse("127.0.0.2")),
          new Destination(0, 0x32, 0x42, Gid.parse("127.0.0.2")));

  private final List<Destination> connectedTo = new CopyOnWriteArrayList<>();
  private final StringWriter printed = new StringWriter();

  @Test
  void aClientTellsAllAddressesHearsAllAndConnectsAfterDone() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<List<Destination>> heard =
          CompletableFuture.supplyAsync(
              () -> {
                try (Socket peer = listener.accept()) {
                  List<Destination> all = readAll(peer);
                  assertThat(connectedTo).isEmpty();
                  writeAll(peer);
                  assertThat(new DataInputStream(peer.getInputStream()).readNBytes(5))
                      .isEqualTo(DONE);
                  return all;
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      hold(meeting("127.0.0.1", listener.getLocalPort()));

      List<Destination> all = heard.get(20, TimeUnit.SECONDS);
      assertThat(all.subList(0, 2)).isEqualTo(HERE);
      assertThat(all.subList(2, ADDRESSES)).containsOnly(Destination.NONE);
      assertThat(connectedTo).isEqualTo(THERE);
      assertThat(printed.toString().lines()).hasSize(4);
    }
  }

  @Test
  void aServerIsConnectedBeforeItAnswers() throws Exception {
    int port;
    try (ServerSocket unused = new ServerSocket(0)) {
      port = unused.getLocalPort();
    }
    CompletableFuture<Void> over =
        CompletableFuture.runAsync(
            () -> {
              try {
                hold(meeting(null, port));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    try (Socket peer = connect(port)) {
      writeAll(peer);
      List<Destination> all = readAll(peer);
      assertThat(connectedTo).isEqualTo(THERE);
      assertThat(all.subList(0, 2)).isEqualTo(HERE);
      peer.getOutputStream().write(DONE);
      over.get(20, TimeUnit.SECONDS);
    }
  }

  private void hold(Meeting meeting) throws IOException {
    try (SideChannel channel = meeting.open(HERE)) {
      meeting.hold(channel, HERE, connectedTo::addAll);
    }
  }

  private Meeting meeting(String host, int port) {
    Holder holder = new Holder();
    List<String> arguments = new ArrayList<>(List.of("--port=" + port, "--timeout=20"));
    if (host != null) {
      arguments.add(host);
    }
    new CommandLine(holder)
        .registerConverter(dev.verbena.verbs.DeviceSpec.class, dev.verbena.verbs.DeviceSpec::parse)
        .parseArgs(arguments.toArray(String[]::new));
    return new Meeting(holder.options, new PrintWriter(printed, true), ADDRESSES);
  }

  @Command
  private static final class Holder {
    @Mixin private final PingpongOptions options = new PingpongOptions();
  }

  /** Tries until somebody listens. */
  private static Socket connect(int port) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(e);
        }
        Thread.onSpinWait();
      }
    }
  }

  private static void writeAll(Socket peer) throws IOException {
    for (int i = 0; i < ADDRESSES; i++) {
      peer.getOutputStream()
          .write((i < THERE.size() ? THERE.get(i) : Destination.NONE).toMessage());
    }
  }

  private static List<Destination> readAll(Socket peer) throws IOException {
    List<Destination> all = new ArrayList<>();
    for (int i = 0; i < ADDRESSES; i++) {
      all.add(Destination.parse(peer.getInputStream().readNBytes(Destination.MESSAGE_BYTES)));
    }
    return all;
  }
}
