package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that reach the end of a truncated mapped file, on either side. */
class CutMemoryTest {
  private static final int HOLE = 64 << 10;

  @TempDir private java.nio.file.Path folder;
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void unmap() {
    arena.close();
  }

  /** Memory that is gone from {@link #HOLE} on. */
  private Block cut(Endpoint owner) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            Files.createTempFile(folder, "cut", null),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MemorySegment file = channel.map(MapMode.READ_WRITE, 0, 2 * HOLE, arena);
      channel.truncate(HOLE);
      Region region = owner.keys.register(file, file.address(), Endpoint.RIGHTS, owner.domain);
      assertThat(region).isNotNull();
      return new Block(region);
    }
  }

  private static void describe(SendWqe wqe, Block local, long localOffset, int length) {
    if (wqe.operation.opcode == WrOpcode.FLUSH) {
      wqe.flush(length, FlushType.GLOBAL, FlushLevel.RANGE.number());
    } else {
      wqe.data.add(local.lkey(), local.addr() + localOffset, length);
    }
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
        "ATOMIC_WRITE",
        "FLUSH"
      })
  @Proves("S1.6/06")
  void aRequestForWhatWasCutAwayIsARemoteAccessError(WrOpcode opcode) throws IOException {
    for (boolean loopback : new boolean[] {false, true}) {
      Rig rig = Rig.of(Service.RC, loopback);
      Block local = rig.a.memory(8);
      Block remote = cut(rig.b);
      rig.b.postRecv(7, rig.b.memory(8));
      rig.a.post(
          1,
          opcode,
          SendFlags.SIGNALED,
          wqe -> {
            describe(wqe, local, 0, 8);
            wqe.remote(remote.addr() + HOLE, remote.rkey());
          });
      rig.settle();
      assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
      assertThat(rig.b.receiveResults()).containsExactly("7 WR_FLUSH_ERR");
      assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = WrOpcode.class,
      names = {
        "SEND",
        "RDMA_WRITE",
        "RDMA_WRITE_WITH_IMM",
        "RDMA_READ",
        "ATOMIC_FETCH_AND_ADD",
        "ATOMIC_CMP_AND_SWP",
        "ATOMIC_WRITE"
      })
  void whoseOwnMemoryWasCutAwayFailsAlone(WrOpcode opcode) throws IOException {
    for (boolean loopback : new boolean[] {false, true}) {
      Rig rig = Rig.of(Service.RC, loopback);
      Block local = cut(rig.a);
      Block remote = rig.b.memory(8);
      rig.b.postRecv(7, rig.b.memory(8));
      rig.a.post(
          1,
          opcode,
          SendFlags.SIGNALED,
          wqe -> {
            describe(wqe, local, HOLE, 8);
            wqe.remote(remote.addr(), remote.rkey());
          });
      assertThat(rig.a.requester.run(new Budget())).as("needs no other turn").isFalse();
      rig.settle();
      assertThat(rig.a.sendResults()).containsExactly("1 LOC_PROT_ERR");
      assertThat(rig.b.receiveResults()).isEmpty();
      assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
      assertThat(remote.bytes()).containsOnly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves("S3.4.4")
  void onlyAMessageOfWhichNothingWasSentLeavesItsSharedReceiveToAnother(boolean begins)
      throws IOException {
    int chunk = DirectPath.CHUNK_PSNS * 256;
    Rig rig = Rig.loopback(p -> {});
    Block to = rig.b.memory(2L * chunk);
    SharedRecvQueue queue = new SharedRecvQueue(1, 1, Guard.NONE, () -> {});
    queue.claim(0).begin(7);
    queue.claim(0).data().add(to.lkey(), to.addr(), 2L * chunk);
    queue.publish(1);
    Responder responder =
        new Responder(
            rig.b.core, new SharedReceives(queue, rig.b.recvRing, rig.b.domain, rig.b.domain));
    responder.start(Rig.PSN_A);
    rig.a.connect(new DirectPath(rig.a, responder));

    Block from = cut(rig.a);
    long start = begins ? HOLE - chunk : HOLE;
    from.setLong(HOLE - chunk, 11);
    rig.a.post(
        1,
        WrOpcode.SEND,
        SendFlags.SIGNALED,
        wqe -> wqe.data.add(from.lkey(), from.addr() + start, 2L * chunk));
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 LOC_PROT_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
    assertThat(to.getLong(0)).isEqualTo(begins ? 11 : 0);
    assertThat(queue.size()).isEqualTo(begins ? 0 : 1);
  }
}
