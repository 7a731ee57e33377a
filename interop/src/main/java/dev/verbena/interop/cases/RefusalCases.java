package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Pattern;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Requests that the target must refuse: bad keys and bounds, missing rights, SENDs that are too
 * long. Not for a lossy path, because the only NAK may be lost, and a queue pair in error sends no
 * other.
 */
final class RefusalCases {
  private static final int SIZE = 3000;
  private static final int SEED = 90;
  private static final int OTHER_SEED = 7;
  private static final long SOURCE_OFF = 256;
  private static final long SINK_OFF = 16384;

  /** The reports of both ends of a refused request. */
  private enum Verdict {
    /** Key, bounds or rights of the region (S1.6: "peer rkey invalid"). */
    ACCESS(WcStatus.REM_ACCESS_ERR),

    /** A right that the queue pair lacks. Linux reports this as the architecture demands. */
    QP_ACCESS(WcStatus.REM_INV_REQ_ERR),

    /**
     * A message longer than the receive (S3.2.3). rxe deviates as the responder: it NAKs a remote
     * operation error and completes its receive with a local QP operation error.
     */
    TOO_LONG(
        WcStatus.REM_INV_REQ_ERR,
        WcStatus.LOC_LEN_ERR,
        WcStatus.REM_OP_ERR,
        WcStatus.LOC_QP_OP_ERR),

    /**
     * A receive whose buffer is not writable. rxe deviates as the responder: its receive completes
     * with a local QP operation error.
     */
    RECEIVE_NOT_WRITABLE(
        WcStatus.REM_OP_ERR, WcStatus.LOC_PROT_ERR, WcStatus.REM_OP_ERR, WcStatus.LOC_QP_OP_ERR);

    private final WcStatus requester;
    private final Optional<WcStatus> receive;
    private final WcStatus requesterOfRxe;
    private final Optional<WcStatus> receiveOfRxe;

    /** No receive is consumed. */
    Verdict(WcStatus requester) {
      this.requester = requester;
      this.requesterOfRxe = requester;
      this.receive = Optional.empty();
      this.receiveOfRxe = Optional.empty();
    }

    Verdict(WcStatus requester, WcStatus receive, WcStatus requesterOfRxe, WcStatus receiveOfRxe) {
      this.requester = requester;
      this.receive = Optional.of(receive);
      this.requesterOfRxe = requesterOfRxe;
      this.receiveOfRxe = Optional.of(receiveOfRxe);
    }

    WcStatus requester(Side responder) {
      return responder.isKernel() ? requesterOfRxe : requester;
    }

    Optional<WcStatus> receive(Side responder) {
      return responder.isKernel() ? receiveOfRxe : receive;
    }
  }

  static List<Case> list() {
    List<Case> cases = new ArrayList<>();
    addAccessCases(cases, WrOpcode.RDMA_WRITE, "refused/write-", Access.REMOTE_WRITE);
    addAccessCases(cases, WrOpcode.RDMA_READ, "refused/read-", Access.REMOTE_READ);
    addAccessCases(cases, WrOpcode.ATOMIC_FETCH_AND_ADD, "refused/atomic-", Access.REMOTE_ATOMIC);
    cases.add(
        new Case(
            "refused/send-one-byte-too-long",
            PairSettings.USUAL,
            pair -> tooLong(pair, 100, 101, Verdict.TOO_LONG)));
    cases.add(
        new Case(
            "refused/send-one-packet-too-long",
            PairSettings.USUAL,
            pair -> tooLong(pair, 1024, SIZE, Verdict.TOO_LONG)));
    int remoteWrites = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    cases.add(
        new Case(
            "refused/receive-not-writable",
            PairSettings.USUAL.withoutRegionAccess(remoteWrites),
            pair -> tooLong(pair, SIZE, SIZE, Verdict.RECEIVE_NOT_WRITABLE)));
    return cases.stream().map(Case::withoutLoss).toList();
  }

