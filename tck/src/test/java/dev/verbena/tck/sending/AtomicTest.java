package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compare and swap and fetch and add on RC. */
@ByPacketsToo
final class AtomicTest {
  private static final long CELL = 4096;
  private static final long LANDING = 64;

  @OnEveryLinkAndApi
  @Proves({
    "PS-007",
    "PS-013",
    "PS-014",
    "PS-015",
    "PS-016",
    "PS-061",
    "WR-002",
    "WR-035",
    "WR-096",
    "S1.1/ATOMIC_CMP_AND_SWP",
    "S1.5.5",
    "S5.4.1"
  })
  void compareAndSwapStoresOnlyIfEqual(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      long old = 0x8877_6655_4433_2211L;
      pair.right().setLong(CELL, old);
      for (long wrong : new long[] {old + 1, old ^ (1L << 63), Long.reverseBytes(old)}) {
        WorkCompletion missed = swap(pair, api, wrong, 1);
        assertThat(missed.opcode()).isEqualTo(WcOpcode.COMP_SWAP);
        assertThat(missed.byteLen()).isEqualTo(8);
        assertThat(pair.left().getLong(LANDING)).isEqualTo(old);
        assertThat(pair.right().getLong(CELL)).isEqualTo(old);
      }
      swap(pair, api, old, 0x0102_0304_0506_0708L);
      assertThat(pair.left().getLong(LANDING)).isEqualTo(old);
      assertThat(pair.right().getLong(CELL)).isEqualTo(0x0102_0304_0506_0708L);
      assertThat(pair.right().getLong(CELL - 8)).isZero();
      assertThat(pair.right().getLong(CELL + 8)).isZero();
    }
  }

  @OnEveryLinkAndApi
  @Proves({
    "PS-007", "PS-013", "PS-014", "PS-016", "PS-066", "WR-003", "WR-040", "WR-097", "S1.5.5",
    "S5.4.1"
  })
  void fetchAndAddWrapsAndReturnsTheOldValue(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      long value = -3;
      pair.right().setLong(CELL, value);
      for (long add : new long[] {1, 5, Long.MIN_VALUE, 0xffff_ffffL, -1, 0}) {
        api.post(
            pair.left().qp(),
            SendWrs.fetchAdd(add, pair.right(), CELL, add, pair.left().sge(LANDING, 8)));
        WorkCompletion added = pair.left().sent(add);
        assertThat(added.opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(added.byteLen()).isEqualTo(8);
        assertThat(pair.left().getLong(LANDING)).isEqualTo(value);
        value += add;
        assertThat(pair.right().getLong(CELL)).isEqualTo(value);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.3.6", "S5.4.1"})
  void exactlyEightBytesLandWhateverTheElements(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      pair.right().setLong(CELL, 42);
      byte[] before = pair.left().fill(0, 64, 3);
      SendWr add = SendWrs.fetchAdd(1, pair.right(), CELL, 1, pair.left().sge(16, 24));
      api.post(pair.left().qp(), add);
      pair.left().sent(1);
      assertThat(pair.left().getLong(16)).isEqualTo(42);
      assertThat(pair.left().bytes(0, 16)).isEqualTo(slice(before, 0, 16));
      assertThat(pair.left().bytes(24, 40)).isEqualTo(slice(before, 24, 64));
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.1")
  void theOldValueIsScatteredOverTheElements(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      pair.right().setLong(CELL, 0x0807060504030201L);
      SendWr add =
          SendWrs.fetchAdd(1, pair.right(), CELL, 1, left.sge(0, 3))
              .sgList(left.sge(0, 3), left.sge(16, 5));
      api.post(left.qp(), add);
      left.sent(1);
      assertThat(left.bytes(0, 4)).containsExactly(1, 2, 3, 0);
      assertThat(left.bytes(16, 6)).containsExactly(4, 5, 6, 7, 8, 0);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.3.6", "S1.6/10"})
  void misalignedAtomicIsRefused(TckLink link, PostingApi api) {
    for (long offset : new long[] {1, 4, 7}) {
      try (QpPair pair = QpPair.open(link)) {
        byte[] before = pair.right().fill(CELL, 24, 4);
        SendWr add =
            SendWrs.fetchAdd(1, pair.right(), CELL + offset, 1, pair.left().sge(LANDING, 8));
        if (acceptedOrEinval(pair, api, add)) {
          pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
          pair.left().awaitState(QpState.ERR);
          pair.right().awaitState(QpState.ERR);
        }
        assertThat(pair.right().bytes(CELL, 24)).isEqualTo(before);
        assertThat(pair.left().getLong(LANDING)).isZero();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.3.6")
  void atomicNeedsEightBytesToLandIn(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      SendWr add = SendWrs.fetchAdd(1, pair.right(), CELL, 1, pair.left().sge(LANDING, 7));
      if (acceptedOrEinval(pair, api, add)) {
        pair.left().awaitSend(1, WcStatus.LOC_LEN_ERR);
        pair.left().awaitState(QpState.ERR);
      }
      assertThat(pair.left().getLong(LANDING)).isZero();
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.7")
  void atomicsOfOneQueueRunInOrder(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      int rounds = 30;
      for (int i = 0; i < rounds; i++) {
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.fetchAdd(2L * i, pair.right(), CELL, 1, pair.left().sge(16L * i, 8)),
                SendWrs.compareSwap(
                    2L * i + 1,
                    pair.right(),
                    CELL,
                    3L * i + 1,
                    3L * i + 3,
                    pair.left().sge(16L * i + 8, 8))));
      }
      for (int i = 0; i < rounds; i++) {
        pair.left().sent(2L * i);
        pair.left().sent(2L * i + 1);
        assertThat(pair.left().getLong(16L * i)).isEqualTo(3L * i);
        assertThat(pair.left().getLong(16L * i + 8)).isEqualTo(3L * i + 1);
      }
      assertThat(pair.right().getLong(CELL)).isEqualTo(3L * rounds);
    }
  }

  @OnEveryLink
  @Proves({"WR-095", "S5.4.2"})
  void additionsOfSeveralQueuePairsAreAllCounted(TckLink link) throws Exception {
    int adders = 4;
    int each = 250;
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      List<Background<List<Long>>> running = new ArrayList<>();
      for (int i = 0; i < adders; i++) {
        QpEnd from = i == 0 ? pair.left() : setup.another(pair).left();
        running.add(Background.call(() -> addUp(from, pair.right(), each)));
      }
      Set<Long> found = new HashSet<>();
      for (Background<List<Long>> one : running) {
        found.addAll(one.result());
      }
      assertThat(pair.right().getLong(CELL)).isEqualTo((long) adders * each);
      assertThat(found).as("old values, each seen once").hasSize(adders * each);
    }
  }

  /** Adds 1 to the cell this number of times, and returns the old values. */
  private static List<Long> addUp(QpEnd from, QpEnd to, int times) {
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      from.qp().postSend(SendWrs.fetchAdd(i, to, CELL, 1, from.sge(LANDING, 8)));
      from.sent(i);
      found.add(from.getLong(LANDING));
    }
    return found;
  }

  private static WorkCompletion swap(QpPair pair, PostingApi api, long compare, long swap) {
    api.post(
        pair.left().qp(),
        SendWrs.compareSwap(
            compare, pair.right(), CELL, compare, swap, pair.left().sge(LANDING, 8)));
    return pair.left().sent(compare);
  }

  /** Whether the request was queued; otherwise it was refused as S1.3.6 allows. */
  private static boolean acceptedOrEinval(QpPair pair, PostingApi api, SendWr wr) {
    WorkRequestException refusal =
        catchThrowableOfType(WorkRequestException.class, () -> api.post(pair.left().qp(), wr));
    if (refusal != null) {
      assertThat(refusal.errno()).as("errno of %s", refusal).isEqualTo(Errno.EINVAL);
    }
    return refusal == null;
  }

  private static byte[] slice(byte[] all, int from, int to) {
    return Arrays.copyOfRange(all, from, to);
  }
}
