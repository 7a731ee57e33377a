package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.qp.DatagramRoute;
import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams to groups between two engines that also reach each other without packets. */
class MulticastTest {
  private static final Address GROUP = Address.ofIpv4(0xEF010203);
  private static final int BYTES = 4096;

  private final MemoryNetwork network = new MemoryNetwork();
  private final Fabric fabric = new Fabric();
  private final Engine here = engine(1, true);
  private final Engine there = engine(2, true);

  /** An engine whose datagrams come only as packets. */
  private final Engine apart = engine(3, false);

  private Engine engine(int number, boolean loopback) {
    return engine(number, Address.ofIpv4(0x0A000000 + number), loopback);
  }

  private Engine engine(int seed, Address address, boolean loopback) {
    Tally tally = new Tally();
    return engine(seed, network.open(address, tally::add), tally, loopback);
  }

  private Engine engine(int seed, Link link, Tally tally, boolean loopback) {
    EngineOptions options =
        new EngineOptions(
            "m" + link.address(),
            () -> 0,
            new SplittableRandom(seed),
            tally,
            false,
            loopback,
            true,
            Lab.ALL);
    return new Engine(options, link, fabric);
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    apart.close();
  }

  /** A UD queue pair in RTS, with memory for everything that it sends and receives. */
  private static final class End {
    final QpRuntime qp;
    final CompletionRing ring;
    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES + 40, 8);
    private final Region region;

    End(Engine engine) {
      ring =
          new CompletionRing(
              512,
              engine.newGuard(Rank.CQ),
              engine.newGuard(Rank.POLL),
              CompletionRing.Options.usual(() -> 0),
              new CompletionRing.Listener() {
                @Override
                public void completed() {}

                @Override
                public void waitsUntil(long deadline) {}

                @Override
                public void overrun() {
                  throw new AssertionError("the completion queue overran");
                }
              });
      Domain domain = new Domain();
      region =
          Objects.requireNonNull(
              engine.keys().register(memory, memory.address(), Access.LOCAL_WRITE, domain));
      QpCap cap = new QpCap(256, 256, 1, 1, 0);
      qp =
          engine.attach(
              new QpSetup(
                  QpSetup.ANY_NUMBER,
                  QpType.UD,
                  cap,
                  0,
                  ring,
                  ring,
                  null,
                  domain,
                  true,
                  event -> {}));
      qp.change(
          () -> {
            qp.parameters().mtu(Mtu.MTU_4096);
            qp.startReceives(0);
            qp.status().state(QpState.RTR);
          });
      qp.change(
          () -> {
            qp.startSends(0);
            qp.status().state(QpState.RTS);
          });
    }

    void receive(long id) {
      Guard guard = qp.postGuard();
      guard.enter();
      var wqe = qp.receives().claim(0);
      wqe.begin(id);
      wqe.data().add(region.lkey(), memory.address(), BYTES + 40);
      qp.receives().publish(1);
      guard.exit();
      qp.machines.receiveDoorbell();
    }

    void send(int count, long length) {
      Guard guard = qp.postGuard();
      guard.enter();
      for (int i = 0; i < count; i++) {
        var wqe = qp.sends().claim(i);
        wqe.begin(1000 + i, SendOperation.of(WrOpcode.SEND), 0, true);
        wqe.destination(
            new DatagramRoute(new Route(GROUP, 0, 1, 0)), AddressHandle.MULTICAST_QPN, 0);
        wqe.data.add(region.lkey(), memory.address(), length);
      }
      qp.sends().publish(count);
      guard.exit();
      qp.machines.sendDoorbell();
    }

