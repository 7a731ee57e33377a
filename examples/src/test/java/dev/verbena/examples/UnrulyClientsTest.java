package dev.verbena.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionRefusedException;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever one client of an example does, the server goes on, serves the others, and ends. */
final class UnrulyClientsTest {
  private static final String OWN = "soft:new";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

  /** A server of several clients, with its usual client. */
  record Example(String name, Ends.Server server, Ends.Client client) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Example> thoseThatConverse() {
    Ends.Client talkers = (device, server) -> Talkers.talk(device, server, 2, 3, NOWHERE);
    return List.of(
        new Example("EventLoop", EventLoop::serve, talkers),
        new Example("VirtualThreads", VirtualThreads::serve, talkers));
  }

  static List<Example> all() {
    List<Example> all = new ArrayList<>(thoseThatConverse());
    all.add(
        new Example(
            "KeyValueStore",
            KeyValueStore::serve,
            (device, server) -> KeyValueStore.talk(device, server, NOWHERE)));
    all.add(
        new Example(
            "CounterAndLock",
            CounterAndLock::serve,
            (device, server) -> CounterAndLock.count(device, server, NOWHERE)));
    all.add(
        new Example(
            "UdRequests",
            UdRequests::serve,
            (device, server) -> UdRequests.ask(device, server, 3, NOWHERE)));
    return all;
  }

  private final List<AutoCloseable> stay = new ArrayList<>();

  @AfterEach
  void letGo() throws Exception {
    for (AutoCloseable one : stay.reversed()) {
      one.close();
    }
  }

  /** A connection that stays until the test ends. */
  private Socket dial(InetSocketAddress server) throws IOException {
    Socket socket = new Socket(server.getAddress(), server.getPort());
    stay.add(socket);
    return socket;
  }

  /** A context that stays until the test ends. */
  private Context open(String device) {
    Context ctx = Devices.open(device);
    stay.add(ctx);
    return ctx;
  }

  @ParameterizedTest
  @MethodSource("all")
  void clientsThatBreakOffOrSayNothingOrNonsenseHoldUpNobody(Example example) throws Exception {
    Ends.runBoth(
        OWN,
        example.server,
        OWN,
        (device, server) -> {
          // Silent ones one after the other would take longer than a client waits.
          for (int i = 0; i < 4; i++) {
            dial(server);
          }
          dial(server).close();
          dial(server).getOutputStream().write(new byte[4]);
          dial(server).getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
          assertThatThrownBy(() -> Connection.connect(server, new ConnParam()))
              .isInstanceOf(ConnectionRefusedException.class);
          example.client.run(device, server);
        });
  }

