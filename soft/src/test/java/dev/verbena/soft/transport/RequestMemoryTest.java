package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of requests: elements, closed arenas, inline data, a queue pair's own memory. */
final class RequestMemoryTest {
  private static Rig rig(boolean loopback) {
    return loopback ? Rig.loopback(p -> {}) : Rig.packets();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves("S1.7.6")
  void elementsMayBeCutAnywhere(boolean loopback) {
    Random random = new Random(42);
    for (int round = 0; round < 30; round++) {
      Rig rig = rig(loopback);
      int total = random.nextInt(1500);
      Block from = rig.a.memory(2000).scribble(round);
      Block to = rig.b.memory(2000);
      int[] sendCuts = cuts(random, total);
      int[] recvCuts = cuts(random, total + 10);
      rig.b.postRecv(
          1,
          wqe -> {
            int at = 0;
            for (int length : recvCuts) {
              wqe.data().add(length == 0 ? 0xdead : to.lkey(), to.addr() + at, length);
              at += length;
            }
          });
      rig.a.post(
          1,
          WrOpcode.SEND,
          SendFlags.SIGNALED,
          wqe -> {
            int at = 0;
            for (int length : sendCuts) {
              wqe.data.add(length == 0 ? 0xdead : from.lkey(), from.addr() + at, length);
              at += length;
            }
          });
      rig.settle();
      assertThat(rig.a.sendResults()).containsExactly("1");
      assertThat(rig.b.pollReceives().getFirst().byteLen()).isEqualTo(total);
      assertThat(to.bytes(0, total)).isEqualTo(from.bytes(0, total));
      assertThat(to.bytes(total, 100)).containsOnly(0);
    }
  }

  private static int[] cuts(Random random, int total) {
    int[] lengths = new int[8];
    int left = total;
    for (int i = 0; i < 7; i++) {
      lengths[i] = random.nextInt(3) == 0 ? 0 : random.nextInt(left + 1);
      left -= lengths[i];
    }
    lengths[7] = left;
    return lengths;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves("S1.7.6")
  void oneElementMayBeGatheredTwiceAndOverlap(boolean loopback) {
    Rig rig = rig(loopback);
    Block from = rig.a.memory(600).scribble(1);
    Block to = rig.b.memory(2000);
    rig.b.postRecv(1, to);
    rig.a.post(
        1,
        WrOpcode.SEND,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(from.lkey(), from.addr(), 600);
          w.data.add(from.lkey(), from.addr() + 100, 300);
          w.data.add(from.lkey(), from.addr(), 600);
        });
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(to.bytes(0, 600)).isEqualTo(from.bytes());
    assertThat(to.bytes(600, 300)).isEqualTo(from.bytes(100, 300));
    assertThat(to.bytes(900, 600)).isEqualTo(from.bytes());
  }

  @Test
  void anArenaThatIsClosedInTheMiddleOfASendFailsIt() {
    Rig rig = Rig.packets();
    rig.a.out.limit(2);
    rig.b.postRecv(1, rig.b.memory(4000));
    try (Arena arena = Arena.ofShared()) {
      Block from = rig.a.memory(4000, Endpoint.RIGHTS, arena);
      rig.a.postSend(1, from, 4000);
      rig.pump();
    }
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 LOC_PROT_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  void anArenaThatIsClosedInTheMiddleOfAReceiveFailsBothSides() {
    Rig rig = Rig.packets();
    rig.a.out.limit(2);
    try (Arena arena = Arena.ofShared()) {
      rig.b.postRecv(1, rig.b.memory(4000, Endpoint.RIGHTS, arena));
      rig.a.postSend(1, rig.a.memory(4000), 4000);
      rig.pump();
      rig.deliverToB();
    }
    rig.settle();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_PROT_ERR");
    assertThat(rig.a.sendResults()).containsExactly("1 REM_OP_ERR");
  }

  @ParameterizedTest
  @EnumSource(
      value = WrOpcode.class,
      names = {
        "RDMA_WRITE",
        "RDMA_WRITE_WITH_IMM",
        "RDMA_READ",
        "ATOMIC_FETCH_AND_ADD",
        "ATOMIC_CMP_AND_SWP",
        "ATOMIC_WRITE"
      })
  void anArenaThatIsClosedUnderARequestIsARemoteAccessError(WrOpcode opcode) {
    for (boolean loopback : new boolean[] {false, true}) {
      Rig rig = rig(loopback);
      Block local = rig.a.memory(512);
      rig.b.postRecv(7, rig.b.memory(8));
      try (Arena arena = Arena.ofShared()) {
        Block remote = rig.b.memory(512, Endpoint.RIGHTS, arena);
        rig.a.post(
            1,
            opcode,
            SendFlags.SIGNALED,
            w -> {
              w.data.add(local.lkey(), local.addr(), opcode == WrOpcode.ATOMIC_WRITE ? 8 : 512);
              w.remote(remote.addr(), remote.rkey());
            });
      }
      rig.settle();
      assertThat(rig.a.pollSends().getFirst().status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(rig.b.receiveResults()).containsExactly("7 WR_FLUSH_ERR");
      assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = WrOpcode.class,
      names = {
        "RDMA_WRITE",
        "RDMA_READ",
        "ATOMIC_FETCH_AND_ADD",
        "ATOMIC_CMP_AND_SWP",
        "ATOMIC_WRITE",
        "FLUSH"
      })
  @Proves("S5.2.2")
  void aKeyThatIsUnknownForeignOrWithoutRightsIsARemoteAccessError(WrOpcode opcode) {
    for (int fault = 0; fault < 4; fault++) {
      Rig rig = Rig.packets();
      Block local = rig.a.memory(8);
      Block good = rig.b.memory(64);
      Region foreign =
          rig.b.keys.register(good.memory(), good.addr(), Endpoint.RIGHTS, new Domain());
      Region mute =
          rig.b.keys.register(good.memory(), good.addr(), Access.LOCAL_WRITE, rig.b.domain);
      assertThat(foreign).isNotNull();
      assertThat(mute).isNotNull();
      int[] keys = {good.rkey() ^ 0x5a5a, foreign.rkey(), mute.rkey(), good.rkey()};
      int key = keys[fault];
      long past = fault == 3 ? 64 : 0;
      rig.a.post(
          1,
          opcode,
          SendFlags.SIGNALED,
          w -> {
            if (opcode == WrOpcode.FLUSH) {
              w.flush(8, FlushType.GLOBAL, FlushLevel.RANGE.number());
            } else {
              w.data.add(local.lkey(), local.addr(), 8);
            }
            w.remote(good.addr() + past, key);
          });
      rig.settle();
      assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
      assertThat(good.bytes()).containsOnly(0);
    }
  }

  @Test
  void inlineDataIsTakenWhenItIsAdded() {
    Rig rig = Rig.packets();
    Block from = rig.a.memory(64).scribble(1);
    Block to = rig.b.memory(64);
    byte[] before = from.bytes(0, 30);
    rig.b.postRecv(1, to);
    rig.a.post(
        1,
        WrOpcode.SEND,
        SendFlags.SIGNALED,
        w -> {
          w.data.addInline(from.memory(), 0, 10);
          w.data.addInline(from.memory(), 10, 20);
        });
    from.memory().fill((byte) 0);
    rig.a.out.loseOnce(p -> true);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(to.bytes(0, 30)).isEqualTo(before);
  }

  @Test
  @Proves("S1.7.13")
  void aQueuePairMayTalkToItself() {
    Rig rig = Rig.loopback(p -> {});
    rig.a.connect(new DirectPath(rig.a, rig.a));
    rig.a.parameters.peer(rig.a.gid);
    rig.a.responder.start(Rig.PSN_A);
    Block from = rig.a.memory(3000).scribble(1);
    Block to = rig.a.memory(3000);
    rig.a.postRecv(1, to);
    rig.a.postSend(2, from, 3000);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2");
    assertThat(rig.a.receiveResults()).containsExactly("1");
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  @Test
  void aRegionWithItsOwnAddressesIsReachedByThem() {
    Rig rig = Rig.packets();
    Block plain = rig.b.memory(4096);
    Region zeroBased = rig.b.keys.register(plain.memory(), 0, Endpoint.RIGHTS, rig.b.domain);
    assertThat(zeroBased).isNotNull();
    Block from = rig.a.memory(700).scribble(4);
    rig.a.postWrite(1, from, 700, new Block(zeroBased));
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(plain.bytes(0, 700)).isEqualTo(from.bytes());
  }
}
