package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import java.util.List;
import java.util.function.Function;

/** Requests that fail because of the requester's own memory: the peer notices nothing. */
final class LocalErrorTest {

  @OnEveryLinkAndApi
  @Proves({"S1.6/01", "S1.5.7", "S1.6.2", "S1.3.8", "S5.2.1"})
  void dataMustLieInRegionsOfTheSameDomain(TckLink link, PostingApi api) {
    List<Function<QpEnd, Sge>> faults =
        List.of(
            end -> end.sge(0, 16).lkey(end.mr().lkey() ^ 0xff),
            end -> new Sge(end.addr(0) - 1, 16, end.mr().lkey()),
            end -> new Sge(end.addr(end.mr().length() - 15), 16, end.mr().lkey()),
            end -> new Sge(-8, 16, end.mr().lkey()),
            end -> end.context().allocPd().allocMr(4096, Access.LOCAL_WRITE).sge(16, 0),
            end -> {
              MemoryRegion gone = end.pd().allocMr(4096, Access.LOCAL_WRITE);
              Sge piece = gone.sge(16, 0);
              gone.dereg();
              return piece;
            });
    for (Function<QpEnd, Sge> fault : faults) {
      for (boolean write : new boolean[] {true, false}) {
        try (QpPair pair = QpPair.open(link)) {
          pair.right().postRecv(9, pair.right().sge(0, 64));
          Sge good = pair.left().sge(0, 16);
          Sge bad = fault.apply(pair.left());
          SendWr wr =
              write ? SendWrs.write(1, pair.right(), 0, good, bad) : SendWrs.send(1, good, bad);
          api.post(pair.left().qp(), wr.sendFlags(0));
          pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
          assertOnlyTheRequesterFailed(pair);
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/02", "S1.5.7", "S1.6.2", "S5.2.1"})
  void readsAndAtomicsMustLandInWritableMemory(TckLink link, PostingApi api) {
    List<Function<QpEnd, Sge>> faults =
        List.of(
            end -> end.sge(0, 8).lkey(end.mr().lkey() ^ 0xff),
            end -> new Sge(end.addr(end.mr().length() - 7), 8, end.mr().lkey()),
            end -> end.context().allocPd().allocMr(4096, Access.LOCAL_WRITE).sge(8, 0),
            end -> end.pd().allocMr(4096).sge(8, 0));
    for (Function<QpEnd, Sge> fault : faults) {
      for (boolean read : new boolean[] {true, false}) {
        try (QpPair pair = QpPair.open(link)) {
          pair.right().postRecv(9);
          Sge bad = fault.apply(pair.left());
          SendWr wr =
              read
                  ? SendWrs.read(1, pair.right(), 0, bad)
                  : SendWrs.fetchAdd(1, pair.right(), 0, 1, bad);
          api.post(pair.left().qp(), wr);
          assertThat(pair.left().awaitSend(1).status())
              .isIn(WcStatus.LOC_PROT_ERR, WcStatus.LOC_ACCESS_ERR);
          assertOnlyTheRequesterFailed(pair);
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.3.9", "S1.6/03"})
  void messagesBeyondTheLimitOfThePortFail(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      pair.right().postRecv(9);
      long most = pair.left().context().queryPort(1).maxMsgSz();
      assertThat(most).isBetween(1L, 1L << 31);
      long half = most / 2 + 1;
      int lkey = pair.left().mr().lkey();
      Sge piece = new Sge(pair.left().addr(0), half, lkey);
      SendWr wr = SendWrs.write(1, pair.right(), 0, piece, piece);
      WorkRequestException refusal =
          catchThrowableOfType(WorkRequestException.class, () -> api.post(pair.left().qp(), wr));
      if (refusal == null) {
        pair.left().awaitSend(1, WcStatus.LOC_LEN_ERR);
        assertOnlyTheRequesterFailed(pair);
      } else {
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        api.post(pair.left().qp(), SendWrs.send(2));
        pair.left().sent(2);
        pair.left().assertNothingSent();
      }
    }
  }

  private static void assertOnlyTheRequesterFailed(QpPair pair) {
    pair.left().awaitState(QpState.ERR);
    pair.left().qp().postSend(SendWrs.send(2).sendFlags(0));
    pair.left().awaitSend(2, WcStatus.WR_FLUSH_ERR);
    pair.left().assertNothingSent();
    assertThat(pair.right().queryState()).isEqualTo(QpState.RTS);
    pair.right().assertNothingReceived();
    assertThat(pair.right().bytes(0, 64)).as("the peer's memory").containsOnly(0);
  }
}