  @ParameterizedTest
  @MethodSource("thoseThatConverse")
  void aClientThatTakesNoAnswersWaitsAlone(Example example) throws Exception {
    Ends.runBoth(
        OWN,
        example.server,
        OWN,
        (device, server) -> {
          ProtectionDomain pd = open(device).allocPd();
          CompletionQueue cq = pd.context().createCq(16, pd.context().createCompChannel());
          QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
          stay.add(Connection.connect(server, ConnParam.of(qp)));
          for (int i = 0; i < 3 * Session.DEPTH; i++) {
            qp.postSend(new SendWr().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED));
          }
          // So many arrive: those that are answered, and those whose receives are not posted again.
          Completions.awaitAll(cq, 2 * Session.DEPTH, PATIENCE);
          example.client.run(device, server);
          assertThat(cq.poll(-1)).isEmpty();
        });
  }

  @Test
  void datagramsWithoutANumberAreLeftUnanswered() throws Exception {
    Ends.runBoth(
        OWN,
        UdRequests::serve,
        OWN,
        (device, server) -> {
          ProtectionDomain pd = open(device).allocPd();
          CompletionQueue cq = pd.context().createCq(16, pd.context().createCompChannel());
          QueuePair qp = pd.createQp(QpInitAttr.ud(cq));
          MemoryRegion memory = pd.allocMr(8192, Access.LOCAL_WRITE);
          Connection connection =
              Connection.connect(server, new ConnParam().ud(qp, UdRequests.QKEY));
          stay.add(connection);
          QpEndpoint to = connection.remoteQps().getFirst().endpoint();
          SendWr wr = new SendWr().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED);
          wr.ah(pd.createAh(AhAttr.to(to))).remoteQpn(to.qpNum()).remoteQkey(UdRequests.QKEY);
          qp.postRecv(new RecvWr().sgList(memory.sge()));
          int mtu = pd.context().queryPort(1).activeMtu().bytes();
          for (int length : new int[] {0, 1, mtu}) {
            qp.postSend(wr.sgList(memory.sgeAt(0, length)));
            Completions.await(cq, PATIENCE);
          }
          UdRequests.ask(device, server, 3, NOWHERE);
          assertThat(cq.poll(-1)).isEmpty();
        });
  }

  @Test
  void aServerEndsThoughAClientStays() throws Exception {
    Ends.runBoth(
        OWN,
        KeyValueStore::serve,
        OWN,
        (device, server) -> {
          KeyValueStore.Client client = new KeyValueStore.Client(open(device), server);
          stay.add(client);
          client.put("key", "value");
        });
  }

  @Test
  void aKeyValueStoreSaysWhichWriterHasDied() throws Exception {
    Ends.runBoth(
        OWN,
        KeyValueStore::serve,
        OWN,
        (device, server) -> {
          RemoteMemory table = new RemoteMemory(open(device), server, KeyValueStore.TABLE_BYTES);
          stay.add(table);
          table.buffer().fill((byte) 1);
          table.write(0, KeyValueStore.TABLE_BYTES);
          KeyValueStore.Client client =
              new KeyValueStore.Client(open(device), server, Duration.ZERO);
          stay.add(client);
          assertThatThrownBy(() -> client.get("key"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageMatching("the slot at \\d+ still has half of a pair after PT0S");
          assertThatThrownBy(() -> client.put("key", "value"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageMatching("the lock at \\d+ is still held by \\d+ after PT0S");
        });
  }

  /** Runs a sender beside a receiver that writes this file. */
  private static void sendTo(Path file, Ends.Client sender) throws Exception {
    Ends.runBoth(
        OWN,
        (device, listener) -> FileTransfer.receive(device, listener, file, NOWHERE),
        OWN,
        sender);
  }

  @Test
  void aReceiverOutlivesWhoOnlyTouchesItsPort(@TempDir Path folder) throws Exception {
    Path sent = Files.writeString(folder.resolve("sent"), "some bytes");
    Path file = folder.resolve("received");
    sendTo(
        file,
        (device, server) -> {
          try (Socket stranger = new Socket(server.getAddress(), server.getPort())) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
          }
          FileTransfer.send(device, server, sent, NOWHERE);
        });
    assertThat(file).hasSameBinaryContentAs(sent);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, Long.MAX_VALUE, (16L << 30) + 1})
  void aFileOfSuchASizeIsRefused(long size, @TempDir Path folder) {
    Path file = folder.resolve("received");
    assertThatThrownBy(
            () ->
                sendTo(
                    file,
                    (device, server) -> {
                      byte[] told = ByteBuffer.allocate(Long.BYTES).putLong(0, size).array();
                      assertThatThrownBy(
                              () -> Connection.connect(server, new ConnParam().privateData(told)))
                          .hasMessageEndingWith(
                              "refused, in its words: a file of "
                                  + size
                                  + " bytes, not 1 to 17179869184");
                    }))
        .hasRootCauseMessage("a file of " + size + " bytes, not 1 to 17179869184");
    assertThat(file).doesNotExist();
  }

  @Test
  void aReceiverDoesNotWaitForASenderThatHasGone(@TempDir Path folder) {
    Path file = folder.resolve("received");
    assertThatThrownBy(
            () ->
                sendTo(
                    file,
                    (device, server) -> {
                      ProtectionDomain pd = open(device).allocPd();
                      CompletionQueue cq = pd.context().createCq(4);
                      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
                      ConnParam param =
                          ConnParam.of(qp)
                              .privateData(ByteBuffer.allocate(8).putLong(0, 1 << 20).array())
                              .beforePeerSends(() -> qp.postRecv(new RecvWr()));
                      try (Connection _ = Connection.connect(server, param)) {
                        Completions.await(cq, PATIENCE);
                      }
                    }))
        .rootCause()
        .isInstanceOfSatisfying(
            WcException.class,
            e -> assertThat(e.workCompletion().status()).isEqualTo(WcStatus.WR_FLUSH_ERR));
  }

  @Test
  void anEmptyFileIsNotSent(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("empty"));
    assertThatThrownBy(
            () ->
                Ends.runBoth(
                    OWN,
                    (device, listener) -> listener.getRequest().close(),
                    OWN,
                    (device, server) -> FileTransfer.send(device, server, file, NOWHERE)))
        .hasMessage("a file of 0 bytes, not 1 to 17179869184");
  }
}
