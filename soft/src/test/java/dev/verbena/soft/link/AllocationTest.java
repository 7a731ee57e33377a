package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.soft.link.socket.FfmUdpLink;
import dev.verbena.soft.link.wrap.FaultLink;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "FfmUdpLink makes system calls of Linux")
class AllocationTest {
  private static final int PACKETS = 10_000;
  private static final int RUN = 16;

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private int arrived;

  static Stream<Named<LinkOpener>> links() {
    MemoryNetwork network = new MemoryNetwork();
    FaultSpec faults = FaultSpec.parse("dup:0.2,reorder:0.2,corrupt:0.2,delay:0.2@1us");
    return Stream.of(
        Named.of("memory", network::open),
        Named.of("UDP by system calls", FfmUdpLink::open),
        Named.of(
            "shared memory",
            (address, counters) -> SharedMemoryLink.open(address, counters, false)),
        Named.of(
            "faults",
            (address, counters) ->
                FaultLink.over(network.open(address, counters), faults, counters)),
        Named.of(
            "faults before runs",
            (address, counters) ->
                FaultLink.over(
                    new RunsLink(network.open(address, counters), RUN), faults, counters)));
  }

  @ParameterizedTest
  @MethodSource("links")
  void sendingAndReceivingAllocatesNothing(LinkOpener opener) {
    Gid addressA = Endpoint.unused();
    Gid addressB = Endpoint.unused();
    LinkCounters none = (counter, count) -> {};
    try (Link a = opener.open(Gids.address(addressA), none);
        Link b = opener.open(Gids.address(addressB), none)) {
      MemorySegment datagram = Endpoint.datagram(64, 1);
      Route usual = Endpoint.routeTo(b);
      Route marked = new Route(b.address(), 0x20, 1, 0);
      Receiver receiver = this::count;
      // Until the JIT compiler has finished, method handles allocate.
      long least = Long.MAX_VALUE;
      long end = System.nanoTime() + PATIENCE;
      while (least > PACKETS && System.nanoTime() < end) {
        least = Math.min(least, allocated(a, b, datagram, usual, marked, receiver));
      }
      assertThat(least).as("bytes allocated for " + PACKETS + " packets").isLessThan(PACKETS);
      assertThat(arrived).isGreaterThanOrEqualTo(PACKETS / 2);
    }
  }

  private static long allocated(
      Link a, Link b, MemorySegment datagram, Route usual, Route marked, Receiver receiver) {
    SendBatch batch = new SendBatch(a.mostSegments(), 64);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < PACKETS; i++) {
      long now = 1_000L * i;
      a.send(datagram, 64, (i & 1) == 0 ? usual : marked, now);
      batch.add(64, usual);
      if (batch.isFull()) {
        a.send(batch, now);
      }
      a.receive(receiver, 16, now);
      b.receive(receiver, 16, now);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void count(Arrival arrival, long now) {
    arrived++;
  }
}
