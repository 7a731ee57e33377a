package dev.verbena.tck.posting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** The effect of wrStart, wrComplete and wrAbort on the work requests between them. */
final class PostBatchContractTest {

  @OnEveryLink
  @Proves({"WR-009", "WR-016", "WR-031", "S2.24"})
  void theExampleOfASend(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      MemoryRegion mr = pair.left().mr();
      byte[] data = pair.left().fill(0, 40, 1);
      pair.right().postRecv(1, pair.right().sge(0, 40));
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrSend();
      qp.wrSetSge(mr.lkey(), mr.addr(), 40);
      qp.wrComplete();
      pair.left().sent(1);
      assertThat(pair.right().received(1).byteLen()).isEqualTo(40);
      assertThat(pair.right().bytes(0, 40)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves({"WR-129", "WR-016", "S2.24"})
  void theExampleOfAWriteAndASignaledWriteWithImmediate(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      QpEnd target = pair.right();
      byte[] first = pair.left().fill(0, 1000, 1);
      byte[] second = pair.left().fill(1000, 500, 2);
      target.postRecv(7);
      qp.wrStart();
      qp.wrId(1).wrFlags(0);
      qp.wrRdmaWrite(target.rkey(), target.addr(0));
      qp.wrSetSge(pair.left().mr().lkey(), pair.left().addr(0), 1000);
      qp.wrId(2).wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWriteImm(target.rkey(), target.addr(2000), 0x1234_5678);
      qp.wrSetSge(pair.left().mr().lkey(), pair.left().addr(1000), 500);
      qp.wrComplete();

      WorkCompletion received = target.received(7);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
      assertThat(received.immData()).isEqualTo(0x1234_5678);
      assertThat(received.byteLen()).isEqualTo(500);
      assertThat(target.bytes(0, 1000)).isEqualTo(first);
      assertThat(target.bytes(2000, 500)).isEqualTo(second);
      pair.left().sent(2);
      pair.left().assertNothingSent();
      target.assertNothingReceived();
    }
  }

  @OnEveryLink
  @Proves({"WR-027", "WR-028", "S2.8"})
  void oneBatchTakesManyRequestsOfAllKinds(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      int count = 64;
      for (int i = 0; i < count; i++) {
        pair.right().postRecv(i, pair.right().sge(4096, 256));
      }
      SendWr[] all = new SendWr[count];
      Arrays.setAll(all, i -> mixed(pair, i));
      PostingApi.WR.post(pair.left().qp(), SendWrs.list(all));
      for (int i = 0; i < count; i++) {
        pair.left().sent(1000L + i);
      }
      pair.left().assertNothingSent();
      assertThat(pair.right().getLong(8)).isEqualTo(13L * (count / 4));
    }
  }

  @OnEveryLink
  @Proves({"WR-028", "WR-029", "WR-030", "S2.8"})
  void idAndFlagsAreTakenWhenTheBuilderIsCalledAndStayInForce(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrStart();
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrId(2).wrFlags(0);
      qp.wrSetSgeList();
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrId(3).wrFlags(SendFlags.SIGNALED);
      qp.wrSetSgeList();
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetSgeList();
      qp.wrId(4);
      qp.wrComplete();
      qp.wrStart();
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetSgeList();
      qp.wrComplete();
      assertThat(qp.wrId()).isEqualTo(4);
      assertThat(qp.wrFlags()).isEqualTo(SendFlags.SIGNALED);

      pair.left().sent(1);
      pair.left().sent(3);
      pair.left().sent(4);
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves({"WR-032", "S2.4"})
  void nothingIsSentBeforeTheBatchIsComplete(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open();
        QpPair other = setup.another(pair)) {
      QueuePairEx qp = pair.left().qp();
      pair.right().postRecv(1);
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      pair.left().setLong(0, 5);
      qp.wrSetSge(pair.left().mr().lkey(), pair.left().addr(0), 8);
      qp.wrId(2);
      qp.wrSend();
      qp.wrSetSgeList();
      // Anything sent before would arrive before this, which goes the same way and back.
      for (int i = 0; i < 10; i++) {
        other.left().qp().postSend(SendWrs.read(i, other.right(), 0, other.left().sge(0, 8)));
        other.left().sent(i);
      }
      pair.left().assertNothingSent();
      pair.right().assertNothingReceived();
      assertThat(pair.right().getLong(0)).isZero();

      pair.left().setLong(0, 6);
      qp.wrComplete();
      pair.left().sent(1);
      pair.left().sent(2);
      pair.right().received(1);
      assertThat(pair.right().getLong(0)).isEqualTo(6);
    }
  }

