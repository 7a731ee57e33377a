package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ForkStatus;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Windows, changes of regions and null regions of the provider over libibverbs. */
final class NativeMemoryTest extends NativeTest {
  private static final int REMOTE = Access.REMOTE_READ | Access.REMOTE_WRITE;

  @Test
  void datagramsBindNoWindows() {
    QueuePair qp = pd.createQp(QpInitAttr.ud(context.createCq(4)));
    qp.toRts(0x1111);
    MemoryRegion mr = pd.allocMr(64, ALL | Access.MW_BIND);
    MwBindInfo info = MwBindInfo.of(mr, Access.REMOTE_WRITE);
    MemoryWindow first = pd.allocMw(MwType.TYPE_1);
    assertErrno(() -> qp.bindMw(first, new MwBind(1, SendFlags.SIGNALED, info)), Errno.EINVAL);
    MemoryWindow second = pd.allocMw(MwType.TYPE_2);
    SendWr wr = new SendWr().opcode(WrOpcode.BIND_MW).mw(second).bindRkey(1).bindInfo(info);
    assertThatThrownBy(() -> qp.postSend(wr)).hasMessageContaining("UD does not bind windows");
  }

  @Test
  void aWindowOfType1GivesAccessUntilItIsUnbound() {
    try (Pair pair = new Pair()) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
      assertThat(mw.type()).isEqualTo(MwType.TYPE_1);
      int first = mw.rkey();
      pair.right.qp().bindMw(mw, bind(1, new MwBindInfo(mr, mr.addr() + 8, 16, REMOTE)));
      assertThat(await(pair.right.cq()).orThrow().opcode()).isEqualTo(WcOpcode.BIND_MW);
      assertThat(mw.rkey()).isNotEqualTo(first);
      pair.put("window");
      assertThat(pair.write(mw.rkey(), mr.addr() + 8)).isEqualTo(WcStatus.SUCCESS);
      assertThat(text(mr, 8)).isEqualTo("window");
      pair.right.qp().bindMw(mw, bind(2, MwBindInfo.unbind()));
      assertThat(await(pair.right.cq()).orThrow().wrId()).isEqualTo(2);
      assertThat(pair.write(mw.rkey(), mr.addr() + 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }
  }

  /** Where a thread that binds a window waits in the driver, which finds it by the wr_id. */
  private static final class Gate implements AutoCloseable {
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.arrayElementVarHandle();

    private final Arena arena = Arena.ofShared();

    /** Whether the call has begun, whether it may go on, and who else has come meanwhile. */
    private final MemorySegment state = arena.allocate(ValueLayout.JAVA_LONG, 3);

    long address() {
      return state.address();
    }

    /** Starts a thread that binds, and returns once it is in the driver. */
    Thread hold(QueuePair qp, MemoryWindow mw, MwBindInfo info) {
      Thread thread = start(() -> qp.bindMw(mw, bind(address(), info)));
      await(() -> (long) LONGS.getVolatile(state, 0L, 0L) == 1);
      return thread;
    }

    void open() {
      LONGS.setVolatile(state, 0L, 1L, 1L);
    }

    long intruders() {
      return (long) LONGS.getVolatile(state, 0L, 2L);
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  /** The driver reads the window's key, posts the next one, and then stores it. */
  @Test
  void whileADriverBindsAWindowNobodyElseBindsItOrPostsThere() throws InterruptedException {
    try (Pair pair = new Pair();
        Gate gate = new Gate()) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
      MwBindInfo info = MwBindInfo.of(mr, REMOTE);
      SendWr write = pair.request(mr.rkey(), mr.addr());
      Thread holds = gate.hold(pair.right.qp(), mw, info);
      Thread binds = start(() -> pair.left.qp().bindMw(mw, bind(2, info)));
      Thread posts = start(() -> pair.right.qp().postSend(write.wrId(3)));
      await(
          () ->
              gate.intruders() > 0
                  || (binds.getState() == Thread.State.WAITING
                      && posts.getState() == Thread.State.WAITING));
      gate.open();
      for (Thread each : List.of(holds, binds, posts)) {
        assertThat(each.join(DEADLINE)).isTrue();
      }
      assertThat(gate.intruders()).as("who came meanwhile").isZero();
      assertThat(await(pair.right.cq()).orThrow().wrId()).isEqualTo(gate.address());
    }
  }

  /** A request names structs that the driver reads, such as those of address handles. */
  @Test
  void whatADriverMayReadWaitsForItAlsoWhileTheQueuePairIsBeingDestroyed()
      throws InterruptedException {
    try (Pair pair = new Pair();
        Gate gate = new Gate()) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      AddressHandle ah = pd.createAh(AhAttr.to(context.queryGid(1, 0)));
      Thread holds =
          gate.hold(pair.right.qp(), pd.allocMw(MwType.TYPE_1), MwBindInfo.of(mr, REMOTE));
      Thread destroys = start(pair.right.qp()::destroy);
      await(() -> destroys.getState() == Thread.State.WAITING);
      Thread closes = start(ah::destroy);
      await(() -> closes.getState() == Thread.State.WAITING || !closes.isAlive());
      assertThat(closes.isAlive()).as("it waits for the driver").isTrue();
      gate.open();
      for (Thread each : List.of(holds, destroys, closes)) {
        assertThat(each.join(DEADLINE)).isTrue();
      }
    }
  }

  private static Thread start(Runnable call) {
    return Thread.ofPlatform().start(call);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("not in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void aWindowOfType2IsBoundByRequestsOfBothApis() {
    try (Pair pair = new Pair(OPS | SendOps.BIND_MW)) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
      int key = Keys.incRkey(mw.rkey());
      SendWr wr =
          new SendWr()
              .opcode(WrOpcode.BIND_MW)
              .sendFlags(SendFlags.SIGNALED)
              .mw(mw)
              .bindRkey(key)
              .bindInfo(MwBindInfo.of(mr, REMOTE));
      pair.right.qp().postSend(wr);
      assertThat(await(pair.right.cq()).orThrow().opcode()).isEqualTo(WcOpcode.BIND_MW);
      pair.put("posted");
      assertThat(pair.write(key, mr.addr())).isEqualTo(WcStatus.SUCCESS);
      assertThat(text(mr, 0)).isEqualTo("posted");

      pair.right.qp().postSend(new SendWr().opcode(WrOpcode.LOCAL_INV).invalidateRkey(key));
      QueuePairEx qp = pair.right.qp().toQpEx();
      int next = Keys.incRkey(key);
      qp.wrStart();
      qp.wrId(3).wrFlags(SendFlags.SIGNALED);
      qp.wrBindMw(mw, next, new MwBindInfo(mr, mr.addr(), 32, REMOTE));
      qp.wrComplete();
      assertThat(await(pair.right.cq()).orThrow().wrId()).isEqualTo(3);
      pair.put("built");
      assertThat(pair.write(next, mr.addr())).isEqualTo(WcStatus.SUCCESS);
      assertThat(text(mr, 0)).isEqualTo("built");
    }
  }

  @Test
  void aWindowOfType2KeepsItsFirstKeyAndIsNotBoundToNothing() {
    try (Pair pair = new Pair(OPS | SendOps.BIND_MW)) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
      int first = mw.rkey();
      int key = Keys.incRkey(first);
      QueuePairEx qp = pair.right.qp().toQpEx();
      SendWr bind = new SendWr().opcode(WrOpcode.BIND_MW).sendFlags(SendFlags.SIGNALED).mw(mw);
      qp.postSend(bind.bindRkey(key).bindInfo(MwBindInfo.of(mr, REMOTE)));
      assertThat(await(pair.right.cq()).status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(mw.rkey()).as("the key that the window was made with").isEqualTo(first);

      // A batch that is discarded binds nothing.
      qp.wrStart();
      qp.wrBindMw(mw, Keys.incRkey(key), MwBindInfo.unbind());
      qp.wrAbort();
      assertThat(pair.write(key, mr.addr())).isEqualTo(WcStatus.SUCCESS);

      qp.postSend(new SendWr().opcode(WrOpcode.LOCAL_INV).invalidateRkey(key));
      qp.postSend(bind.bindRkey(Keys.incRkey(key)).bindInfo(MwBindInfo.unbind()));
      assertThat(await(pair.right.cq()).status()).isEqualTo(WcStatus.MW_BIND_ERR);
      mr.dereg();
      mw.dealloc();
    }
    // What stood in for the region is nobody's, and ends with the domain.
    pd.close();
  }

  /** No other test asks for it, since it cannot be taken back. */
  @Test
  void theLibraryIsPreparedForForksOnceThisIsAskedFor() {
    assertThat(Devices.isForkInitialized()).isEqualTo(ForkStatus.DISABLED);
    Devices.forkInit();
    assertThat(Devices.isForkInitialized()).isEqualTo(ForkStatus.ENABLED);
  }

  @Test
  void rightsThatTheDeviceDoesNotHaveAreNotOffered() {
    int rights = Access.LOCAL_WRITE | Access.FLUSH_PERSISTENT;
    assertErrno(() -> pd.allocMr(64, rights), Errno.EOPNOTSUPP);
    assertThatThrownBy(() -> pd.allocMr(64, rights))
        .hasMessageContaining("the rights 0x200 are not among the capabilities");
    assertErrno(() -> pd.allocMr(64, Access.REMOTE_WRITE), Errno.EINVAL);
  }

  @Test
  void anAddressOfChoiceIsAtTheSamePlaceInAPage() {
    MemoryRegion page = pd.allocMr(4096, ALL);
    MemorySegment part = page.memory().asSlice(64, 128);
    assertThatThrownBy(() -> pd.regMrIova(part, 0x7000_0000L, ALL))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining("the iova 0x70000000 are not at the same place in a page");
    assertThat(pd.regMrIova(part, 0x7000_0040L, ALL).addr()).isEqualTo(0x7000_0040L);
  }

  /** The memory is there all the time; only the segment that was registered ends. */
  @Test
  void aDriverDoesNotNoticeThatAnArenaWasClosedTooSoon() {
    try (Pair pair = new Pair();
        Arena keeps = Arena.ofShared()) {
      MemorySegment memory = keeps.allocate(64, 8);
      Arena arena = Arena.ofShared();
      MemoryRegion mr = pd.regMr(CLibraryNative.until(arena, memory), ALL);
      int rkey = mr.rkey();
      arena.close();
      pair.put("late");
      assertThat(pair.write(rkey, memory.address())).isEqualTo(WcStatus.SUCCESS);
      assertThat(memory.getString(0)).isEqualTo("late");
      mr.dereg();
      pair.put("later");
      assertThat(pair.write(rkey, memory.address())).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(memory.getString(0)).isEqualTo("late");
    }
  }

  /** As there, for what this end asks of the device. */
  @Test
  void requestsAboutAFreedArenaAreRefusedBeforeTheCall() {
    try (Pair pair = new Pair(OPS | SendOps.BIND_MW);
        Arena keeps = Arena.ofShared()) {
      Arena arena = Arena.ofShared();
      MemorySegment memory = CLibraryNative.until(arena, keeps.allocate(64, 8));
      MemoryRegion mr = pd.regMr(memory, ALL | Access.MW_BIND);
      Sge gone = mr.sge(8, 0);
      MwBindInfo info = MwBindInfo.of(mr, REMOTE);
      arena.close();
      QueuePairEx qp = pair.left.qp().toQpEx();
      MemoryRegion from = pair.left.mr();
      MemoryRegion to = pair.right.mr();
      SendWr second = pair.request(to.rkey(), to.addr()).sgList(from.sge(8, 0), gone);
      SendWr first = pair.request(to.rkey(), to.addr()).wrId(5).sgList(from.sge(8, 0));
      assertThatThrownBy(() -> qp.postSend(first.next(second)))
          .isInstanceOfSatisfying(
              WorkRequestException.class,
              e -> {
                assertThat(e.errno()).isEqualTo(Errno.EINVAL);
                assertThat(e.index()).isEqualTo(1);
              })
          .hasMessageContaining("SGE 1 is in the region 0x" + Integer.toHexString(gone.lkey()));
      assertThat(await(pair.left.cq()).orThrow().wrId()).isEqualTo(5);

      SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
      WorkQueue wq = context.createWq(new WqInitAttr(pd, pair.left.cq()).maxWr(4).maxSge(1));
      RecvWr recv = new RecvWr().sgList(gone);
      assertGone(() -> qp.postRecv(recv));
      assertGone(() -> srq.postRecv(recv));
      assertGone(() -> wq.postRecv(recv));

      List<Consumer<QueuePairEx>> setters =
          List.of(
              batch -> batch.wrSetSge(gone.lkey(), gone.addr(), 8),
              batch -> batch.wrSetSgeList(gone));
      for (Consumer<QueuePairEx> setter : setters) {
        qp.wrStart();
        qp.wrRdmaWrite(to.rkey(), to.addr());
        setter.accept(qp);
        assertGone(qp::wrComplete);
      }

      MemoryWindow window = pd.allocMw(MwType.TYPE_2);
      SendWr binds = new SendWr().opcode(WrOpcode.BIND_MW).mw(window).bindRkey(1).bindInfo(info);
      assertGone(() -> qp.postSend(binds));
      assertGone(() -> qp.bindMw(pd.allocMw(MwType.TYPE_1), bind(1, info)));
      qp.wrStart();
      qp.wrBindMw(window, 1, info);
      assertGone(qp::wrComplete);

      // A key without a region is the device's affair.
      mr.dereg();
      qp.postSend(first.next(null).sgList(gone));
      assertThat(await(pair.left.cq()).status()).isEqualTo(WcStatus.LOC_PROT_ERR);
    }
  }

  private static void assertGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining("whose memory is gone");
  }

