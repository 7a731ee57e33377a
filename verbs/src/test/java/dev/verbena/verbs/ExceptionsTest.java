package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the messages and the cost of failures. */
class ExceptionsTest {
  @Test
  @Proves("PY-014")
  void aVerbsExceptionNamesCallDetailAndErrorNumber() {
    VerbsException e =
        new VerbsException("createQp", Errno.EINVAL, "max_send_sge 17 is above the device's 16");
    assertThat(e)
        .hasMessage(
            "createQp: max_send_sge 17 is above the device's 16 (EINVAL: Invalid argument)");
    assertThat(e.function()).isEqualTo("createQp");
    assertThat(e.errno()).isEqualTo(22);
    assertThat(e.getStackTrace()).isNotEmpty();
  }

  @Test
  @Proves("PY-015")
  void itTurnsIntoAnIoExceptionWithItselfAsCause() {
    VerbsException e = new VerbsException("openDevice", Errno.EADDRINUSE, "port 4791 is taken");
    assertThat(e.toIOException()).hasMessage(e.getMessage()).hasCause(e);
  }

  @Test
  void itKeepsItsCause() {
    IllegalStateException cause = new IllegalStateException("closed");
    assertThat(new VerbsException("regMr", Errno.EFAULT, "arena", cause)).hasCause(cause);
  }

  @Test
  void aFullQueueIsReportedWithoutStackTrace() {
    SendWr bad = new SendWr().wrId(42);
    WorkRequestException full =
        new WorkRequestException("postSend", Errno.ENOMEM, "QP 0x11", "16 are in it", bad, 3);
    assertThat(full.getStackTrace()).isEmpty();
    full.addSuppressed(new IllegalStateException());
    assertThat(full.getSuppressed()).isEmpty();
    bad.wrId(43);
    assertThat(full)
        .hasMessage(
            "postSend: QP 0x11, wr_id 42, request 4 of the list: 16 are in it"
                + " (ENOMEM: Cannot allocate memory)");
    assertThat(full.badSendWr()).isSameAs(bad);
    assertThat(full.badRecvWr()).isNull();
    assertThat(full.index()).isEqualTo(3);
  }

  @Test
  void everyOtherPostingFailureHasAStackTrace() {
    RecvWr bad = new RecvWr();
    WorkRequestException invalid =
        new WorkRequestException("postRecv", Errno.EINVAL, "QP 0x11", "num_sge -1", bad, 0);
    assertThat(invalid)
        .hasMessage("postRecv: QP 0x11, wr_id 0: num_sge -1 (EINVAL: Invalid argument)");
    assertThat(invalid.getStackTrace()).isNotEmpty();
    assertThat(invalid.badRecvWr()).isSameAs(bad);
    assertThat(invalid.badSendWr()).isNull();
    WorkRequestException builder =
        new WorkRequestException("wrComplete", Errno.EOPNOTSUPP, "QP 0x11", "no TSO", null, 1);
    assertThat(builder.detail()).isEqualTo("QP 0x11, request 2 of the batch: no TSO");
    assertThat(builder.badSendWr()).isNull();
    assertThat(builder.badRecvWr()).isNull();
  }

  @Test
  void aClosedObjectIsEbadf() {
    ObjectClosedException e = new ObjectClosedException("postSend", "QP 0x11");
    assertThat(e).hasMessage("postSend: QP 0x11 is closed (EBADF: Bad file descriptor)");
    assertThat(e.errno()).isEqualTo(Errno.EBADF);
  }

  @Test
  @Proves("PY-015")
  void allOfThemAreRdmaExceptions() {
    assertThat(new VerbsException("regMr", Errno.EINVAL, "length 0"))
        .isInstanceOf(RdmaException.class);
    assertThat(new WcException(new WorkCompletion().status(WcStatus.REM_ACCESS_ERR)))
        .isInstanceOf(RdmaException.class);
  }

  @Test
  void aCompletionWithAnErrorThrowsIfAskedTo() {
    WorkCompletion good = new WorkCompletion().wrId(1);
    assertThat(good.orThrow()).isSameAs(good);
    WorkCompletion bad = new WorkCompletion().wrId(2).status(WcStatus.LOC_PROT_ERR);
    assertThatThrownBy(bad::orThrow)
        .isInstanceOfSatisfying(
            WcException.class, e -> assertThat(e.workCompletion().wrId()).isEqualTo(2));
  }

  @Test
  void aWcExceptionKeepsACopyOfTheCompletion() {
    WorkCompletion wc =
        new WorkCompletion()
            .wrId(42)
            .status(WcStatus.RNR_RETRY_EXC_ERR)
            .qpNum(0x11)
            .vendorErr(0x81);
    WcException e = new WcException(wc);
    wc.wrId(43).status(WcStatus.SUCCESS);
    assertThat(e)
        .hasMessage(
            "Error work completion - 13 RNR retry counter exceeded (op=SEND vend=0x81 wr_id=42"
                + " qp=0x11). Usual cause: the peer posted no receive in time, and rnr_retry is"
                + " less than 7");
    assertThat(e.workCompletion().wrId()).isEqualTo(42);
    assertThat(e.workCompletion().status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
  }

  /** What is told of a failed send, if the queue pair answers so when it is asked for its peer. */
  private static WcException whenAskedForThePeer(RdmaException answer) {
    CompletionQueue recvCq = Stubs.of(CompletionQueue.class);
    CompletionQueue[] sendCq = new CompletionQueue[1];
    QueuePair qp =
        Stubs.of(
            QueuePair.class,
            Map.of(
                "qpType",
                args -> QpType.RC,
                "sendCq",
                args -> sendCq[0],
                "recvCq",
                args -> recvCq,
                "query",
                args -> {
                  throw answer;
                }));
    Context context = Stubs.of(Context.class, Map.of("fromQpNum", args -> qp));
    sendCq[0] = Stubs.of(CompletionQueue.class, Map.of("context", args -> context));
    return new WcException(new WorkCompletion().status(WcStatus.RETRY_EXC_ERR).qpNum(7), sendCq[0]);
  }

  @Test
  @Proves("PY-071")
  void aDeviceThatFailsWhenAskedForThePeerDoesNotHideTheError() {
    WcException e = whenAskedForThePeer(new VerbsException("queryQp", Errno.EIO, "it is gone"));
    assertThat(e.qp()).isNotNull();
    assertThat(e.isRq()).isFalse();
    assertThat(e.peerGid()).isNull();
    assertThat(e.peerLid()).isEmpty();
    assertThat(e.peerQpn()).isEmpty();
    assertThat(e)
        .hasMessageStartingWith("Error work completion - 12 ")
        .hasMessageContaining("qp=0x7 SQ cq=stub)");
  }

  @Test
  @Proves("PY-071")
  void aQueuePairThatEndsMeanwhileIsNotNamed() {
    WcException e = whenAskedForThePeer(new ObjectClosedException("queryQp", "QP 0x7"));
    assertThat(e.qp()).isNull();
    assertThat(e.peerQpn()).isEmpty();
    assertThat(e).hasMessageContaining("qp=0x7 cq=stub)");
  }
}
