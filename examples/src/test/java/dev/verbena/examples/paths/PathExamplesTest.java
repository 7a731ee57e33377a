package dev.verbena.examples.paths;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of python-rdma's manual, on Ethernet and on InfiniBand. */
final class PathExamplesTest {
  private static final int OCTET_OF_PROCESS = 1 + (int) (ProcessHandle.current().pid() % 254);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, UTF_8);

  /** A device of its own for each example and side. */
  private static String device(String layer, int number) {
    return layer.equals("ib")
        ? "ib:example" + number
        : "soft:127." + OCTET_OF_PROCESS + ".251." + number;
  }

  private List<String> lines() {
    return printed.toString(UTF_8).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves({"PY-003", "PY-006", "PY-007"})
  void aContextClosesWhatWasMadeFromIt(String layer) {
    OpenVerbs.run(device(layer, 1), out);
    assertThat(lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith(layer.equals("ib") ? "INFINIBAND ACTIVE" : "ETHERNET ACTIVE");
    assertThat(lines().getLast()).isEqualTo("closed with its context: true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves({"PY-013", "PY-031", "PY-044", "PY-045"})
  void aQueuePairGoesToRtsByAPath(String layer) {
    QpByPath.run(device(layer, 2), out);
    assertThat(lines()).hasSize(5).first().asString().startsWith("RTS, path MTU ");
    assertThat(lines().subList(1, 5))
        .containsExactly(
            "PSN as in the path: true",
            "retries 7, RNR retries 7",
            "the path caches its address handle: true",
            "until its cache is dropped: true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves({"PY-046", "PY-047", "PY-048", "PY-049", "PY-053", "PY-081"})
  void datagramsReachSeveralServersAndAreAnswered(String layer) {
    UdClient.run(device(layer, 3), List.of(device(layer, 4), device(layer, 5)), out);
    assertThat(lines()).containsExactly("Hello message!", "Hello message!");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves({"PY-057", "PY-058", "PY-062"})
  void twoSidesConnectWithoutAConnectionManager(String layer) throws IOException {
    NoConnectionManager.run(device(layer, 6), device(layer, 7), out);
    assertThat(lines()).containsExactly("over a path of our own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves("PY-071")
  void anErrorNamesItsQueuePairAndItsUsualCause(String layer) {
    WcErrors.run(device(layer, 8), out);
    assertThat(lines()).hasSize(2).first().isEqualTo("LOC_PROT_ERR of this queue pair: true");
    assertThat(lines().getLast()).startsWith("usually: a scatter/gather element whose lkey");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves({"PY-073", "PY-076", "PY-118"})
  void completionsWakeASelectorAndAPoller(String layer) throws IOException {
    CompletionLoops.run(device(layer, 9), out);
    assertThat(lines())
        .containsExactlyInAnyOrder("selected SEND", "selected RECV", "polled SEND", "polled RECV");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft", "ib"})
  @Proves({"PY-079", "PY-080", "PY-081"})
  void memoryOfAllKindsIsRegistered(String layer) throws IOException {
    Memory.run(device(layer, 10), out);
    assertThat(lines())
        .containsExactly("6 and 256 and 256 bytes", "256 bytes, and 128 at 10", "Hello message!");
  }
}