  @Test
  void whatCannotBeBoundIsRefusedBeforeTheCall() {
    try (Pair pair = new Pair(OPS | SendOps.BIND_MW);
        Context other = device().open()) {
      QueuePair qp = pair.right.qp();
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow one = pd.allocMw(MwType.TYPE_1);
      MemoryWindow two = pd.allocMw(MwType.TYPE_2);
      MemoryWindow foreign = other.allocPd().allocMw(MwType.TYPE_2);
      MwBindInfo info = MwBindInfo.of(mr, REMOTE);
      assertErrno(() -> pd.allocMw(null), Errno.EINVAL);
      assertErrno(() -> qp.bindMw(two, bind(1, info)), Errno.EINVAL);
      assertErrno(() -> qp.bindMw(foreign, bind(1, info)), Errno.EINVAL);
      MwBind toNothing = bind(1, MwBindInfo.of(pd.allocNullMr()));
      assertThatThrownBy(() -> qp.bindMw(one, toNothing)).hasMessageContaining("null region");
      SendWr wr = new SendWr().opcode(WrOpcode.BIND_MW).bindInfo(info);
      assertThatThrownBy(() -> qp.postSend(wr.mw(one))).hasMessageContaining("is of type 1");
      assertThatThrownBy(() -> qp.postSend(wr.mw(foreign)))
          .hasMessageContaining("of another context");
      assertThatThrownBy(() -> qp.postSend(wr.mw(null))).hasMessageContaining("needs a window");
      assertThatThrownBy(() -> qp.postSend(wr.mw(two).bindInfo(MwBindInfo.of(pd.allocNullMr()))))
          .hasMessageContaining("or a null region");
      mr.close();
      assertThatThrownBy(() -> qp.postSend(wr.bindInfo(info))).hasMessageContaining("region");
      two.close();
      assertThatThrownBy(() -> qp.postSend(wr)).hasMessageContaining("is closed, or of");
      QueuePairEx batch = qp.toQpEx();
      batch.wrStart();
      batch.wrBindMw(two, 1, info);
      assertThatThrownBy(batch::wrComplete)
          .isInstanceOfSatisfying(
              WorkRequestException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
  }

  @Test
  void aRegionToWhichAWindowIsBoundStaysAsItIs() {
    try (Pair pair = new Pair()) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
      pair.right.qp().bindMw(mw, bind(1, MwBindInfo.of(mr, REMOTE)));
      await(pair.right.cq()).orThrow();
      assertErrno(mr::dereg, Errno.EBUSY);
      assertErrno(mr::close, Errno.EBUSY);
      assertErrno(() -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, null, 0), Errno.EBUSY);
      assertThat(mr.isClosed()).isFalse();
      pair.put("still");
      assertThat(pair.write(mw.rkey(), mr.addr())).isEqualTo(WcStatus.SUCCESS);
      assertThat(text(mr, 0)).isEqualTo("still");
      mw.dealloc();
      mr.dereg();
      assertThat(mr.isClosed()).isTrue();
    }
  }