  private static void addAccessCases(List<Case> cases, WrOpcode opcode, String name, int right) {
    PairSettings usual = PairSettings.USUAL;
    cases.add(
        new Case(
            name + "unknown-key",
            usual,
            pair -> access(pair, opcode, SINK_OFF, 0x5a5a0000, Verdict.ACCESS)));
    cases.add(
        new Case(
            name + "wrong-tag", usual, pair -> access(pair, opcode, SINK_OFF, 1, Verdict.ACCESS)));
    cases.add(
        new Case(
            name + "beyond-region",
            usual,
            pair -> access(pair, opcode, pastTheEnd(opcode), 0, Verdict.ACCESS)));
    cases.add(
        new Case(
            name + "region-forbids",
            usual.withoutRegionAccess(right),
            pair -> access(pair, opcode, SINK_OFF, 0, Verdict.ACCESS)));
    cases.add(
        new Case(
            name + "qp-forbids",
            usual.withoutQpAccess(right),
            pair -> access(pair, opcode, SINK_OFF, 0, Verdict.QP_ACCESS)));
  }

  /**
   * The offset at which the last byte, or the only word, of this operation is beyond the region.
   */
  private static long pastTheEnd(WrOpcode opcode) {
    return opcode == WrOpcode.ATOMIC_FETCH_AND_ADD
        ? PairSettings.BUFFER
        : PairSettings.BUFFER - SIZE + 1;
  }

  /**
   * Checks that a one-sided request is refused.
   *
   * @param off offset in the target's memory
   * @param spoil bits to flip in the key
   */
  private static void access(Pair pair, WrOpcode opcode, long off, int spoil, Verdict verdict)
      throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    boolean atomic = opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
    initiator.fill(SOURCE_OFF, SIZE, SEED);
    long watched = Math.min(off, PairSettings.BUFFER - SIZE);
    target.fill(watched, SIZE, OTHER_SEED);
    target.postRecv(9, 0, 64, 1);
    Work work = atomic ? Work.fetchAndAdd(1, SOURCE_OFF, 1) : Work.of(opcode, 1, SOURCE_OFF, SIZE);
    initiator.post(work.at(target.addr() + off, target.rkey() ^ spoil));
    initiator.post(Work.of(WrOpcode.SEND, 2, SOURCE_OFF, 16));
    awaitRefusal(pair, verdict);
    pair.await(target, 9, WcStatus.WR_FLUSH_ERR);
    pair.expectNone(target);
    target.check(watched, SIZE, OTHER_SEED);
    initiator.check(SOURCE_OFF, SIZE, SEED);
  }

  /**
   * A SEND of {@code size} bytes that exceeds the target's first receive, of {@code room} bytes.
   */
  private static void tooLong(Pair pair, int room, int size, Verdict verdict) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    target.fill(SINK_OFF, 2 * SIZE, OTHER_SEED);
    initiator.fill(SOURCE_OFF, size, SEED);
    target.postRecv(8, SINK_OFF, room, 1);
    target.postRecv(9, SINK_OFF + room, SIZE, 1);
    initiator.post(Work.of(WrOpcode.SEND, 1, SOURCE_OFF, size));
    initiator.post(Work.of(WrOpcode.SEND, 2, SOURCE_OFF, 16));
    awaitRefusal(pair, verdict);
    pair.await(target, 8, verdict.receive(target).orElseThrow());
    pair.await(target, 9, WcStatus.WR_FLUSH_ERR);
    pair.expectNone(target);
    byte[] before = Pattern.bytes(OTHER_SEED, 2 * SIZE);
    byte[] beyond = target.peek(SINK_OFF + room, 2 * SIZE - room);
    if (!Arrays.equals(beyond, 0, beyond.length, before, room, before.length)) {
      throw new CaseFailure(target.name() + ": bytes behind the receive's buffer have changed");
    }
  }

  /**
   * Checks that the initiator's first request fails, the second is flushed, and both queue pairs
   * are in ERR.
   */
  private static void awaitRefusal(Pair pair, Verdict verdict) throws IOException {
    Side initiator = pair.initiator();
    pair.await(initiator, 1, verdict.requester(pair.target()));
    pair.await(initiator, 2, WcStatus.WR_FLUSH_ERR);
    pair.expectNone(initiator);
    pair.awaitState(initiator, QpState.ERR);
    pair.awaitState(pair.target(), QpState.ERR);
  }

  private RefusalCases() {}
}
