package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.soft.link.socket.FfmUdpLink;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Engines that seem to be in separate processes, with a link to everybody and one on the host. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
@Timeout(60)
class TwoLinksTest {
  private static final int SIZE = 100_000;

  /** A network that counts what it carries to this engine. */
  private static final class Counting extends ForwardingLink {
    private final AtomicLong arrived = new AtomicLong();

    Counting(Link inner) {
      super(inner);
    }

    @Override
    public int receive(Receiver receiver, int most, long now) {
      int count = inner.receive(receiver, most, now);
      arrived.addAndGet(count);
      return count;
    }
  }

  private final List<Engine> engines = new ArrayList<>();
  private final List<Counting> networks = new ArrayList<>();

  private Peer peer(boolean sharesMemory) {
    Tally tally = new Tally();
    Counting network = new Counting(FfmUdpLink.open(Gids.address(Endpoint.unused()), tally::add));
    int number = engines.size() + 1;
    Engine engine =
        new Engine(
            new EngineOptions(
                "two" + number,
                Lab.realTime(),
                new SplittableRandom(number),
                tally,
                /* threaded= */ true,
                /* loopback= */ true,
                /* checkIcrc= */ true,
                Lab.ALL,
                new PeerWindows()),
            network,
            sharesMemory ? SharedMemoryLink.beside(network, tally::add) : null,
            new Fabric());
    engines.add(engine);
    networks.add(network);
    return new Peer(engine, SIZE);
  }

  @AfterEach
  void close() {
    engines.forEach(Engine::close);
  }

  private long carriedByNetwork() {
    return networks.stream().mapToLong(network -> network.arrived.get()).sum();
  }

  private static void exchangeAll(Peer a, Peer b) {
    byte[] data = new byte[SIZE];
    new Random(3).nextBytes(data);
    a.memory.copyFrom(MemorySegment.ofArray(data));
    a.write(1, b, SIZE);
    a.awaitSuccess(1);
    assertThat(b.bytes(SIZE)).isEqualTo(data);
    b.memory.set(ValueLayout.JAVA_LONG, 0, 41);
    a.post(2, WrOpcode.ATOMIC_FETCH_AND_ADD, b.memory.address(), b.region.rkey(), 8);
    a.awaitSuccess(2);
    assertThat(a.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(41);
    a.post(3, WrOpcode.RDMA_READ, b.memory.address(), b.region.rkey(), SIZE);
    a.awaitSuccess(3);
    assertThat(a.bytes(SIZE)).isEqualTo(b.bytes(SIZE));
    b.receive(4, SIZE);
    a.memory.fill((byte) 5);
    a.send(5, SIZE);
    a.awaitSuccess(5);
    b.awaitSuccess(4);
    assertThat(b.bytes(SIZE)).isEqualTo(a.bytes(SIZE));
  }

  @Test
  void aPeerOnThisComputerIsReachedWithoutTheNetwork() {
    Peer a = peer(true);
    Peer b = peer(true);
    Peer.connect(a, b);
    exchangeAll(a, b);
    exchangeAll(b, a);
    assertThat(carriedByNetwork()).isZero();
  }

  @Test
  void aPeerThatSharesNoMemoryIsReachedByTheNetwork() {
    Peer a = peer(true);
    Peer b = peer(false);
    Peer.connect(a, b);
    exchangeAll(a, b);
    exchangeAll(b, a);
    assertThat(carriedByNetwork()).isPositive();
  }

  @Test
  void networkAndHostAreServedWhileBothAreBusy() throws Exception {
    Peer busy = peer(true);
    Engine middle = peer(true).engine;
    Peer toBusy = new Peer(middle, SIZE);
    Peer toFar = new Peer(middle, SIZE);
    Peer far = peer(false);
    Peer.connect(busy, toBusy);
    Peer.connect(far, toFar);
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<Integer> flood =
          other.submit(
              () -> {
                int i = 0;
                for (; !over.get(); i++) {
                  busy.write(i, toBusy, 2_000);
                  busy.awaitSuccess(i);
                }
                return i;
              });
      try {
        for (int i = 0; i < 500; i++) {
          far.write(i, toFar, 2_000);
          far.awaitSuccess(i);
        }
      } finally {
        over.set(true);
      }
      assertThat(flood.get()).as("writes beside the network's").isPositive();
    }
    assertThat(carriedByNetwork()).isPositive();
  }
}