  @Test
  void closingADomainEndsWindowsBeforeRegions() {
    ProtectionDomain domain = context.allocPd();
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = domain.createQp(QpInitAttr.rc(cq));
    qp.connect(qp.endpoint(), REMOTE);
    MemoryRegion mr = domain.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
    MemoryWindow mw = domain.allocMw(MwType.TYPE_1);
    qp.bindMw(mw, bind(1, MwBindInfo.of(mr, REMOTE)));
    await(cq).orThrow();
    domain.close();
    assertThat(mr.isClosed()).isTrue();
    assertThat(mw.isClosed()).isTrue();
  }

  @Test
  void aRegionChangesItsMemoryItsRightsAndItsDomain() {
    try (Pair pair = new Pair();
        Arena arena = Arena.ofShared()) {
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
      assertThat(pair.write(mr.rkey(), mr.addr())).isEqualTo(WcStatus.REM_ACCESS_ERR);
      MemorySegment memory = arena.allocate(128, 8);
      int both = ReregFlags.CHANGE_TRANSLATION | ReregFlags.CHANGE_ACCESS;
      MemorySegment old = mr.memory();
      mr.rereg(both, null, memory, ALL);
      assertThat(old.scope().isAlive()).isFalse();
      assertThat(mr.memory()).isEqualTo(memory);
      assertThat(mr.addr()).isEqualTo(memory.address());
      assertThat(mr.length()).isEqualTo(128);
      assertThat(mr.access()).isEqualTo(ALL);
      try (Pair next = new Pair()) {
        next.put("moved");
        assertThat(next.write(mr.rkey(), mr.addr())).isEqualTo(WcStatus.SUCCESS);
        assertThat(text(mr, 0)).isEqualTo("moved");
        // Inline data of the new memory is found by its key.
        next.left
            .qp()
            .postSend(
                next.request(mr.rkey(), mr.addr() + 64)
                    .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
                    .sgList(new Sge(mr.addr(), 6, mr.lkey())));
        await(next.left.cq()).orThrow();
        assertThat(text(mr, 64)).isEqualTo("moved");
        ProtectionDomain other = context.allocPd();
        mr.rereg(ReregFlags.CHANGE_PD, other, null);
        assertThat(mr.pd()).isSameAs(other);
        assertErrno(other::dealloc, Errno.EBUSY);
        assertThat(next.write(mr.rkey(), mr.addr())).isEqualTo(WcStatus.REM_ACCESS_ERR);
      }
      mr.close();
    }
  }

