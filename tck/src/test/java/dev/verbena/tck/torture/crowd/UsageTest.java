package dev.verbena.tck.torture.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@link Usage}: tells growth from coming and going. */
final class UsageTest {
  private static final int SAMPLES = 2 * Usage.FEWEST;

  /** More than other tests of this process have. */
  private static final int SOCKETS = 60;

  private final Usage usage = new Usage();

  @Test
  void whatIsUsedAfterTheWarmUpAndGivenBackIsNoGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      boolean warm = i > SAMPLES / 4;
      usage.add(
          new Usage.Sample(
              warm ? 200_000 + i : 50_000,
              warm ? 9_000 + i % 50 : 1,
              warm ? 20 + i % 7 : 1,
              warm ? 30 + i % 9 : 1,
              warm ? 9 : 1));
    }
    assertThat(usage.growth()).isEmpty();
  }

  @Test
  void memoryThatIsNeverGivenBackIsGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      usage.add(new Usage.Sample(200_000L + 1000L * i, 9_000, 20, 30, 9));
    }
    assertThat(usage.growth()).startsWith("kilobytes grow").doesNotContain("descriptors", "heap");
  }

  @Test
  void objectsThatAreNeverGivenBackAreGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      usage.add(new Usage.Sample(200_000, 9_000L + 100L * i, 20, 30, 9));
    }
    assertThat(usage.growth()).startsWith("kilobytes of heap grow").doesNotContain("descriptors");
  }

  @Test
  void oneDescriptorAndOneThreadThatStayAreGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      int leaked = i > SAMPLES / 2 ? 1 : 0;
      usage.add(new Usage.Sample(200_000, 9_000, 20 + leaked, 30, 9 + leaked));
    }
    assertThat(usage.growth()).contains("descriptors grow", "threads grow");
  }

  @Test
  void tiesAreGrowthIfTheyBecomeMoreThanTwiceAsMany() {
    for (int i = 0; i < SAMPLES; i++) {
      usage.add(new Usage.Sample(200_000, 9_000, 20, i < SAMPLES / 2 ? 30 : 60, 9));
    }
    assertThat(usage.growth()).isEmpty();
    for (int i = 0; i < SAMPLES; i++) {
      usage.add(new Usage.Sample(200_000, 9_000, 20, 121, 9));
    }
    assertThat(usage.growth()).startsWith("ties grow").doesNotContain("descriptors");
  }

  @Test
  void connectedSocketsAreTies() throws Exception {
    List<Closeable> sockets = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, SOCKETS)) {
      for (int i = 0; i < SOCKETS; i++) {
        sockets.add(new Socket(server.getInetAddress(), server.getLocalPort()));
        sockets.add(server.accept());
      }
      usage.look(ProcessHandle.current().pid(), 0);
    } finally {
      for (Closeable socket : sockets) {
        socket.close();
      }
    }
    Matcher ties = Pattern.compile(" (\\d+) to (\\d+) ties").matcher(usage.toString());
    assertThat(ties.find()).as(usage.toString()).isTrue();
    assertThat(Integer.parseInt(ties.group(2)))
        .as(usage.toString())
        .isGreaterThanOrEqualTo(2 * SOCKETS);
  }

  @Test
  void aFewSamplesTellNothing() {
    for (int i = 0; i < Usage.FEWEST - 1; i++) {
      usage.add(new Usage.Sample(1000L * i, i, i, i, i));
    }
    assertThat(usage.growth()).isEmpty();
    assertThat(usage.toString()).endsWith(", too short to judge growth");
    usage.add(new Usage.Sample(1, 1, 1, 1, 1));
    assertThat(usage.toString()).doesNotContain("judge");
  }

  @Test
  void aProcessIsLookedAt() throws Exception {
    usage.look(ProcessHandle.current().pid(), 9 << 10);
    assertThat(usage.toString())
        .matches("[1-9].* MB, 9 to 9 MB of heap, [1-9].* descriptors, .* to [1-9].* threads.*");
  }
}
