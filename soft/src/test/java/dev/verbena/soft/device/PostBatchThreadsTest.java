package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The batch between wrStart and wrComplete: what it rejects, and how it ends when its owner ends.
 */
@Timeout(30)
class PostBatchThreadsTest {
  private static final int DEPTH = 8;
  private static final int INLINE = 16;

  private final ConnectedQp connected =
      ConnectedQp.open(
          "?link=packet",
          new QpCap(DEPTH, DEPTH, 2, 2, INLINE),
          SendOps.RDMA_WRITE,
          SendOps.RDMA_READ,
          SendOps.SEND);
  private final QueuePairEx qp = connected.qp();

  @AfterEach
  void close() {
    connected.close();
  }

  /** Each builds one valid request, and then an invalid one. */
  static List<Arguments> mistakes() {
    return List.of(
        mistake("an operation not asked for", Errno.EOPNOTSUPP, q -> q.wrSendImm(1)),
        mistake("one the device lacks", Errno.EOPNOTSUPP, q -> q.wrLocalInv(1)),
        mistake("no data", Errno.EINVAL, QueuePairEx::wrSend),
        mistake(
            "data twice",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetSge(0, 0, 0);
              q.wrSetInlineData(MemorySegment.ofArray(new byte[1]));
            }),
        mistake(
            "inline data of a READ",
            Errno.EINVAL,
            q -> {
              q.wrRdmaRead(0, 0);
              q.wrSetInlineData(MemorySegment.ofArray(new byte[1]));
            }),
        mistake(
            "too much inline data",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetInlineData(MemorySegment.ofArray(new byte[INLINE + 1]));
            }),
        mistake(
            "too much inline data in pieces",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              MemorySegment half = MemorySegment.ofArray(new byte[INLINE / 2 + 1]);
              q.wrSetInlineDataList(half, half);
            }),
        mistake(
            "a piece outside its segment",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetInlineData(MemorySegment.ofArray(new byte[4]), 2, 3);
            }),
        mistake(
            "too many elements",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetSgeList(new Sge(), new Sge(), new Sge());
            }),
        mistake(
            "more elements than the list has",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetSgeList(2, new Sge[] {new Sge()});
            }),
        mistake(
            "a segment without a key",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetSgeList(Sge.of(MemorySegment.ofArray(new byte[1])));
            }),
        mistake(
            "a length that 32 bits do not hold",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetSge(0, 0, 1L << 32);
            }),
        mistake(
            "a message longer than the port takes",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetSge(0, 0, Limits.MAX_MESSAGE + 1);
            }),
        mistake(
            "a setter of another type",
            Errno.EINVAL,
            q -> {
              q.wrSend();
              q.wrSetXrcSrqn(1);
              q.wrSetSge(0, 0, 0);
            }),
        mistake(
            "undefined flags",
            Errno.EINVAL,
            q -> {
              q.wrFlags(1 << 9);
              q.wrSend();
              q.wrFlags(SendFlags.SIGNALED);
            }));
  }

  private static Arguments mistake(String name, int errno, Consumer<QueuePairEx> build) {
    return Arguments.of(name, errno, build);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void theFirstFailureIsKeptAndNothingIsPosted(
      String name, int errno, Consumer<QueuePairEx> build) {
    qp.wrStart();
    qp.wrFlags(SendFlags.SIGNALED);
    write(1);
    build.accept(qp);
    write(2);
    qp.wrSendImm(3);
    WorkRequestException failure = failureOf(qp::wrComplete);
    assertThat(failure.errno()).as(failure.getMessage()).isEqualTo(errno);
    assertThat(failure.index()).isEqualTo(1);
    assertThat(failure).hasMessageStartingWith("wrComplete: %s, request 2 of the batch: ", name());
    assertThat(failure.badSendWr()).isNull();
    fillsToDepth();
  }

  @Test
  void aSetterBeforeAnyBuilderIsAMistakeOfNoBuilder() {
    qp.wrStart();
    qp.wrSetSge(0, 0, 0);
    write(1);
    WorkRequestException failure = failureOf(qp::wrComplete);
    assertThat(failure.errno()).isEqualTo(Errno.EINVAL);
    assertThat(failure.index()).isEqualTo(-1);
    assertThat(failure).hasMessageStartingWith("wrComplete: %s: wrSetSge without", name());
  }

  private String name() {
    return "QP 0x" + Integer.toHexString(qp.qpNum());
  }

  @Test
  void whoBuildsABatchCannotModifyTheQueuePair() {
    qp.wrStart();
    illegal(() -> qp.modify(new QpAttr().qpState(QpState.ERR)));
    write(1);
    qp.wrComplete();
    assertThat(connected.awaitCompletion().status()).isEqualTo(WcStatus.SUCCESS);
  }

  @Test
  void receivesMayBePostedInsideABatch() {
    qp.wrStart();
    qp.postRecv(new RecvWr().wrId(5));
    qp.wrAbort();
    qp.modify(new QpAttr().qpState(QpState.ERR));
    assertThat(connected.awaitCompletion().wrId()).isEqualTo(5);
  }

  @Test
  void aBatchMayBeHandedOverToAnotherThread() {
    qp.wrStart();
    write(1);
    CompletableFuture.runAsync(
            () -> {
              illegal(() -> qp.wrComplete());
              qp.resumeWr();
              write(2);
              qp.wrComplete();
              qp.resumeWr();
              illegal(() -> qp.wrComplete());
            })
        .join();
    assertThat(connected.awaitCompletion().wrId()).isEqualTo(1);
    assertThat(connected.awaitCompletion().wrId()).isEqualTo(2);
    fillsToDepth();
  }

  @Test
  void closingInsideABatchEndsIt() {
    qp.wrStart();
    write(1);
    qp.close();
    assertThat(qp.isClosed()).isTrue();
    connected.context().close();
  }

  @Test
  void whoWaitsToStartABatchLearnsThatTheQueuePairWasClosed() throws Exception {
    qp.wrStart();
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread waiter = Thread.ofPlatform().start(() -> outcome.complete(catchThrowable(qp::wrStart)));
    while (waiter.getState() != Thread.State.WAITING) {
      assertThat(waiter.isAlive()).as("waits for the batch").isTrue();
      Thread.onSpinWait();
    }
    qp.close();
    assertThat(outcome.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ObjectClosedException.class)
        .hasMessageStartingWith("wrStart: QP 0x");
    waiter.join();
  }

  /** Starts a thread for each call; returns what they throw, once all wait. */
  private static List<CompletableFuture<Throwable>> waiting(List<ThrowingCallable> calls) {
    List<CompletableFuture<Throwable>> outcomes = new ArrayList<>();
    for (ThrowingCallable call : calls) {
      CompletableFuture<Throwable> outcome = new CompletableFuture<>();
      Thread waiter = Thread.ofPlatform().start(() -> outcome.complete(catchThrowable(call)));
      while (waiter.getState() != Thread.State.WAITING) {
        assertThat(outcome).as("waits for the batch").isNotDone();
        Thread.onSpinWait();
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private static void assertAllReleased(List<CompletableFuture<Throwable>> outcomes)
      throws Exception {
    for (CompletableFuture<Throwable> outcome : outcomes) {
      assertThat(outcome.get(20, TimeUnit.SECONDS)).isInstanceOf(ObjectClosedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closingReleasesWhoWaitsForABatchThatItsThreadHasAbandoned(boolean wholeContext)
      throws Exception {
    // For example, an argument of a setter throws because a region is closed.
    Thread.ofPlatform().start(() -> qp.wrStart()).join();
    List<CompletableFuture<Throwable>> outcomes =
        waiting(
            List.of(
                () -> qp.postSend(new SendWr().wrId(1).opcode(WrOpcode.SEND)),
                () -> qp.postRecv(new RecvWr().wrId(2)),
                () -> qp.wrStart(),
                () -> qp.modify(new QpAttr().qpState(QpState.ERR)),
                () -> qp.postSend(new SendWr().wrId(3).opcode(WrOpcode.SEND))));
    if (wholeContext) {
      connected.context().close();
    } else {
      qp.close();
    }
    assertAllReleased(outcomes);
    // From here on no call waits.
    assertThatThrownBy(() -> qp.wrStart()).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> qp.postRecv(new RecvWr())).isInstanceOf(ObjectClosedException.class);
  }

  @Test
  void aBatchThatIsStillInUseWhenItsQueuePairIsClosedEndsInPeace() throws Exception {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    CompletableFuture<Throwable> left = new CompletableFuture<>();
    CountDownLatch open = new CountDownLatch(1);
    Thread owner =
        Thread.ofPlatform()
            .start(
                () -> {
                  qp.wrStart();
                  write(1);
                  open.countDown();
                  closed.join();
                  left.complete(catchThrowable(qp::wrComplete));
                });
    open.await();
    List<CompletableFuture<Throwable>> outcomes =
        waiting(List.of(() -> qp.wrStart(), () -> qp.wrStart()));
    qp.close();
    assertAllReleased(outcomes);
    closed.complete(null);
    assertThat(left.get(20, TimeUnit.SECONDS)).isInstanceOf(ObjectClosedException.class);
    owner.join();
  }

  @Test
  void closingReleasesWhoWaitsForAPollThatItsThreadHasAbandoned() throws Exception {
    CompletionQueueEx cq = connected.context().createCqEx(new CqInitAttrEx(16));
    QueuePair other = connected.pd().createQp(QpInitAttr.rc(cq));
    other.connect(other.endpoint(), 0);
    other.modify(new QpAttr().qpState(QpState.ERR));
    for (int i = 0; i < 4; i++) {
      other.postRecv(new RecvWr().wrId(i));
    }
    Thread.ofPlatform().start(() -> assertThat(cq.startPoll()).isTrue()).join();
    List<CompletableFuture<Throwable>> outcomes =
        waiting(
            List.of(
                () -> cq.startPoll(),
                () -> cq.poll(new WorkCompletion()),
                () -> cq.poll(1, new WorkCompletion[] {new WorkCompletion()})));
    connected.context().close();
    assertAllReleased(outcomes);
  }

  @Test
  void abortingABatchOfAClosedQueuePairDoesNothing() {
    qp.wrStart();
    write(1);
    qp.close();
    qp.wrAbort();
    qp.wrAbort();
    assertThatThrownBy(qp::wrStart).isInstanceOf(ObjectClosedException.class);
  }

  private void write(long id) {
    qp.wrId(id).wrFlags(SendFlags.SIGNALED);
    write();
  }

  private void write() {
    qp.wrRdmaWrite(connected.mr().rkey(), connected.mr().addr());
    qp.wrSetSge(connected.mr().lkey(), connected.mr().addr(), 8);
  }

  /** Checks that all slots are free, and work. */
  private void fillsToDepth() {
    qp.wrStart();
    for (int i = 0; i < DEPTH; i++) {
      write(100 + i);
    }
    qp.wrComplete();
    for (int i = 0; i < DEPTH; i++) {
      assertThat(connected.awaitCompletion().wrId()).isEqualTo(100 + i);
    }
  }

  private static WorkRequestException failureOf(Runnable call) {
    try {
      call.run();
    } catch (WorkRequestException e) {
      return e;
    }
    throw new AssertionError("did not fail");
  }

  private static void illegal(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
  }
}