  @Test
  void aChangeThatIsRefusedChangesNothing() {
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    assertErrno(() -> mr.rereg(0, null, null), Errno.EINVAL);
    assertErrno(() -> mr.rereg(ReregFlags.CHANGE_PD, null, null), Errno.EINVAL);
    assertErrno(() -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, null), Errno.EINVAL);
    assertErrno(() -> mr.rereg(ReregFlags.CHANGE_PD, pd, null, Access.LOCAL_WRITE), Errno.EINVAL);
    ProtectionDomain other = context.allocPd();
    int unknown = 1 << 18;
    int flags = ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS;
    assertErrno(() -> mr.rereg(flags, other, null, unknown), Errno.EINVAL);
    assertThat(mr.pd()).isSameAs(pd);
    assertThat(mr.access()).isEqualTo(Access.LOCAL_WRITE);
    other.dealloc();
    mr.dereg();
    assertErrno(() -> mr.rereg(ReregFlags.CHANGE_PD, pd, null), Errno.EBADF);
  }

  @Test
  void aNullRegionReadsAsZeros() {
    try (Pair pair = new Pair()) {
      MemoryRegion none = pd.allocNullMr();
      assertThat(none.length()).isEqualTo(Long.MAX_VALUE);
      assertThat(none.rkey()).isZero();
      assertErrno(() -> none.rereg(ReregFlags.CHANGE_PD, pd, null), Errno.EINVAL);
      MemoryRegion to = pair.right.mr();
      to.memory().setString(0, "text");
      pair.left
          .qp()
          .postSend(pair.request(to.rkey(), to.addr()).sgList(new Sge(0, 2, none.lkey())));
      await(pair.left.cq()).orThrow();
      assertThat(to.memory().asSlice(2).getString(0, StandardCharsets.UTF_8)).isEqualTo("xt");
      assertThat(text(to, 0)).isEmpty();
      none.dereg();
    }
  }

  private static MwBind bind(long wrId, MwBindInfo info) {
    return new MwBind(wrId, SendFlags.SIGNALED, info);
  }
}