  @OnEveryLink
  @Proves({"WR-033", "S2.6"})
  void abortDiscardsEverythingSinceTheStart(TckLink link) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(16, 64, 1, 1, 0)).open()) {
      QueuePairEx qp = pair.left().qp();
      for (int round = 0; round < 5; round++) {
        qp.wrStart();
        for (int i = 0; i < 10; i++) {
          PostingApi.build(qp, SendWrs.send(100 + i));
        }
        qp.wrAbort();
      }
      assertTheQueueIsEmpty(pair);
    }
  }

  @OnEveryLink
  @Proves({"WR-128", "S2.5"})
  void oneBadRequestFailsTheWholeBatch(TckLink link) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(16, 64, 1, 1, 0)).open()) {
      QueuePairEx qp = pair.left().qp();
      int tooMany = qp.queryInit().maxSendSge() + 1;
      for (int round = 0; round < 5; round++) {
        WorkRequestException refusal =
            Refusal.of(
                () -> {
                  qp.wrStart();
                  for (int i = 0; i < 5; i++) {
                    Sge[] list = new Sge[i == 2 ? tooMany : 1];
                    Arrays.fill(list, pair.left().sge(0, 1));
                    PostingApi.build(qp, SendWrs.send(100 + i, list));
                  }
                  qp.wrComplete();
                });
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refusal.index()).isEqualTo(2);
        assertThat(refusal.badSendWr()).isNull();
      }
      assertTheQueueIsEmpty(pair);
    }
  }

  @OnEveryLink
  @Proves({"S2.5", "S2.6", "S2.7"})
  void aBatchThatDoesNotFitLeavesTheQueueAsItWas(TckLink link) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(16, 64, 1, 1, 0)).open()) {
      QueuePairEx qp = pair.left().qp();
      int depth = qp.queryInit().maxSendWr();
      SendWr[] all = new SendWr[depth + 1];
      Arrays.setAll(all, i -> SendWrs.send(100 + i));
      WorkRequestException full = Refusal.of(() -> PostingApi.WR.post(qp, SendWrs.list(all)));
      assertThat(full.errno()).isIn(Errno.ENOMEM, Errno.ENOSPC);
      assertThat(full.index()).as("index of the one too many").isEqualTo(depth);

      qp.wrStart();
      for (SendWr wr : all) {
        PostingApi.build(qp, wr);
      }
      qp.wrAbort();
      assertTheQueueIsEmpty(pair);
    }
  }

  @OnEveryLink
  @Proves({"S2.5", "WR-127"})
  void theFirstFailureWinsAndIsForgottenWithTheNextStart(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      WorkRequestException refusal =
          Refusal.of(
              () -> {
                qp.wrStart();
                PostingApi.build(qp, SendWrs.send(1));
                qp.wrSend();
                qp.wrSetSgeList(-1, new Sge[0]);
                for (int i = 0; i < 2 * qp.queryInit().maxSendWr(); i++) {
                  PostingApi.build(qp, SendWrs.send(2));
                }
                qp.wrComplete();
              });
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      assertThat(refusal.index()).isEqualTo(1);
      PostingApi.WR.post(qp, SendWrs.write(3, pair.right(), 0));
      pair.left().sent(3);
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves({"WR-021", "WR-022", "S2.22", "S2.23"})
  void batchesOfBothApisMayAlternate(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      int batches = 100;
      for (int i = 0; i < batches; i++) {
        PostingApi api = i % 2 == 0 ? PostingApi.POST_SEND : PostingApi.WR;
        pair.left().setLong(0, i);
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.write(2L * i, pair.right(), 0, pair.left().sge(0, 8)),
                SendWrs.fetchAdd(2L * i + 1, pair.right(), 8, 1, pair.left().sge(8, 8))));
        if (i % 10 == 9) {
          for (int done = i - 9; done <= i; done++) {
            assertThat(pair.left().sent(2L * done).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
            assertThat(pair.left().sent(2L * done + 1).opcode()).isEqualTo(WcOpcode.FETCH_ADD);
          }
          assertThat(pair.right().getLong(0)).isEqualTo(i);
          assertThat(pair.right().getLong(8)).isEqualTo(i + 1);
          assertThat(pair.left().getLong(8)).isEqualTo(i);
        }
      }
    }
  }

  @OnEveryLink
  @Proves({"WR-021", "S2.23"})
  void completionsDoNotTellTheApis(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      for (int kind = 0; kind < 4; kind++) {
        SendWr wr = mixed(pair, kind);
        Map<PostingApi, WorkCompletion> completions = new EnumMap<>(PostingApi.class);
        for (PostingApi api : PostingApi.values()) {
          pair.right().postRecv(1, pair.right().sge(4096, 256));
          api.post(pair.left().qp(), wr);
          completions.put(api, pair.left().sent(wr.wrId()));
        }
        assertThat(completions.get(PostingApi.WR))
            .usingRecursiveComparison()
            .isEqualTo(completions.get(PostingApi.POST_SEND));
      }
    }
  }

  /** Nothing completes, nothing was sent, and the whole queue can be filled. */
  private static void assertTheQueueIsEmpty(QpPair pair) {
    int depth = pair.left().qp().queryInit().maxSendWr();
    for (int i = 0; i < depth; i++) {
      PostingApi.WR.post(pair.left().qp(), SendWrs.sendImm(i, i));
    }
    for (int i = 0; i < depth; i++) {
      pair.right().postRecv(i);
    }
    for (int i = 0; i < depth; i++) {
      pair.left().sent(i);
      assertThat(pair.right().received(i).immData()).isEqualTo(i);
    }
    pair.left().assertNothingSent();
    pair.right().assertNothingReceived();
  }

  private static SendWr mixed(QpPair pair, int i) {
    long wrId = 1000L + i;
    return switch (i % 4) {
      case 0 -> SendWrs.send(wrId, pair.left().sge(4096, 200));
      case 1 -> SendWrs.fetchAdd(wrId, pair.right(), 8, 13, pair.left().sge(0, 8));
      case 2 -> SendWrs.write(wrId, pair.right(), 8192, pair.left().sge(8192, 5000));
      default -> SendWrs.read(wrId, pair.right(), 16_384, pair.left().sge(16_384, 5000));
    };
  }
}
