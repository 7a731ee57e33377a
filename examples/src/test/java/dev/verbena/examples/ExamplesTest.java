package dev.verbena.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the examples, both ends in this process. */
final class ExamplesTest {
  private static final String OWN = "soft:new";
  private static final String LOSSY = "soft:new?faults=drop:0.05,seed:3";

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, UTF_8);

  private List<String> lines() {
    return printed.toString(UTF_8).lines().toList();
  }

  @Test
  void aKeyValueStoreReturnsWhatWasPutLast() throws Exception {
    Ends.runBoth(
        OWN,
        KeyValueStore::serve,
        OWN,
        (device, server) -> KeyValueStore.talk(device, server, out));

    assertThat(lines())
        .containsExactly(
            "verbena: RDMA verbs for Java", "verbs: what an RDMA device does", "sockets: nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN, LOSSY})
  void severalClientsOfAKeyValueStoreNeverSeeHalfOfAPair(String clientDevice) throws Exception {
    Ends.runBoth(
        OWN,
        KeyValueStore::serve,
        clientDevice,
        (device, server) -> {
          List<Callable<Void>> writers = new ArrayList<>();
          for (int writer = 0; writer < 3; writer++) {
            String letter = Character.toString('a' + writer);
            writers.add(() -> putAndGet(device, server, letter));
          }
          try (ExecutorService threads = Executors.newFixedThreadPool(writers.size())) {
            for (Future<Void> writer : threads.invokeAll(writers)) {
              writer.get();
            }
          }
        });
  }

  /** Puts values of one letter, and expects values of one letter. */
  private static Void putAndGet(String device, InetSocketAddress server, String letter)
      throws IOException {
    try (Context ctx = Devices.open(device);
        KeyValueStore.Client client = new KeyValueStore.Client(ctx, server)) {
      for (int i = 1; i <= 40; i++) {
        client.put("shared", letter.repeat(i));
        client.put(letter + i, "own");
        assertThat(client.get("shared").orElseThrow()).matches("(a+|b+|c+)");
      }
      for (int i = 1; i <= 40; i++) {
        assertThat(client.get(letter + i)).contains("own");
      }
    }
    return null;
  }

  @Test
  void aKeyValueStoreRefusesWhatDoesNotFit() throws Exception {
    Ends.runBoth(
        OWN,
        KeyValueStore::serve,
        OWN,
        (device, server) -> {
          try (Context ctx = Devices.open(device);
              KeyValueStore.Client client = new KeyValueStore.Client(ctx, server)) {
            client.put("k".repeat(31), "v".repeat(79));
            assertThat(client.get("k".repeat(31))).contains("v".repeat(79));
            assertThatThrownBy(() -> client.put("k".repeat(32), "v"))
                .hasMessageContaining("has 32 bytes, not 1 to 31");
            assertThatThrownBy(() -> client.put("k", "v".repeat(80)))
                .hasMessageContaining("has 80 bytes, not 1 to 79");
            assertThatThrownBy(() -> client.put("k\0", "v"))
                .hasMessage("key has a NUL, which ends it in the table");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN, LOSSY})
  void clientsLoseNoCountByAtomicsNorUnderALock(String clientDevice) throws Exception {
    Ends.runBoth(
        OWN,
        CounterAndLock::serve,
        clientDevice,
        (device, server) -> CounterAndLock.count(device, server, out));

    assertThat(lines())
        .containsExactly("counted by fetch-and-add: 300", "counted under the lock: 300");
  }

  @Test
  void everyDatagramIsAnsweredThoughSomeGetLost() throws Exception {
    Ends.runBoth(
        "soft:new?faults=drop:0.2,seed:5",
        UdRequests::serve,
        "soft:new?faults=drop:0.2,seed:6",
        (device, server) -> UdRequests.ask(device, server, 40, out));

    assertThat(lines().subList(0, 40))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 40).mapToObj(number -> "QUESTION " + number).toList());
    String[] last = lines().getLast().split(" ", -1);
    assertThat(lines().getLast()).matches("40 responses to \\d+ requests");
    assertThat(Integer.parseInt(last[3])).isGreaterThan(40);
  }

  @Test
  void anEventLoopAnswersAllItsClients() throws Exception {
    Ends.runBoth(
        OWN,
        EventLoop::serve,
        OWN,
        (device, server) -> {
          Talkers.talk(device, server, 4, 50, out);
          // Some come when others have gone.
          Talkers.talk(device, server, 2, 10, out);
        });

    assertThat(lines())
        .containsExactly(
            "CLIENT 1 SAYS 50",
            "CLIENT 2 SAYS 50",
            "CLIENT 3 SAYS 50",
            "CLIENT 4 SAYS 50",
            "CLIENT 1 SAYS 10",
            "CLIENT 2 SAYS 10");
  }

  @Test
  void virtualThreadsAnswerAllTheirClients() throws Exception {
    Ends.runBoth(
        OWN,
        VirtualThreads::serve,
        LOSSY,
        (device, server) -> Talkers.talk(device, server, 4, 50, out));

    assertThat(lines())
        .containsExactly(
            "CLIENT 1 SAYS 50", "CLIENT 2 SAYS 50", "CLIENT 3 SAYS 50", "CLIENT 4 SAYS 50");
  }

  @Test
  void countersTellWhatBecameOfLostPackets() {
    LossAndCounters.run("soft:new?faults=drop:0.02,seed:7", out);

    assertThat(lines()).hasSize(7).first().isEqualTo("64 messages were written, 0 of them wrong");
    assertThat(lines().subList(1, 7))
        .allMatch(line -> line.matches(" *\\d+ [a-z].*"))
        .filteredOn(line -> line.contains("lost on purpose") || line.contains("sent again"))
        .hasSize(2)
        .noneMatch(line -> line.startsWith("     0 "));
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN, LOSSY})
  void aFileArrivesAndNoSendComesTooEarly(String device, @TempDir Path folder) throws Exception {
    byte[] bytes = new byte[40 * FileTransfer.CHUNK + 17];
    new Random(11).nextBytes(bytes);
    Path sent = Files.write(folder.resolve("sent"), bytes);
    Path received = folder.resolve("received");
    Ends.runBoth(
        device,
        (name, listener) -> FileTransfer.receive(name, listener, received, out),
        OWN,
        (name, server) -> FileTransfer.send(name, server, sent, out));

    assertThat(Files.mismatch(sent, received)).isEqualTo(-1);
    String size = " of " + bytes.length + " bytes";
    assertThat(printed.toString(UTF_8))
        .contains("\r[" + "#".repeat(20) + "-".repeat(20) + "]  51 %" + size + "\r")
        .contains("\r[" + "#".repeat(40) + "] 100 %" + size)
        .contains("SENDs that came too early: 0");
  }

  @Test
  void aFailureOfTheServerIsReportedWithThatOfTheClient() {
    assertThatThrownBy(
            () ->
                Ends.runBoth(
                    "soft:new?nonsense=1",
                    KeyValueStore::serve,
                    OWN,
                    (device, server) -> KeyValueStore.talk(device, server, out)))
        .isInstanceOf(IOException.class)
        .satisfies(
            e -> assertThat(e.getSuppressed()[0].getCause()).hasMessageContaining("nonsense"));
  }
}
