package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.CreateCqFlags;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Making completion queues with a cursor, and reading with it: S6.12 to S6.15. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CqExTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  void aQueueHasWhatItWasAskedForAndUsesItsChannel() {
    int all = WcExFlags.STANDARD_FLAGS;
    int flags = CreateCqFlags.SINGLE_THREADED | CreateCqFlags.IGNORE_OVERRUN;
    Object mine = new Object();
    var channel = context.createCompChannel();
    CompletionQueueEx cq =
        context.createCqEx(
            new CqInitAttrEx(100).cqContext(mine).channel(channel).wcFlags(all).flags(flags));
    assertThat(cq.cqe()).isGreaterThanOrEqualTo(100);
    assertThat(cq.cqContext()).isSameAs(mine);
    assertThat(cq.channel()).isSameAs(channel);
    assertThat(cq.context()).isSameAs(context);
    Refused.of(channel::destroy, Errno.EBUSY);
    cq.destroy();
    channel.destroy();
  }

  @OnEveryLink
  @Proves("S6.12")
  void everyStandardFieldIsGrantedAloneAndWithAllOthersAndCanBeRead(TckLink link) {
    Map<Integer, ToLongFunction<CompletionQueueEx>> readers = new LinkedHashMap<>();
    readers.put(WcExFlags.BYTE_LEN, CompletionQueueEx::readByteLen);
    readers.put(WcExFlags.IMM, CompletionQueueEx::readImmData);
    readers.put(WcExFlags.QP_NUM, CompletionQueueEx::readQpNum);
    readers.put(WcExFlags.SRC_QP, CompletionQueueEx::readSrcQp);
    readers.put(WcExFlags.SLID, CompletionQueueEx::readSlid);
    readers.put(WcExFlags.SL, CompletionQueueEx::readSl);
    readers.put(WcExFlags.DLID_PATH_BITS, CompletionQueueEx::readDlidPathBits);
    assertThat(readers.keySet().stream().reduce(0, (a, b) -> a | b))
        .isEqualTo(WcExFlags.STANDARD_FLAGS);
    PairSetup setup = PairSetup.on(link).type(QpType.UD);
    for (int granted : List.of(WcExFlags.STANDARD_FLAGS, 0)) {
      for (int field : readers.keySet()) {
        CqInitAttrEx attr = new CqInitAttrEx(4).wcFlags(granted | field);
        try (CursorBench bench = CursorBench.open(setup, attr)) {
          QpEnd left = bench.left();
          QpEnd right = bench.right();
          left.postRecv(1, left.sge(0, 64));
          AddressHandle ah = right.ahTo(left);
          Runnable send =
              () -> {
                right.qp().postSend(right.to(left, ah, SendWrs.sendImm(2, 77)));
                right.sent(2);
              };
          send.run();
          Await.until(
              "a datagram",
              () -> {
                boolean arrived = bench.cq().startPoll();
                if (!arrived && link.isFaulty()) {
                  send.run();
                }
                return arrived;
              });
          assertThat(bench.cq().wrId()).isEqualTo(1);
          List<Long> expected =
              switch (field) {
                case WcExFlags.BYTE_LEN -> List.of(40L);
                case WcExFlags.IMM -> List.of(77L);
                case WcExFlags.QP_NUM -> List.of((long) left.qp().qpNum());
                case WcExFlags.SRC_QP -> List.of((long) right.qp().qpNum());
                case WcExFlags.SL -> left.serviceLevels().stream().map(Integer::longValue).toList();
                case WcExFlags.SLID -> List.of((long) right.qp().endpoint().lid());
                default -> List.of(0L);
              };
          assertThat(readers.get(field).applyAsLong(bench.cq()))
              .as(WcExFlags.class.getSimpleName() + " %d", field)
              .isIn(expected);
          bench.cq().endPoll();
        }
      }
    }
  }

  @OnEveryLink
  @Proves("S6.12")
  void ignoringAnOverrunLosesCompletionsAndNothingElse(TckLink link) throws InterruptedException {
    CqInitAttrEx attr = new CqInitAttrEx(2).flags(CreateCqFlags.IGNORE_OVERRUN);
    try (CursorBench bench = CursorBench.open(PairSetup.on(link), attr)) {
      int most = bench.cq().cqe();
      QpEnd left = bench.left();
      QpEnd right = bench.right();
      for (int id = 0; id <= most + 2; id++) {
        right.postRecv(id, right.sge(0, 8));
        left.qp().postSend(SendWrs.send(id, left.sge(0, 8)));
        right.received(id);
      }
      left.drain();
      Events.assertNone(left.context());
      assertThat(left.queryState()).isEqualTo(QpState.RTS);
      int found = 0;
      while (left.sendCq().poll(new WorkCompletion())) {
        found++;
      }
      assertThat(found).isBetween(1, most);
      bench.write(99);
      left.sent(99);
    }
  }

  @Test
  @Proves("S6.12")
  void fieldsAndFlagsTheDeviceDoesNotHaveAreRefused() {
    int[] fields = {WcExFlags.CVLAN, WcExFlags.FLOW_TAG, WcExFlags.TM_INFO, 1 << 12, 1 << 31};
    for (int field : fields) {
      CqInitAttrEx attr = new CqInitAttrEx(4).wcFlags(WcExFlags.STANDARD_FLAGS, field);
      if (field > 0 && field <= WcExFlags.TM_INFO && isGranted(attr)) {
        continue;
      }
      Refused.of(() -> context.createCqEx(attr), Errno.EOPNOTSUPP, Errno.EINVAL)
          .from("createCqEx")
          .naming(Integer.toHexString(field));
    }
    for (int flag : new int[] {1 << 2, 1 << 31}) {
      CqInitAttrEx attr = new CqInitAttrEx(4).flags(CreateCqFlags.IGNORE_OVERRUN, flag);
      Refused.of(() -> context.createCqEx(attr), Errno.EOPNOTSUPP, Errno.EINVAL)
          .naming(Integer.toHexString(flag));
    }
  }

  private boolean isGranted(CqInitAttrEx attr) {
    try (CompletionQueueEx cq = context.createCqEx(attr)) {
      return !cq.isClosed();
    } catch (VerbsException refused) {
      return false;
    }
  }

  @Test
  @Proves("S6.12")
  void sizesVectorsAndForeignObjectsAreRefusedAsForOtherQueues() {
    int most = context.queryDevice().maxCqe();
    for (int size : new int[] {0, -1, most + 1}) {
      Refused.of(() -> context.createCqEx(new CqInitAttrEx(size)), Errno.EINVAL)
          .naming(Integer.toString(size), Integer.toString(most));
    }
    CqInitAttrEx vector = new CqInitAttrEx(4).compVector(context.numCompVectors());
    Refused.of(() -> context.createCqEx(vector), Errno.EINVAL);
    try (Context other = Devices.open(context.device().spec())) {
      CqInitAttrEx channel = new CqInitAttrEx(4).channel(other.createCompChannel());
      Refused.of(() -> context.createCqEx(channel), Errno.EINVAL).naming("context");
      ParentDomain domain = other.allocParentDomain(other.allocPd(), null);
      CqInitAttrEx parent = new CqInitAttrEx(4).parentDomain(domain);
      Refused.of(() -> context.createCqEx(parent), Errno.EINVAL).naming("context");
    }
  }

  @Test
  @Proves("S6.12")
  void aParentDomainIsBusyWhileAQueueUsesIt() {
    var pd = context.allocPd();
    ParentDomain domain = context.allocParentDomain(pd, null);
    CompletionQueueEx cq = context.createCqEx(new CqInitAttrEx(4).parentDomain(domain));
    Refused.of(domain::dealloc, Errno.EBUSY);
    Refused.of(pd::close, Errno.EBUSY);
    cq.destroy();
    domain.dealloc();
    pd.dealloc();
  }

  @OnEveryLink
  @Proves("S6.13")
  void anEmptyQueueStartsNothing(TckLink link) throws Exception {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      assertThat(cq.startPoll()).isFalse();

      assertThatThrownBy(cq::endPoll).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(cq::nextPoll).isInstanceOf(IllegalStateException.class);
      assertThat(Background.call(cq::startPoll).result()).isFalse();
      bench.write(1);
      assertThat(Background.call(() -> Await.completion(cq, "the write")).result().wrId())
          .isEqualTo(1);
    }
  }

  @OnEveryLink
  @Proves({"S6.13", "S6.14"})
  void theCursorVisitsInOrderAndTakesWhatItVisited(TckLink link) {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      bench.write(1, 2, 3);
      bench.start();
      assertThat(cq.wrId()).isEqualTo(1);
      assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
      bench.next();
      assertThat(cq.wrId()).isEqualTo(2);
      cq.endPoll();

      bench.start();
      assertThat(cq.wrId()).isEqualTo(3);
      assertThat(cq.nextPoll()).isFalse();
      cq.endPoll();
      assertThat(cq.startPoll()).isFalse();
      assertThat(cq.poll(new WorkCompletion())).isFalse();
    }
  }

  @OnEveryLink
  @Proves("S6.13")
  void afterTheLastCompletionTheEndIsStillToBeTold(TckLink link) throws Exception {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      bench.write(1);
      bench.start();
      assertThat(cq.nextPoll()).isFalse();
      assertThatThrownBy(cq::wrId).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(cq::status).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(cq::readOpcode).isInstanceOf(IllegalStateException.class);
      Background<Boolean> other = Background.call(cq::startPoll).awaitBlocked();

      cq.endPoll();

      assertThat(other.result()).isFalse();
      assertThatThrownBy(cq::endPoll).isInstanceOf(IllegalStateException.class);
    }
  }

  @OnEveryLink
  @Proves("S6.13")
  void theCursorSeesWhatCompletesWhileItReads(TckLink link) {
    try (CursorBench bench = CursorBench.open(link)) {
      bench.write(1);
      bench.start();
      assertThat(bench.cq().nextPoll()).isFalse();
      bench.write(2);
      bench.next();
      assertThat(bench.cq().wrId()).isEqualTo(2);
      bench.cq().endPoll();
    }
  }

  @OnEveryLink
  @Proves("S6.14")
  void pollAndCursorTakeTurns(TckLink link) {
    try (CursorBench bench = CursorBench.open(link)) {
      bench.write(1, 2, 3, 4, 5);
      for (long id = 1; id <= 5; id++) {
        if (id % 2 == 0) {
          bench.left().sent(id);
        } else {
          bench.start();
          assertThat(bench.cq().wrId()).isEqualTo(id);
          bench.cq().endPoll();
        }
      }
      assertThat(bench.cq().startPoll()).isFalse();
    }
  }

  @OnEveryLink
  @Proves("S6.14")
  void pollingOrStartingUnderACursorOfTheSameThreadIsToldAtOnce(TckLink link) {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      WorkCompletion[] wcs = {new WorkCompletion()};
      bench.write(1);
      bench.start();
      assertThatThrownBy(cq::startPoll).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> cq.poll(wcs)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> cq.poll(wcs[0])).isInstanceOf(IllegalStateException.class);
      assertThat(cq.wrId()).isEqualTo(1);
      cq.endPoll();
    }
  }

  @OnEveryLink
  @Proves("S6.15")
  void anotherThreadWaitsForTheEnd(TckLink link) throws Exception {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      bench.write(1);
      bench.start();
      Background<Long> other = Background.call(() -> readOne(cq)).awaitBlocked();
      bench.write(2);
      Await.until("the second completion", cq::nextPoll);
      cq.endPoll();
      bench.write(3);
      assertThat(other.result()).isEqualTo(3);
    }
  }

  private static long readOne(CompletionQueueEx cq) {
    while (!cq.startPoll()) {
      Thread.onSpinWait();
    }
    long id = cq.wrId();
    cq.endPoll();
    return id;
  }

  @OnEveryLink
  @Proves({"S6.15", "S6.12"})
  void aSingleThreadedQueueLocksNobodyOut(TckLink link) throws Exception {
    PairSetup setup = PairSetup.on(link);
    CqInitAttrEx single = CursorBench.standard().flags(CreateCqFlags.SINGLE_THREADED);
    try (CursorBench bench = CursorBench.open(setup, single)) {
      bench.write(1, 2);
      bench.start();
      assertThat(Background.call(() -> readOne(bench.cq())).result()).isEqualTo(2);
    }
  }

  @OnEveryLink
  @Proves("S6.15")
  void whoFindsNothingInASingleThreadedQueueLeavesItToOthers(TckLink link) throws Exception {
    CqInitAttrEx single = CursorBench.standard().flags(CreateCqFlags.SINGLE_THREADED);
    try (CursorBench bench = CursorBench.open(PairSetup.on(link), single)) {
      bench.write(1);
      bench.start();
      assertThat(Background.call(bench.cq()::startPoll).result()).isFalse();
      bench.write(2);
      WorkCompletion wc = new WorkCompletion();
      Await.until("the completion behind it", () -> bench.cq().poll(wc));
      assertThat(wc.wrId()).isEqualTo(2);
    }
  }

  @Test
  @Proves({"S6.15", "S6.12"})
  void aThreadDomainLocksNobodyOutEither() throws Exception {
    PairSetup setup = PairSetup.on(TckLink.selected().getFirst());
    try (QpPair base = setup.openUnconnected()) {
      Context left = base.left().context();
      ParentDomain domain = left.allocParentDomain(base.left().pd(), left.allocTd());
      CompletionQueueEx cq = left.createCqEx(CursorBench.standard().parentDomain(domain));
      QpPair pair = new QpPair(setup.end(base.left().pd(), cq, cq), base.right());
      setup.connect(pair);
      pair.left()
          .qp()
          .postSend(
              SendWrs.list(SendWrs.write(1, pair.right(), 0), SendWrs.write(2, pair.right(), 0)));
      Await.until("the completion", cq::startPoll);
      assertThat(Background.call(() -> readOne(cq)).result()).isEqualTo(2);
    }
  }

  @OnEveryLink
  @Proves("S6.13")
  void aFieldThatWasNotAskedForCannotBeRead(TckLink link) {
    Map<Integer, Map<String, ToLongFunction<CompletionQueueEx>>> readers = new LinkedHashMap<>();
    readers.put(WcExFlags.BYTE_LEN, Map.of("readByteLen", CompletionQueueEx::readByteLen));
    readers.put(
        WcExFlags.IMM,
        Map.of(
            "readImmData", CompletionQueueEx::readImmData,
            "readInvalidatedRkey", CompletionQueueEx::readInvalidatedRkey));
    readers.put(WcExFlags.QP_NUM, Map.of("readQpNum", CompletionQueueEx::readQpNum));
    readers.put(WcExFlags.SRC_QP, Map.of("readSrcQp", CompletionQueueEx::readSrcQp));
    readers.put(WcExFlags.SLID, Map.of("readSlid", CompletionQueueEx::readSlid));
    readers.put(WcExFlags.SL, Map.of("readSl", CompletionQueueEx::readSl));
    readers.put(
        WcExFlags.DLID_PATH_BITS, Map.of("readDlidPathBits", CompletionQueueEx::readDlidPathBits));
    readers.put(
        WcExFlags.COMPLETION_TIMESTAMP,
        Map.of("readCompletionTs", CompletionQueueEx::readCompletionTs));
    readers.put(
        WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK,
        Map.of("readCompletionWallclockNs", CompletionQueueEx::readCompletionWallclockNs));
    for (int asked : readers.keySet()) {
      if (asked == WcExFlags.BYTE_LEN || link == TckLink.selected().getFirst()) {
        assertReadable(link, asked, readers);
      }
    }
  }

  private static void assertReadable(
      TckLink link, int asked, Map<Integer, Map<String, ToLongFunction<CompletionQueueEx>>> all) {
    try (CursorBench bench =
        CursorBench.open(PairSetup.on(link), new CqInitAttrEx(4).wcFlags(asked))) {
      CompletionQueueEx cq = bench.cq();
      bench.write(77);
      bench.start();
      assertThat(cq.wrId()).isEqualTo(77);
      assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(cq.readOpcode()).isEqualTo(WcOpcode.RDMA_WRITE);
      assertThat(cq.readVendorErr()).isZero();
      assertThat(cq.readWcFlags()).isZero();
      all.forEach(
          (field, readers) ->
              readers.forEach(
                  (name, reader) -> {
                    if (field == asked) {
                      assertThatCode(() -> reader.applyAsLong(cq)).doesNotThrowAnyException();
                    } else {
                      Refused.of(() -> reader.applyAsLong(cq), Errno.EOPNOTSUPP).from(name);
                    }
                  }));
      cq.endPoll();
    }
  }
}