    int completed() {
      WorkCompletion completion = new WorkCompletion();
      int count = 0;
      while (ring.poll(completion)) {
        assertThat(completion.isSuccess()).as("%s", completion).isTrue();
        count++;
      }
      return count;
    }
  }

  @Test
  @Proves("S8.2")
  void whoLeavesAGroupWaitsForTheDatagramThatIsBeingDelivered() throws InterruptedException {
    CountDownLatch receiving = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Tally tally = new Tally();
    Link link =
        new ForwardingLink(network.open(Address.ofIpv4(0x0A000004), tally::add)) {
          @Override
          public int receive(Receiver receiver, int most, long now) {
            receiving.countDown();
            awaitWithoutInterruption(goOn);
            return super.receive(receiver, most, now);
          }
        };
    try (Engine slow = engine(4, link, tally, false)) {
      End leaves = new End(slow);
      End stays = new End(slow);
      slow.multicast().attach(leaves.qp, false, GROUP);
      slow.multicast().attach(stays.qp, false, GROUP);
      Thread receives = Thread.ofPlatform().start(() -> slow.step(0));
      receiving.await();
      Thread detaches = Thread.ofPlatform().start(() -> slow.multicast().detach(leaves.qp, GROUP));
      Thread.State state;
      do {
        Thread.onSpinWait();
        state = detaches.getState();
      } while (state != Thread.State.WAITING && state != Thread.State.TERMINATED);
      goOn.countDown();
      receives.join();
      detaches.join();
      assertThat(state).isEqualTo(Thread.State.WAITING);
    }
  }

  private static void awaitWithoutInterruption(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Proves("S8.6")
  void aSenderThatEndsHasLeftOneCopyNotTwo() {
    End sender = new End(here);
    End member = new End(there);
    there.multicast().attach(member.qp, false, GROUP);
    member.receive(1);
    member.receive(2);
    sender.send(1, 100);
    here.close();
    there.step(0);
    assertThat(member.completed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves("S8.6")
  void whoWantsNoCopiesOfItsOwnGetsThoseOfAnotherDevicesQueuePairWithItsNumber(boolean upper) {
    long lo = here.address().lo();
    Address other = upper ? new Address(0x2001_0db8_0000_0000L, lo) : new Address(0, lo + 77);
    // The same seed as the other engine, so it draws the same numbers.
    try (Engine twin = engine(1, other, true)) {
      End member = new End(here);
      End sender = new End(twin);
      assertThat(sender.qp.qpNum()).isEqualTo(member.qp.qpNum());
      here.multicast().attach(member.qp, true, GROUP);
      member.receive(1);
      member.receive(2);
      sender.send(1, 100);
      assertThat(member.completed()).as("the other's").isEqualTo(1);
      member.send(1, 100);
      assertThat(member.completed()).as("the SEND, and no receive").isEqualTo(1);
    }
  }

  @Test
  void anotherDeviceWithTheAddressOfOneThatHasEndedIsHeard() {
    End member = new End(there);
    there.multicast().attach(member.qp, false, GROUP);
    here.close();
    there.step(0);
    assertThat(there.multicast().cameWithoutPacket(Address.ofIpv4(0x0A000001))).isFalse();
  }

  /** Each copy is charged: 256 KiB a turn, four turns a doorbell. */
  @Test
  void aDoorbellCopiesNoMoreToAGroupThanToOne() {
    int members = 16;
    End sender = new End(here);
    End[] ends = new End[members];
    for (int i = 0; i < members; i++) {
      ends[i] = new End(there);
      there.multicast().attach(ends[i].qp, false, GROUP);
      for (int id = 0; id < 200; id++) {
        ends[i].receive(id);
      }
    }
    sender.send(200, BYTES);
    int copies = 0;
    for (End end : ends) {
      copies += end.completed();
    }
    assertThat(copies * BYTES).isBetween(256 * 1024, 4 * (256 * 1024 + members * BYTES));
  }

  @Test
  void aTurnReceivesNoMoreForAGroupThanForOne() {
    int members = 8;
    End[] ends = new End[members];
    for (int i = 0; i < members; i++) {
      ends[i] = new End(there);
      there.multicast().attach(ends[i].qp, false, GROUP);
      for (int id = 0; id < 64; id++) {
        ends[i].receive(id);
      }
    }
    new End(apart).send(64, BYTES);
    there.step(0);
    int copies = 0;
    for (End end : ends) {
      copies += end.completed();
    }
    assertThat(copies).isBetween(members, 32);
  }

  @Test
  void aDatagramBehindTheEndOfAQueuePairLetsNobodyExpectPackets() {
    End member = new End(there);
    there.multicast().attach(member.qp, false, GROUP);
    assertThat(there.listeners.any).isFalse();
    new End(apart).send(1, 10);
    there.step(0);
    assertThat(there.listeners.any).isTrue();
    there.detach(member.qp);
    assertThat(there.listeners.any).isFalse();
    // As if it had been looked up before it ended.
    new End(apart).send(1, 10);
    there.step(0);
    assertThat(there.listeners.any).isFalse();
  }
}
