package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;

/** Compare-and-swap and fetch-and-add on a peer's memory: S5.4.1, S5.4.2. */
final class AtomicValueTest {
  private static final long LANDING = 8;
  private static final long TARGET = 64;

  @OnEveryLink
  @Proves("S5.4.1")
  void compareAndSwapStoresOnlyIfEqualAndReturnsTheOldValue(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      long start = 0x0102030405060708L;
      assertThat(swap(pair, start, start, 0x1122334455667788L))
          .containsExactly(start, 0x1122334455667788L);
      assertThat(swap(pair, start, start + 1, -1)).containsExactly(start, start);
      assertThat(swap(pair, start, Long.reverseBytes(start), -1)).containsExactly(start, start);
      assertThat(swap(pair, -1, -1, 0)).containsExactly(-1L, 0L);
    }
  }

  @OnEveryLink
  @Proves("S5.4.1")
  void fetchAndAddAddsModulo64BitsAndReturnsTheOldValue(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      assertThat(add(pair, 40, 2)).containsExactly(40L, 42L);
      assertThat(add(pair, 0x00ff_ffff_ffff_ffffL, 1))
          .containsExactly(0x00ff_ffff_ffff_ffffL, 0x0100_0000_0000_0000L);
      assertThat(add(pair, -1, 1)).containsExactly(-1L, 0L);
      assertThat(add(pair, Long.MAX_VALUE, Long.MAX_VALUE)).containsExactly(Long.MAX_VALUE, -2L);
      assertThat(add(pair, 5, -7)).containsExactly(5L, -2L);
    }
  }

  @OnEveryLink
  @Proves("S5.4.1")
  void theOldValueIsScatteredOverTheElementsAndNothingElseIsTouched(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      right.setLong(TARGET - 8, -1);
      right.setLong(TARGET, 0x0807060504030201L);
      right.setLong(TARGET + 8, -1);
      SendWr wr =
          SendWrs.fetchAdd(1, right, TARGET, 1, left.sge(0, 3))
              .sgList(left.sge(0, 3), left.sge(16, 5));
      left.qp().postSend(wr);
      left.sent(1);
      assertThat(left.bytes(0, 4)).containsExactly(1, 2, 3, 0);
      assertThat(left.bytes(16, 6)).containsExactly(4, 5, 6, 7, 8, 0);
      assertThat(right.getLong(TARGET - 8)).isEqualTo(-1);
      assertThat(right.getLong(TARGET + 8)).isEqualTo(-1);
    }
  }

  @OnEveryLink
  @Proves("S5.4.2")
  void concurrentAdditionsFromManyQueuePairsSumExactly(TckLink link) throws Exception {
    int adders = 4;
    int each = 150;
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd target = pair.right();
      target.setLong(TARGET, 0);
      List<QpEnd> ends = new ArrayList<>();
      for (int i = 0; i < adders; i++) {
        ends.add(setup.another(pair).left());
      }
      List<Background<Long>> running =
          ends.stream().map(end -> Background.call(() -> addUp(end, target, each))).toList();
      long sumOfOldValues = 0;
      for (Background<Long> one : running) {
        sumOfOldValues += one.result();
      }
      long total = (long) adders * each;
      assertThat(target.getLong(TARGET)).isEqualTo(total);
      assertThat(sumOfOldValues).as("each old value once").isEqualTo(total * (total - 1) / 2);
    }
  }

  /** Adds 1 so many times; the sum of the values found before. */
  private static long addUp(QpEnd from, QpEnd target, int times) {
    long sum = 0;
    for (int i = 0; i < times; i++) {
      from.qp().postSend(SendWrs.fetchAdd(i, target, TARGET, 1, from.sge(LANDING, 8)));
      from.sent(i);
      sum += from.getLong(LANDING);
    }
    return sum;
  }

  /** The value returned and the value then at the peer, after a compare-and-swap. */
  private static List<Long> swap(QpPair pair, long present, long compare, long swap) {
    QpEnd left = pair.left();
    pair.right().setLong(TARGET, present);
    left.qp()
        .postSend(
            SendWrs.compareSwap(1, pair.right(), TARGET, compare, swap, left.sge(LANDING, 8)));
    left.sent(1);
    return List.of(left.getLong(LANDING), pair.right().getLong(TARGET));
  }

  /** The value returned and the value then at the peer, after a fetch-and-add. */
  private static List<Long> add(QpPair pair, long present, long add) {
    QpEnd left = pair.left();
    pair.right().setLong(TARGET, present);
    left.qp().postSend(SendWrs.fetchAdd(1, pair.right(), TARGET, add, left.sge(LANDING, 8)));
    left.sent(1);
    return List.of(left.getLong(LANDING), pair.right().getLong(TARGET));
  }
}
