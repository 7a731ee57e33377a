package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.Station;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Registered memory of a mapped file that is truncated: every access to the missing part fails like
 * a forbidden one, on the side whose memory it is, and nothing else happens. Each is tried many
 * times, because a JVM may report missing memory late.
 */
@ByPacketsToo
final class CutFileTest {
  private static final int ROUNDS = 12;
  private static final int RIGHTS =
      PairSetup.REMOTE_ALL | Access.FLUSH_GLOBAL | Access.FLUSH_PERSISTENT;

  /** Messages of one packet and of several, completely within the hole or only with their end. */
  private static final List<Long> OFFSETS = List.of(CutFile.HOLE, CutFile.HOLE - 2000);

  static PairSetup setup(TckLink link) {
    return PairSetup.on(link)
        .sendOps(PairSetup.RC_OPS, SendOps.FLUSH, SendOps.ATOMIC_WRITE)
        .qpAccess(RIGHTS)
        .maxRdAtomic(1);
  }

  static SendWr at(SendWr wr, MemoryRegion mr, long offset) {
    return wr.rkey(mr.rkey()).remoteAddr(mr.addr() + offset);
  }

  /** A builder takes the value of an ATOMIC_WRITE as an argument; only a list has it in memory. */
  private static void post(PostingApi api, QpEnd from, SendWr wr) {
    PostingApi way = wr.opcode() == WrOpcode.ATOMIC_WRITE ? PostingApi.POST_SEND : api;
    way.post(from.qp(), wr);
  }

  static SendWr atomicWrite(QpEnd from) {
    return new SendWr()
        .wrId(1)
        .opcode(WrOpcode.ATOMIC_WRITE)
        .sendFlags(SendFlags.SIGNALED)
        .sgList(from.sge(0, 8));
  }

  static SendWr flush(int type, FlushLevel level, long length) {
    return new SendWr()
        .wrId(1)
        .opcode(WrOpcode.FLUSH)
        .sendFlags(SendFlags.SIGNALED)
        .flushType(type)
        .flushLevel(level)
        .flushLength(length);
  }

