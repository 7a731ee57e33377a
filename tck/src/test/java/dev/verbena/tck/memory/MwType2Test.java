package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Memory windows that work requests bind and invalidate: S5.3. */
final class MwType2Test {

  /** Binds all of a region with this tag. */
  @OnEveryLinkAndApi
  @Proves({
    "WR-004",
    "WR-045",
    "WR-099",
    "PS-021",
    "PS-022",
    "PS-023",
    "PS-027",
    "PS-028",
    "PS-029",
    "PS-030",
    "PS-076",
    "S1.1/BIND_MW",
    "PY-157",
    "S2.15",
    "S5.3.4",
    "S5.3.5",
    "S1.5.4"
  })
  void aWindowGivesAPeerWhatItSaysAndNoMore(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd left = pair.left();
      MemoryRegion mr = MwSetup.region(pair.right());
      MemoryWindow mw = MwSetup.type2(pair.right());
      MwBindInfo part = new MwBindInfo(mr, mr.addr() + 1000, 500, MwSetup.RIGHTS);
      api.post(pair.right().qp(), MwSetup.bind(9, mw, 0x5a, part));
      WorkCompletion bound = pair.right().sent(9);
      assertThat(bound.opcode()).isEqualTo(WcOpcode.BIND_MW);
      int key = MwSetup.key(mw, 0x5a);

      byte[] data = left.fill(0, 500, 1);
      SendWr write = SendWrs.write(1, pair.right(), 0, left.sge(0, 500));
      api.post(left.qp(), write.rkey(key).remoteAddr(mr.addr() + 1000));
      left.sent(1);
      assertThat(mr.memory().asSlice(1000, 500).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
      SendWr read = SendWrs.read(2, pair.right(), 0, left.sge(1024, 500));
      api.post(left.qp(), read.rkey(key).remoteAddr(mr.addr() + 1000));
      left.sent(2);
      assertThat(left.bytes(1024, 500)).isEqualTo(data);
      SendWr add = SendWrs.fetchAdd(3, pair.right(), 0, 1, left.sge(2048, 8));
      api.post(left.qp(), add.rkey(key).remoteAddr(mr.addr() + 1000));
      left.sent(3);
      api.post(left.qp(), MwSetup.write(4, pair, key, mr.addr() + 1493));
      left.awaitSend(4, WcStatus.REM_ACCESS_ERR);
      pair.right().awaitState(QpState.ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-099", "S5.3.5", "S5.2.2", "S5.2.4"})
  void neitherOtherKeysNorMissingRightsGiveAccess(TckLink link, PostingApi api) {
    List<BiFunction<MemoryWindow, MemoryRegion, Integer>> keys =
        List.of(
            (mw, mr) -> mr.rkey(),
            (mw, mr) -> mr.lkey(),
            (mw, mr) -> mw.rkey(),
            (mw, mr) -> MwSetup.key(mw, 0x11),
            (mw, mr) -> MwSetup.key(mw, 0x10) ^ 0x100,
            (mw, mr) -> MwSetup.key(mw, 0x10));
    for (int i = 0; i < keys.size(); i++) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        MemoryRegion mr = MwSetup.region(pair.right());
        MemoryWindow mw = MwSetup.type2(pair.right());
        boolean last = i == keys.size() - 1;
        int rights = last ? Access.LOCAL_WRITE | Access.REMOTE_READ : MwSetup.RIGHTS;
        int tag = (mw.rkey() & 0xff) == 0x10 ? 0x12 : 0x10;
        MwSetup.bound(pair.right(), api, mw, tag, mr, rights);
        int key = last ? MwSetup.key(mw, tag) : keys.get(i).apply(mw, mr);
        api.post(pair.left().qp(), MwSetup.write(1, pair, key, mr.addr()));
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
        assertThat(mr.memory().get(ValueLayout.JAVA_LONG, 0)).isZero();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.3.1")
  void aNewWindowHasAKeyThatGivesNoAccess(TckLink link, PostingApi api) {
    for (MwType type : MwType.values()) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        QpEnd right = pair.right();
        MemoryWindow mw = right.pd().allocMw(type);
        assertThat(mw.type()).isEqualTo(type);
        assertThat(mw.rkey()).isNotZero();
        pair.left().setLong(0, -1);
        api.post(pair.left().qp(), MwSetup.write(1, pair, mw.rkey(), right.addr(0)));
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
        right.awaitState(QpState.ERR);
        assertThat(right.getLong(0)).isZero();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.3.7")
  void aZeroBasedWindowIsAddressedByOffsets(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      MemoryRegion mr = MwSetup.region(pair.right());
      MemoryWindow mw = MwSetup.type2(pair.right());
      MwBindInfo info = new MwBindInfo(mr, mr.addr() + 64, 64, MwSetup.RIGHTS | Access.ZERO_BASED);
      api.post(pair.right().qp(), MwSetup.bind(9, mw, 1, info));
      pair.right().sent(9);
      pair.left().setLong(0, -2);
      api.post(pair.left().qp(), MwSetup.write(1, pair, MwSetup.key(mw, 1), 8));
      pair.left().sent(1);
      assertThat(mr.memory().get(ValueLayout.JAVA_LONG, 72)).isEqualTo(-2);
      api.post(pair.left().qp(), MwSetup.write(2, pair, MwSetup.key(mw, 1), mr.addr() + 64));
      pair.left().awaitSend(2, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/05", "S5.3.5", "S5.3.6"})
  void whatCannotBeBoundFails(TckLink link, PostingApi api) {
    List<Function<QpEnd, MwBindInfo>> faults =
        List.of(
            end -> MwSetup.all(end.pd().allocMr(64, Access.LOCAL_WRITE), Access.REMOTE_READ),
            end -> MwSetup.all(end.pd().allocMr(64, Access.MW_BIND), Access.REMOTE_WRITE),
            end -> MwSetup.all(end.pd().allocMr(64, Access.MW_BIND), Access.REMOTE_ATOMIC),
            end ->
                MwSetup.all(
                    end.pd().allocMr(64, Access.MW_BIND, Access.ZERO_BASED), Access.REMOTE_READ),
            end ->
                MwSetup.all(
                    end.context().allocPd().allocMr(64, Access.MW_BIND), Access.REMOTE_READ),
            end -> {
              MemoryRegion mr = MwSetup.region(end);
              return new MwBindInfo(mr, mr.addr() + 1, mr.length(), Access.REMOTE_READ);
            },
            end -> {
              MemoryRegion mr = MwSetup.region(end);
              return new MwBindInfo(mr, mr.addr(), 0, Access.REMOTE_READ);
            },
            end -> new MwBindInfo(null, 0, 0, 0),
            end -> {
              MemoryRegion mr = MwSetup.region(end);
              MwBindInfo info = MwSetup.all(mr, Access.REMOTE_READ);
              mr.dereg();
              return info;
            });
    for (Function<QpEnd, MwBindInfo> fault : faults) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        QpEnd right = pair.right();
        MemoryWindow mw = MwSetup.type2(right);
        SendWr wr = MwSetup.bind(1, mw, 1, fault.apply(right)).sendFlags(0);
        api.post(right.qp(), SendWrs.list(wr, SendWrs.send(2)));
        right.awaitSend(1, WcStatus.MW_BIND_ERR);
        right.awaitSend(2, WcStatus.WR_FLUSH_ERR);
        right.awaitState(QpState.ERR);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.3.5", "S1.6/05"})
  void windowAndQueuePairMustBeOfOneDomainAndTheWindowFree(TckLink link, PostingApi api) {
    // Both foreign, only the window, only the region.
    for (boolean[] foreign : new boolean[][] {{true, true}, {true, false}, {false, true}}) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        QpEnd right = pair.right();
        ProtectionDomain other = right.context().allocPd();
        MemoryWindow mw = (foreign[0] ? other : right.pd()).allocMw(MwType.TYPE_2);
        MemoryRegion mr = (foreign[1] ? other : right.pd()).allocMr(64, Access.MW_BIND);
        api.post(right.qp(), MwSetup.bind(1, mw, 1, MwSetup.all(mr, Access.REMOTE_READ)));
        right.awaitSend(1, WcStatus.MW_BIND_ERR);
      }
    }
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      MemoryWindow mw = MwSetup.type2(right);
      MemoryRegion mr = MwSetup.region(right);
      MwSetup.bound(right, api, mw, 1, mr, MwSetup.RIGHTS);
      api.post(right.qp(), MwSetup.bind(2, mw, 2, MwSetup.all(mr, Access.REMOTE_READ)));
      right.awaitSend(2, WcStatus.MW_BIND_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.3.7", "WR-098", "S2.15"})
  void aMalformedBindIsNotPosted(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      QueuePairEx qp = right.qp();
      MemoryRegion mr = MwSetup.region(right);
      MwBindInfo info = MwSetup.all(mr, MwSetup.RIGHTS);
      MemoryWindow mw = MwSetup.type2(right);
      MemoryWindow closed = MwSetup.type2(right);
      SendWr late = MwSetup.bind(1, closed, 1, info);
      closed.dealloc();
      MemoryWindow type1 = right.pd().allocMw(MwType.TYPE_1);
      MemoryWindow foreign = MwSetup.type2(pair.left());
      Refusal.with(Errno.EINVAL, () -> api.post(qp, late));
      Refusal.with(Errno.EINVAL, () -> api.post(qp, MwSetup.bind(1, type1, 1, info)));
      Refusal.with(Errno.EINVAL, () -> api.post(qp, MwSetup.bind(1, foreign, 1, info)));
      MwBindInfo foreignMr = MwSetup.all(MwSetup.region(pair.left()), MwSetup.RIGHTS);
      Refusal.with(Errno.EINVAL, () -> api.post(qp, MwSetup.bind(1, mw, 1, foreignMr)));
      if (api == PostingApi.POST_SEND) {
        SendWr wr = MwSetup.bind(1, mw, 1, info);
        Refusal.with(Errno.EINVAL, () -> qp.postSend(wr.sgList(right.sge(0, 8))));
        Refusal.with(Errno.EINVAL, () -> qp.postSend(wr.numSge(0).sendFlags(SendFlags.INLINE)));
        Refusal.with(Errno.EINVAL, () -> qp.postSend(wr.sendFlags(0).bindInfo(null)));
        Refusal.with(Errno.EINVAL, () -> qp.postSend(wr.bindInfo(info).mw(null)));
        SendWr inv = MwSetup.invalidate(1, 1).sendFlags(SendFlags.INLINE);
        Refusal.with(Errno.EINVAL, () -> qp.postSend(inv));
      }
      MwSetup.bound(right, api, mw, 1, mr, MwSetup.RIGHTS);
    }
  }

  @OnEveryLinkAndApi
  @Proves({
    "WR-005",
    "WR-050",
    "WR-100",
    "PS-071",
    "S2.16",
    "S5.3.9",
    "S5.3.4",
    "S1.1/LOCAL_INV",
    "PY-157",
    "S1.5.4"
  })
  void anInvalidatedWindowIsDeadUntilItIsBoundAgain(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int key = 0;
      for (int tag = 1; tag < 10; tag++) {
        key = MwSetup.bound(right, api, mw, tag, mr, MwSetup.RIGHTS);
        api.post(pair.left().qp(), MwSetup.write(tag, pair, key, mr.addr()));
        pair.left().sent(tag);
        api.post(right.qp(), MwSetup.invalidate(tag, key));
        assertThat(right.sent(tag).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
      }
      api.post(pair.left().qp(), MwSetup.write(1, pair, key, mr.addr()));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.3.9")
  void oneListMayBindAWindowAndInvalidateItAndBindItAgain(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int first = MwSetup.key(mw, 0x51);
      int second = MwSetup.key(mw, 0x52);
      MwBindInfo all = MwSetup.all(mr, MwSetup.RIGHTS);
      api.post(
          right.qp(),
          SendWrs.list(
              MwSetup.bind(1, mw, 0x51, all),
              MwSetup.invalidate(2, first),
              MwSetup.bind(3, mw, 0x52, all)));
      for (int id = 1; id <= 3; id++) {
        right.sent(id);
      }
      api.post(pair.left().qp(), MwSetup.write(4, pair, second, mr.addr()));
      pair.left().sent(4);
      api.post(pair.left().qp(), MwSetup.write(5, pair, first, mr.addr()));
      pair.left().awaitSend(5, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/04", "S5.3.9"})
  void aKeyThatCannotBeInvalidatedFails(TckLink link, PostingApi api) {
    List<Function<QpEnd, Integer>> wrong =
        List.of(
            end -> 0,
            end -> end.mr().rkey(),
            end -> MwSetup.region(end).lkey(),
            end -> MwSetup.type2(end).rkey(),
            end -> {
              MemoryWindow mw = end.pd().allocMw(MwType.TYPE_1);
              end.qp().bindMw(mw, MwSetup.bind(9, MwSetup.all(MwSetup.region(end), 0)));
              end.sent(9);
              return mw.rkey();
            });
    for (Function<QpEnd, Integer> key : wrong) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        QpEnd right = pair.right();
        api.post(right.qp(), MwSetup.invalidate(1, key.apply(right)).sendFlags(0));
        right.awaitSend(1, WcStatus.LOC_QP_OP_ERR);
        right.awaitState(QpState.ERR);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({
    "WR-011",
    "WR-085",
    "WR-106",
    "PS-010",
    "PS-081",
    "S1.7.5",
    "S2.16",
    "S1.1/SEND_WITH_INV",
    "PY-157",
    "S1.5.4"
  })
  void aPeerInvalidatesBeforeTheReceiveCompletes(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int key = 0;
      for (int length : new int[] {0, 8, 3000}) {
        key = MwSetup.bound(right, api, mw, 1 + length % 255, mr, MwSetup.RIGHTS);
        right.postRecv(7, right.sge(8192, 4000));
        byte[] data = left.fill(0, length, 5);
        api.post(left.qp(), MwSetup.sendInv(2, key, left.sge(0, length)));
        WorkCompletion received = right.received(7);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.wcFlags() & (WcFlags.WITH_INV | WcFlags.WITH_IMM))
            .as("wc_flags")
            .isEqualTo(WcFlags.WITH_INV);
        assertThat(received.invalidatedRkey()).isEqualTo(key);
        assertThat(received.byteLen()).isEqualTo(length);
        assertThat(right.bytes(8192, length)).isEqualTo(data);
        assertThat(left.sent(2).opcode()).isEqualTo(WcOpcode.SEND);
      }
      mr.dereg();
      api.post(left.qp(), MwSetup.write(3, pair, key, 0));
      left.awaitSend(3, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S2.13")
  void dataThatGoesWithAnInvalidationMayBeInline(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      QueuePairEx qp = pair.left().qp();
      MemoryRegion mr = MwSetup.region(right);
      int key = MwSetup.bound(right, PostingApi.WR, MwSetup.type2(right), 1, mr, MwSetup.RIGHTS);
      right.postRecv(7, right.sge(0, 64));
      byte[] buffer = {1, 2, 3, 4, 5};
      qp.wrStart();
      qp.wrId(2).wrFlags(SendFlags.SIGNALED);
      qp.wrSendInv(key);
      qp.wrSetInlineData(MemorySegment.ofArray(buffer));
      Arrays.fill(buffer, (byte) 0);
      qp.wrComplete();
      pair.left().sent(2);
      assertThat(right.received(7).invalidatedRkey()).isEqualTo(key);
      assertThat(right.bytes(0, 5)).containsExactly(1, 2, 3, 4, 5);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-009", "PS-010"})
  void theOperationSaysWhetherItCarriesImmediateDataOrAKey(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int key = MwSetup.bound(right, api, mw, 1, mr, MwSetup.RIGHTS);
      right.postRecv(7);
      right.postRecv(8);
      api.post(left.qp(), SendWrs.sendImm(1, 0x0102_0304).invalidateRkey(key));
      WorkCompletion immediate = right.received(7);
      assertThat(immediate.wcFlags() & (WcFlags.WITH_INV | WcFlags.WITH_IMM))
          .isEqualTo(WcFlags.WITH_IMM);
      assertThat(immediate.immData()).isEqualTo(0x0102_0304);
      api.post(left.qp(), MwSetup.write(2, pair, key, mr.addr()));
      left.sent(1);
      left.sent(2);
      api.post(left.qp(), MwSetup.sendInv(3, key).immData(0x0102_0304));
      WorkCompletion invalidating = right.received(8);
      assertThat(invalidating.wcFlags() & (WcFlags.WITH_INV | WcFlags.WITH_IMM))
          .as("wc_flags")
          .isEqualTo(WcFlags.WITH_INV);
      assertThat(invalidating.invalidatedRkey()).isEqualTo(key);
      left.sent(3);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.5")
  void aPeerMayInvalidateNothingElse(TckLink link, PostingApi api) {
    List<Function<QpEnd, Integer>> wrong =
        List.of(end -> 0, end -> end.mr().rkey(), end -> MwSetup.type2(end).rkey());
    for (Function<QpEnd, Integer> key : wrong) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        QpEnd right = pair.right();
        right.postRecv(7, right.sge(0, 64));
        SendWr wr = MwSetup.sendInv(1, key.apply(right), pair.left().sge(0, 8));
        api.post(pair.left().qp(), wr);
        assertThat(right.awaitRecv(7).isSuccess()).isFalse();
        right.awaitState(QpState.ERR);
        pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.3.8", "S5.3.1"})
  void onlyThePeerOfTheQueuePairThatBoundItMayUseIt(TckLink link, PostingApi api) {
    PairSetup setup = MwSetup.reliable(link);
    try (QpPair pair = setup.open()) {
      MemoryRegion mr = MwSetup.region(pair.right());
      MemoryWindow mw = MwSetup.type2(pair.right());
      int key = MwSetup.bound(pair.right(), api, mw, 1, mr, MwSetup.RIGHTS);
      QpPair second = setup.another(pair);
      api.post(second.left().qp(), MwSetup.write(1, second, key, mr.addr()));
      second.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);

      QpPair third = setup.another(pair);
      api.post(third.right().qp(), MwSetup.invalidate(2, key));
      third.right().awaitSend(2, WcStatus.LOC_QP_OP_ERR);

      api.post(pair.left().qp(), MwSetup.write(3, pair, key, mr.addr()));
      pair.left().sent(3);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.3.11")
  void whoHearsOfABindCanUseIt(TckLink link, PostingApi api) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      for (int tag = 1; tag < 50; tag++) {
        left.postRecv(tag, left.sge(8192, 8));
        SendWr invalidate = MwSetup.invalidate(1000 + tag, MwSetup.key(mw, tag - 1));
        SendWr bind = MwSetup.bind(tag, mw, tag, MwSetup.all(mr, MwSetup.RIGHTS));
        SendWr tell = SendWrs.send(2000 + tag, right.sge(0, 8));
        api.post(
            right.qp(), tag == 1 ? SendWrs.list(bind, tell) : SendWrs.list(invalidate, bind, tell));
        left.received(tag);
        left.qp().postSend(MwSetup.write(tag, pair, MwSetup.key(mw, tag), mr.addr()));
        left.sent(tag);
        if (tag > 1) {
          right.sent(1000 + tag);
        }
        right.sent(tag);
        right.sent(2000 + tag);
      }
    }
  }
}
