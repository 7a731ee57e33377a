package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Memory windows that ibv_bind_mw binds: S5.3.2, S5.3.3. */
final class MwType1Test {

  @OnEveryLink
  @Proves({"S5.3.2", "S5.3.3", "PS-027", "PS-028", "PS-029", "PS-030"})
  void eachBindGivesANewKeyAndEndsTheOld(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = right.pd().allocMw(MwType.TYPE_1);
      int old = mw.rkey();
      for (int i = 0; i < 300; i++) {
        right.qp().bindMw(mw, MwSetup.bind(i, MwSetup.all(mr, MwSetup.RIGHTS)));
        assertThat(mw.rkey()).isEqualTo(Keys.incRkey(old));
        assertThat(right.sent(i).opcode()).isEqualTo(WcOpcode.BIND_MW);
        old = mw.rkey();
      }
      left.setLong(0, 77);
      left.qp().postSend(MwSetup.write(1, pair, old, mr.addr()));
      left.sent(1);
      assertThat(mr.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(77);
      right.qp().bindMw(mw, MwSetup.bind(2, MwSetup.all(mr, Access.REMOTE_READ)));
      right.sent(2);
      left.qp().postSend(MwSetup.write(3, pair, old, mr.addr()));
      left.awaitSend(3, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.3.3")
  void aLengthOfZeroUnbinds(TckLink link) {
    for (boolean withRegion : new boolean[] {true, false}) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        QpEnd right = pair.right();
        MemoryRegion mr = MwSetup.region(right);
        MemoryWindow mw = right.pd().allocMw(MwType.TYPE_1);
        right.qp().bindMw(mw, MwSetup.bind(1, MwSetup.all(mr, MwSetup.RIGHTS)));
        right.sent(1);
        int bound = mw.rkey();
        right
            .qp()
            .bindMw(
                mw,
                MwSetup.bind(2, withRegion ? new MwBindInfo(mr, 0, 0, 0) : MwBindInfo.unbind()));
        right.sent(2);
        mr.dereg();
        pair.left().qp().postSend(MwSetup.write(3, pair, withRegion ? bound : mw.rkey(), 0));
        pair.left().awaitSend(3, WcStatus.REM_ACCESS_ERR);
      }
    }
  }

  @OnEveryLink
  @Proves("S5.3.2")
  void everyQueuePairOfTheDomainServesIt(TckLink link) {
    PairSetup setup = MwSetup.reliable(link);
    try (QpPair pair = setup.open()) {
      MemoryRegion mr = MwSetup.region(pair.right());
      MemoryWindow mw = pair.right().pd().allocMw(MwType.TYPE_1);
      pair.right().qp().bindMw(mw, MwSetup.bind(1, MwSetup.all(mr, MwSetup.RIGHTS)));
      pair.right().sent(1);
      QpPair second = setup.another(pair);
      second.left().qp().postSend(MwSetup.write(2, second, mw.rkey(), mr.addr()));
      second.left().sent(2);
    }
  }

  @OnEveryLink
  @Proves("S5.3.2")
  void threadsThatBindOneWindowThroughTwoQueuePairsGetKeysOfTheirOwn(TckLink link)
      throws InterruptedException {
    int binds = 60;
    PairSetup setup = MwSetup.reliable(link);
    try (QpPair pair = setup.open()) {
      QpEnd[] ends = {pair.right(), setup.another(pair).right()};
      MwBindInfo info = MwSetup.all(MwSetup.region(pair.right()), MwSetup.RIGHTS);
      MemoryWindow mw = pair.right().pd().allocMw(MwType.TYPE_1);
      int last = mw.rkey();
      for (int i = 0; i < ends.length * binds; i++) {
        last = Keys.incRkey(last);
      }
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      Thread[] threads = new Thread[ends.length];
      for (int t = 0; t < ends.length; t++) {
        QpEnd end = ends[t];
        threads[t] =
            new Thread(
                () -> {
                  for (int i = 0; i < binds; i++) {
                    end.qp().bindMw(mw, MwSetup.bind(i, info));
                    end.sent(i);
                  }
                });
        threads[t].setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
      }
      for (Thread thread : threads) {
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(mw.rkey()).isEqualTo(last);
    }
  }

  @OnEveryLink
  @Proves({"S5.3.2", "S5.3.6"})
  void badArgumentsAreRefusedAndTheKeyStays(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      QueuePair qp = right.qp();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = right.pd().allocMw(MwType.TYPE_1);
      MemoryWindow type2 = MwSetup.type2(right);
      MwBind all = MwSetup.bind(1, MwSetup.all(mr, MwSetup.RIGHTS));
      int key = mw.rkey();
      Refused.of(() -> qp.bindMw(type2, all), Errno.EINVAL).from("bindMw");
      String name = mw.toString();
      bindRefused(qp, mw, new MwBindInfo(null, 0, 8, 0), Errno.EINVAL).naming(name, "length 8");
      bindRefused(qp, mw, new MwBindInfo(null, 8, 0, 0), Errno.EINVAL).naming(name, "addr 0x8");
      bindRefused(qp, mw, MwSetup.all(mr, Access.ZERO_BASED), Errno.EINVAL).naming(name);
      MemoryRegion other =
          right.context().allocPd().allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      bindRefused(qp, mw, MwSetup.all(other, 0), Errno.EPERM);
      bindRefused(qp, mw, MwSetup.all(MwSetup.region(pair.left()), 0), Errno.EINVAL);
      Refusal.with(Errno.EINVAL, () -> qp.bindMw(mw, new MwBind(1, 1 << 20, all.bindInfo())));
      Refusal.with(
          Errno.EINVAL, () -> qp.bindMw(mw, new MwBind(1, SendFlags.INLINE, all.bindInfo())));
      assertThat(mw.rkey()).isEqualTo(key);
      qp.bindMw(mw, all);
      right.sent(1);
    }
  }

  private static Refused bindRefused(QueuePair qp, MemoryWindow mw, MwBindInfo info, int errno) {
    return Refused.of(() -> qp.bindMw(mw, MwSetup.bind(1, info)), errno).from("bindMw");
  }

  @OnEveryLink
  @Proves("S5.3.2")
  void itIsARequestLikeOthers(TckLink link) {
    PairSetup setup = MwSetup.reliable(link).cap(new QpCap(2, 2, 1, 1, 0));
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = right.pd().allocMw(MwType.TYPE_1);
      MwBindInfo info = MwSetup.all(mr, MwSetup.RIGHTS);
      Refusal.with(Errno.EINVAL, () -> right.qp().bindMw(mw, MwSetup.bind(1, info)));
      setup.connect(pair);
      right.qp().bindMw(mw, new MwBind(1, 0, info));
      right.qp().bindMw(mw, MwSetup.bind(2, info));
      int key = mw.rkey();
      MwBind extra = MwSetup.bind(3, info);
      WorkRequestException full = Refusal.with(Errno.ENOMEM, () -> right.qp().bindMw(mw, extra));
      assertThat(full.badMwBind()).isSameAs(extra);
      assertThat(full.badSendWr()).isNull();
      assertThat(mw.rkey()).isEqualTo(key);
      right.sent(2);
      right.assertNothingSent();
      right.qp().bindMw(mw, MwSetup.bind(4, MwSetup.all(end(right), 0)));
      right.awaitSend(4, WcStatus.MW_BIND_ERR);
      right.awaitState(QpState.ERR);
      right.qp().bindMw(mw, MwSetup.bind(5, info));
      right.awaitSend(5, WcStatus.WR_FLUSH_ERR);
    }
  }

  /** A region without the right to be bound. */
  private static MemoryRegion end(QpEnd end) {
    return end.pd().allocMr(64, Access.LOCAL_WRITE);
  }

  @OnEveryLink
  @Proves("S5.3.2")
  void unreliableConnectionsBindToo(TckLink link) {
    try (QpPair pair = MwSetup.unreliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = right.pd().allocMw(MwType.TYPE_1);
      right.qp().bindMw(mw, MwSetup.bind(1, MwSetup.all(mr, MwSetup.RIGHTS)));
      right.sent(1);
    }
  }
}