  /** Every request that reaches the peer's memory, into the hole of its region. */
  static List<SendWr> intoTheHole(QpPair pair, MemoryRegion hole) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    long start = CutFile.HOLE;
    return List.of(
        at(SendWrs.write(1, right, 0, left.sge(0, 1)), hole, start),
        at(SendWrs.write(1, right, 0, left.sge(0, 8)), hole, start + 5000),
        at(SendWrs.write(1, right, 0, left.sge(0, 5000)), hole, start - 2000),
        at(SendWrs.write(1, right, 0, left.sge(0, 5000)), hole, start),
        at(SendWrs.writeImm(1, 7, right, 0, left.sge(0, 100)), hole, start),
        at(SendWrs.read(1, right, 0, left.sge(0, 8)), hole, start),
        at(SendWrs.read(1, right, 0, left.sge(0, 5000)), hole, start - 2000),
        at(SendWrs.compareSwap(1, right, 0, 0, 1, left.sge(0, 8)), hole, start),
        at(SendWrs.compareSwap(1, right, 0, 3, 1, left.sge(0, 8)), hole, start + 8000),
        at(SendWrs.fetchAdd(1, right, 0, 1, left.sge(0, 8)), hole, start + 16),
        at(atomicWrite(left), hole, start + 8),
        at(flush(FlushType.GLOBAL, FlushLevel.RANGE, 100), hole, start),
        at(flush(FlushType.PERSISTENT, FlushLevel.RANGE, 1), hole, start),
        at(flush(FlushType.PERSISTENT, FlushLevel.RANGE, 5000), hole, start - 2000),
        at(flush(FlushType.PERSISTENT, FlushLevel.MR, 0), hole, 0));
  }

  @OnEveryLinkAndApi
  @Proves({"S5.2.2", "S5.4.1", "S5.4.5", "S1.6.3"})
  void aPeersRequestIntoTheHoleIsAnAccessError(TckLink link, PostingApi api) {
    for (int kind = 0; kind < 15; kind++) {
      for (int round = 0; round < ROUNDS; round++) {
        try (CutFile file = CutFile.create();
            QpPair pair = setup(link).open()) {
          MemoryRegion hole = file.register(pair.right());
          file.cut();
          pair.right().postRecv(9);
          post(api, pair.left(), intoTheHole(pair, hole).get(kind));
          pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
          pair.right().awaitState(QpState.ERR);
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.2.1", "S1.6/09"})
  void aReceiveInTheHoleFailsAtBothEnds(TckLink link, PostingApi api) {
    for (long offset : OFFSETS) {
      for (int round = 0; round < ROUNDS; round++) {
        try (CutFile file = CutFile.create();
            QpPair pair = setup(link).open()) {
          MemoryRegion hole = file.register(pair.right());
          pair.right().postRecv(9, hole.sge(5000, offset));
          file.cut();
          api.post(pair.left().qp(), SendWrs.send(1, pair.left().sge(0, 5000)));
          pair.left().awaitSend(1, WcStatus.REM_OP_ERR);
          pair.right().awaitRecv(9, WcStatus.LOC_PROT_ERR);
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.2.1", "S1.6/01"})
  void aRequestWithDataOfTheHoleFailsHereAndThePeerGoesOn(TckLink link, PostingApi api) {
    for (int kind = 0; kind < 6; kind++) {
      for (int round = 0; round < ROUNDS; round++) {
        try (CutFile file = CutFile.create();
            QpPair pair = setup(link).open()) {
          QpEnd right = pair.right();
          MemoryRegion hole = file.register(pair.left());
          file.cut();
          right.postRecv(9, right.sge(0, 8000));
          SendWr wr =
              switch (kind) {
                case 0 -> SendWrs.send(2, hole.sge(20, CutFile.HOLE));
                case 1 -> SendWrs.send(2, hole.sge(6000, CutFile.HOLE - 3000));
                case 2 -> SendWrs.write(2, right, 0, hole.sge(5000, CutFile.HOLE));
                case 3 -> SendWrs.write(2, right, 0, hole.sge(6000, CutFile.HOLE - 3000));
                case 4 -> SendWrs.writeImm(2, 5, right, 0, hole.sge(1, CutFile.HOLE));
                default ->
                    at(atomicWrite(pair.left()), right.mr(), 0)
                        .wrId(2)
                        .sgList(hole.sge(8, CutFile.HOLE));
              };
          // After one that succeeds, so that it is not the oldest when it fails.
          SendWr good = SendWrs.write(1, right, 10_000, pair.left().sge(0, 3000));
          post(api, pair.left(), good);
          post(api, pair.left(), wr);
          pair.left().sent(1);
          pair.left().awaitSend(2, WcStatus.LOC_PROT_ERR);
          assertThat(pair.left().queryState()).isEqualTo(QpState.ERR);
          assertThat(right.queryState()).isEqualTo(QpState.RTS);
          right.assertNothingReceived();
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.2.1", "S1.6/02"})
  void anAnswerIntoTheHoleFailsHere(TckLink link, PostingApi api) {
    for (int kind = 0; kind < 4; kind++) {
      for (int round = 0; round < ROUNDS; round++) {
        try (CutFile file = CutFile.create();
            QpPair pair = setup(link).open()) {
          QpEnd right = pair.right();
          MemoryRegion hole = file.register(pair.left());
          file.cut();
          SendWr wr =
              switch (kind) {
                case 0 -> SendWrs.read(1, right, 0, hole.sge(8, CutFile.HOLE));
                case 1 -> SendWrs.read(1, right, 0, hole.sge(6000, CutFile.HOLE - 3000));
                case 2 -> SendWrs.compareSwap(1, right, 0, 0, 1, hole.sge(8, CutFile.HOLE));
                default -> SendWrs.fetchAdd(1, right, 0, 1, hole.sge(8, CutFile.HOLE));
              };
          api.post(pair.left().qp(), wr);
          pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
          assertThat(right.queryState()).isEqualTo(QpState.RTS);
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.4.1")
  void inlineDataOfTheHoleIsRefusedWhenItIsPosted(TckLink link, PostingApi api) {
    try (CutFile file = CutFile.create();
        QpPair pair = setup(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion hole = file.register(left);
      file.cut();
      for (int round = 0; round < 50 * ROUNDS; round++) {
        int length = 1 + round % 64;
        long offset = CutFile.HOLE + round % 64;
        // From the segment, or from the registered memory that the lkey names.
        Sge data =
            api == PostingApi.POST_SEND && round % 2 == 0
                ? hole.sge(length, offset)
                : Sge.of(file.memory().asSlice(offset, length));
        SendWr wr =
            SendWrs.write(round, right, 0, data).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        assertThatThrownBy(() -> api.post(left.qp(), wr))
            .isInstanceOfSatisfying(
                WorkRequestException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
            .hasMessageContaining("gone");
      }
      // Nothing was posted, and the queue pair is unchanged.
      api.post(left.qp(), SendWrs.write(1, right, 0, left.sge(0, 8)));
      left.sent(1);
    }
  }

  @OnEveryLink
  @Proves({"S1.6.2", "S3.2.2"})
  void anUnreliableSenderGoesOnAfterItsHole(TckLink link) {
    for (QpType type : List.of(QpType.UC, QpType.UD)) {
      for (int round = 0; round < ROUNDS; round++) {
        try (CutFile file = CutFile.create();
            QpPair pair = PairSetup.on(link).type(type).open()) {
          QpEnd left = pair.left();
          QpEnd right = pair.right();
          MemoryRegion hole = file.register(left);
          file.cut();
          right.postRecv(9, right.sge(0, 8000));
          SendWr bad = SendWrs.send(1, hole.sge(900, CutFile.HOLE));
          post(pair, type, bad);
          left.awaitSend(1, WcStatus.LOC_PROT_ERR);
          assertThat(left.queryState()).isEqualTo(QpState.SQE);
          left.qp().modify(new QpAttr().qpState(QpState.RTS));
          byte[] data = left.fill(0, 500, round);
          int grh = type == QpType.UD ? 40 : 0;
          WorkCompletion wc = deliver(pair, type, link);
          assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
          assertThat(wc.wrId()).isEqualTo(9);
          assertThat(right.bytes(grh, 500)).isEqualTo(data);
        }
      }
    }
  }

  @Test
  @Proves({"S5.2.1", "S1.6.2"})
  @ResourceLock(Station.SEGMENT)
  void framesAndStreamsOfTheHoleFailHere() {
    for (int round = 0; round < ROUNDS; round++) {
      try (CutFile file = CutFile.create();
          Station a = Station.open()) {
        QpEnd end = a.end();
        byte[] header =
            Frames.join(
                Frames.ethernet(a.mac(), a.mac(), Frames.IPV4),
                Frames.ipv4(Frames.TCP, 0, 1, 0x4000),
                Frames.tcp(1, Frames.ACK));
        MemoryRegion hole = file.register(end);
        file.cut();
        for (long offset : OFFSETS) {
          SendWr frame = SendWrs.send(1, hole.sge(1000, offset));
          SendWr stream = a.tso(1, header, 1000, 8).sgList(hole.sge(3500, offset));
          for (SendWr wr : List.of(offset == CutFile.HOLE ? frame : stream, stream)) {
            end.qp().postSend(wr);
            WorkCompletion wc = end.awaitSend(1);
            assertThat(wc.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
            assertThat(end.queryState()).isEqualTo(QpState.SQE);
            end.qp().modify(new QpAttr().qpState(QpState.RTS));
          }
        }
        SendWr headerless =
            a.tso(1, header, 1000, 8)
                .tsoHdr(file.memory().asSlice(CutFile.HOLE + round, header.length));
        assertThatThrownBy(() -> end.qp().postSend(headerless))
            .isInstanceOfSatisfying(
                WorkRequestException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
            .hasMessageContaining("gone");
      }
    }
  }

  @Test
  @Proves("S3.3.5")
  void aReceivesHeaderInTheHoleIsAnErrorOfTheCallThatReadsIt() {
    WorkCompletion wc = new WorkCompletion().wcFlags(WcFlags.GRH);
    try (CutFile file = CutFile.create();
        Context context = Devices.open(TckLink.selected().getFirst().device())) {
      MemorySegment hole = file.memory().asSlice(CutFile.HOLE, Grh.LENGTH);
      file.cut();
      // Often enough for the method to be compiled, which changes where the error comes from.
      for (int round = 0; round < 5_000; round++) {
        assertThatThrownBy(() -> context.initAhFromWc(1, wc, hole))
            .isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT))
            .hasMessageContaining("gone");
      }
    }
  }

  /** Sends until it arrives; more than once only on a lossy link. */
  private static WorkCompletion deliver(QpPair pair, QpType type, TckLink link) {
    QpEnd left = pair.left();
    WorkCompletion wc = new WorkCompletion();
    int tries = 0;
    while (true) {
      post(pair, type, SendWrs.send(2, left.sge(0, 500)));
      left.sent(2);
      tries++;
      if (!link.isFaulty() || tries > 200) {
        return Await.completion(pair.right().recvCq(), "receive 9");
      }
      if (pair.right().recvCq().poll(wc)) {
        return wc;
      }
    }
  }

  private static void post(QpPair pair, QpType type, SendWr wr) {
    if (type == QpType.UD) {
      try (AddressHandle ah = pair.left().ahTo(pair.right())) {
        pair.left().qp().postSend(pair.left().to(pair.right(), ah, wr));
      }
    } else {
      pair.left().qp().postSend(wr);
    }
  }

  /** At any moment between a request and its answer: each completes, with one of two results. */
  @OnEveryLinkAndApi
  @Proves("S1.6.1")
  void aFileThatIsCutAtAnyMomentEndsEachRequestOnce(TckLink link, PostingApi api) {
    Random random = new Random(TckLink.SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try (CutFile file = CutFile.create();
          QpPair pair = setup(link).open()) {
        QpEnd left = pair.left();
        MemoryRegion hole = file.register(pair.right());
        Thread cutter =
            Thread.ofPlatform()
                .start(
                    () -> {
                      long until = System.nanoTime() + random.nextInt(400_000);
                      while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                      }
                      file.cut();
                    });
        int posted = 0;
        int ended = 0;
        boolean failed = false;
        while (!failed) {
          post(api, left, at(anyRequest(pair, posted), hole, CutFile.HOLE + 4000));
          posted++;
          WorkCompletion wc = left.awaitSend(ended);
          ended++;
          failed = wc.status() != WcStatus.SUCCESS;
          if (failed) {
            left.assertSendStatus(wc, WcStatus.REM_ACCESS_ERR);
          }
        }
        cutter.join();
        left.assertNothingSent();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Of each kind that reaches a peer's memory one, in turn; but for atomics, see below. */
  private static SendWr anyRequest(QpPair pair, int id) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    SendWr wr =
        switch (id % 5) {
          case 0 -> SendWrs.write(id, right, 0, left.sge(0, 4000));
          case 1 -> flush(FlushType.GLOBAL, FlushLevel.RANGE, 4000);
          case 2 -> SendWrs.read(id, right, 0, left.sge(8000, 4000));
          case 3 -> atomicWrite(left);
          default -> flush(FlushType.PERSISTENT, FlushLevel.RANGE, 4000);
        };
    return wr.wrId(id);
  }

  @Test
  void aFileThatIsCutAtAnyMomentFailsOneOfManyAtomics() throws Exception {
    expectSurvival(CutAtomicsVictim.class, "-Xbatch");
  }

  @Test
  void anInterpretedVirtualMachineSurvivesEveryRequestIntoTheHole() throws Exception {
    expectSurvival(CutFileVictim.class, "-Xint");
  }

  private static void expectSurvival(Class<?> victim, String option) throws Exception {
    List<String> command = ChildProcess.javaMain(victim);
    command.set(command.indexOf(ChildProcess.QUICK_COMPILER), option);
    command.add(1, "-Ddev.verbena.guards=checked");
    try (ChildProcess child = ChildProcess.run(command)) {
      assertThat(child.exitCode()).as(child.output()).isZero();
      assertThat(child.output()).contains("survived");
    }
  }
}
