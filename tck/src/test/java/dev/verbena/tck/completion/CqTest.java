package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.WorkCompletion;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Sizes and polling of completion queues: S6.1, S6.2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CqTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  @Proves("S6.1")
  void sizesFromOneToTheDevicesLimitAreGranted() {
    int most = context.queryDevice().maxCqe();
    for (int size : new int[] {1, 2, 3, 1000, most}) {
      Object mine = new Object();
      CompletionQueue cq = context.createCq(size, mine, null, 0);
      assertThat(cq.cqe()).isGreaterThanOrEqualTo(size);
      assertThat(cq.cqContext()).isSameAs(mine);
      assertThat(cq.channel()).isNull();
      assertThat(cq.context()).isSameAs(context);
      cq.destroy();
    }
  }

  @Test
  @Proves("S6.1")
  void otherSizesAreRefusedByValueAndLimit() {
    int most = context.queryDevice().maxCqe();
    for (int size : new int[] {0, -1, most + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      if (size < 1 || size > most) {
        Refused.of(() -> context.createCq(size), Errno.EINVAL)
            .from("createCq")
            .naming(Integer.toString(size), Integer.toString(most));
      }
    }
  }

  @Test
  @Proves("S6.1")
  void aCompletionVectorThatDoesNotExistIsRefused() {
    assertThat(context.numCompVectors()).isPositive();
    context.createCq(4, null, null, context.numCompVectors() - 1).destroy();
    for (int vector : new int[] {-1, context.numCompVectors(), Integer.MAX_VALUE}) {
      Refused.of(() -> context.createCq(4, null, null, vector), Errno.EINVAL)
          .naming(Integer.toString(vector));
    }
  }

  @Test
  void aChannelOfAnotherContextIsRefused() {
    try (Context other = Devices.open(context.device().spec());
        var channel = other.createCompChannel()) {
      Refused.of(() -> context.createCq(4, channel), Errno.EINVAL).naming("context");
    }
  }

  @Test
  @Proves("S6.2")
  void anEmptyQueueYieldsNothingAndNeverBlocks() {
    try (CompletionQueue cq = context.createCq(4)) {
      WorkCompletion[] wcs = completions(4);
      assertThat(cq.poll(wcs)).isZero();
      assertThat(cq.poll(0, wcs)).isZero();
      assertThat(cq.poll(new WorkCompletion[0])).isZero();
      assertThat(cq.poll(wcs[0])).isFalse();
      Refused.of(() -> cq.poll(-1, wcs), Errno.EINVAL).naming("-1");
      Refused.of(() -> cq.poll(5, wcs), Errno.EINVAL).naming("5", "4");
    }
  }

  @OnEveryLink
  @Proves("S6.2")
  void pollingTakesWhatItReturnsInOrder(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      for (int id = 1; id <= 7; id++) {
        right.postRecv(id, right.sge(0, 8));
        left.qp().postSend(SendWrs.send(id, left.sge(0, 8)));
        left.sent(id);
      }
      WorkCompletion[] wcs = completions(10);
      assertThat(right.recvCq().poll(0, wcs)).isZero();
      assertThat(right.recvCq().poll(3, wcs)).isEqualTo(3);
      assertThat(ids(wcs, 3)).containsExactly(1, 2, 3);
      assertThat(right.recvCq().poll(wcs[0])).isTrue();
      assertThat(wcs[0].wrId()).isEqualTo(4);
      assertThat(right.recvCq().poll(wcs)).isEqualTo(3);
      assertThat(ids(wcs, 3)).containsExactly(5, 6, 7);
      assertThat(right.recvCq().poll(wcs)).isZero();
    }
  }

  @OnEveryLink
  @Proves("S6.2")
  void completionsOfManyQueuesCollectInOneQueueInTheOrderOfCompletion(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd left = pair.left();
      CompletionQueue shared = pair.right().context().createCq(64);
      QpEnd first = setup.end(pair.right().pd(), shared, shared);
      QpEnd second = setup.end(pair.right().pd(), shared, shared);
      QpEnd leftToSecond = setup.end(left.context(), left.pd());
      setup.connect(new QpPair(left, first));
      setup.connect(new QpPair(leftToSecond, second));
      for (int id = 0; id < 8; id++) {
        QpEnd from = id % 3 == 0 ? left : leftToSecond;
        QpEnd to = id % 3 == 0 ? first : second;
        to.postRecv(id, to.sge(0, 8));
        from.qp().postSend(SendWrs.send(id, from.sge(0, 8)));
        from.sent(id);
      }
      WorkCompletion[] wcs = completions(16);
      assertThat(shared.poll(wcs)).isEqualTo(8);
      assertThat(ids(wcs, 8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
      assertThat(Arrays.stream(wcs, 0, 8).map(WorkCompletion::qpNum))
          .containsOnly(first.qp().qpNum(), second.qp().qpNum());
    }
  }

  private static WorkCompletion[] completions(int count) {
    WorkCompletion[] wcs = new WorkCompletion[count];
    Arrays.setAll(wcs, i -> new WorkCompletion());
    return wcs;
  }

  private static long[] ids(WorkCompletion[] wcs, int count) {
    return Arrays.stream(wcs, 0, count).mapToLong(WorkCompletion::wrId).toArray();
  }
}
