package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.ValuesEx;
import dev.verbena.verbs.ValuesMask;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** The cursor's readers, for each kind of completion: S6.16, S6.17. */
final class CqExFieldTest {
  private static final long TOLERANCE_NANOS = 100_000_000;

  @OnEveryLinkAndApi
  @Proves("S6.17")
  void completionsOfSends(TckLink link, PostingApi api) {
    try (CursorBench bench = CursorBench.open(link)) {
      QpEnd left = bench.left();
      QpEnd right = bench.right();
      for (int i = 0; i < 3; i++) {
        right.postRecv(i, right.sge(0, 64));
      }
      Sge data = left.sge(0, 24);
      Sge word = left.sge(64, 8);
      Map<SendWr, WcOpcode> expected = new LinkedHashMap<>();
      expected.put(SendWrs.send(1, data), WcOpcode.SEND);
      expected.put(SendWrs.sendImm(2, 5, data), WcOpcode.SEND);
      expected.put(SendWrs.write(3, right, 0, data), WcOpcode.RDMA_WRITE);
      expected.put(SendWrs.writeImm(4, 6, right, 0, data), WcOpcode.RDMA_WRITE);
      expected.put(SendWrs.read(5, right, 0, data), WcOpcode.RDMA_READ);
      expected.put(SendWrs.compareSwap(6, right, 8, 1, 2, word), WcOpcode.COMP_SWAP);
      expected.put(SendWrs.fetchAdd(7, right, 8, 1, word), WcOpcode.FETCH_ADD);
      expected.forEach(
          (wr, opcode) -> {
            api.post(left.qp(), wr);
            CompletionQueueEx cq = bench.cq();
            bench.start();
            assertThat(cq.wrId()).isEqualTo(wr.wrId());
            assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(cq.readOpcode()).isEqualTo(opcode);
            assertThat(cq.readQpNum()).isEqualTo(left.qp().qpNum());
            assertThat(flags(cq.readWcFlags(), WcFlags.GRH | WcFlags.WITH_IMM)).isZero();
            switch (opcode) {
              case RDMA_READ -> assertThat(cq.readByteLen()).isEqualTo(24);
              case COMP_SWAP, FETCH_ADD -> assertThat(cq.readByteLen()).isEqualTo(8);
              default -> {}
            }
            cq.endPoll();
          });
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S6.17", "S6.16"})
  void completionsOfReceives(TckLink link, PostingApi api) {
    try (CursorBench bench = CursorBench.open(link)) {
      QpEnd left = bench.left();
      QpEnd right = bench.right();
      for (int i = 1; i <= 3; i++) {
        left.qp().postRecv(new RecvWr().wrId(i).sgList(left.sge(0, 64)));
      }
      Sge data = right.sge(0, 24);
      api.post(right.qp(), SendWrs.send(1, data));
      api.post(right.qp(), SendWrs.sendImm(2, 0x80010203, data));
      api.post(right.qp(), SendWrs.writeImm(3, 0x7fffffff, left, 0, data));

      CompletionQueueEx cq = bench.cq();
      bench.start();
      assertReceive(cq, left, 1, WcOpcode.RECV);
      assertThat(flags(cq.readWcFlags(), WcFlags.GRH)).isZero();
      bench.next();
      assertReceive(cq, left, 2, WcOpcode.RECV);
      assertThat(flags(cq.readWcFlags(), WcFlags.GRH)).isEqualTo(WcFlags.WITH_IMM);
      assertThat(cq.readImmData()).isEqualTo(0x80010203);
      assertThat(cq.readInvalidatedRkey()).isZero();
      bench.next();
      assertReceive(cq, left, 3, WcOpcode.RECV_RDMA_WITH_IMM);
      assertThat(flags(cq.readWcFlags(), WcFlags.GRH)).isEqualTo(WcFlags.WITH_IMM);
      assertThat(cq.readImmData()).isEqualTo(0x7fffffff);
      cq.endPoll();
    }
  }

  @OnEveryLinkAndApi
  @Proves("S6.17")
  void aCopyHasTheFieldsThatWereAskedForAndOutlivesTheCursor(TckLink link, PostingApi api) {
    for (int fields : new int[] {WcExFlags.STANDARD_FLAGS, WcExFlags.BYTE_LEN, 0}) {
      CqInitAttrEx attr = new CqInitAttrEx(64).wcFlags(fields);
      try (CursorBench bench = CursorBench.open(PairSetup.on(link), attr)) {
        QpEnd left = bench.left();
        left.qp().postRecv(new RecvWr().wrId(1).sgList(left.sge(0, 64)));
        api.post(bench.right().qp(), SendWrs.sendImm(2, 5, bench.right().sge(0, 24)));
        CompletionQueueEx cq = bench.cq();
        WorkCompletion wc = new WorkCompletion().immData(99).qpNum(99).srcQp(99).pkeyIndex(99);
        bench.start();
        assertThat(cq.read(wc)).isSameAs(wc);
        cq.endPoll();
        assertThatThrownBy(() -> cq.read(new WorkCompletion()))
            .isInstanceOf(IllegalStateException.class);
        bench.write(3);
        bench.start();
        cq.endPoll();
        boolean all = fields == WcExFlags.STANDARD_FLAGS;
        assertThat(wc.wrId()).isEqualTo(1);
        assertThat(wc.orThrow().opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(flags(wc.wcFlags(), WcFlags.GRH)).isEqualTo(WcFlags.WITH_IMM);
        assertThat(wc.byteLen()).isEqualTo(fields == 0 ? 0 : 24);
        assertThat(wc.immData()).isEqualTo(all ? 5 : 0);
        assertThat(wc.qpNum()).isEqualTo(all ? left.qp().qpNum() : 0);
        assertThat(wc.srcQp() + wc.pkeyIndex() + wc.slid()).isZero();
      }
    }
  }

  /**
   * Those of a connected queue pair, without some that devices of others set as well: on RoCE its
   * packets have a global route in any case.
   */
  private static int flags(int wcFlags, int ofOthers) {
    return TckLink.areDevicesOfOthers() ? wcFlags & ~ofOthers : wcFlags;
  }

  private static void assertReceive(CompletionQueueEx cq, QpEnd end, long id, WcOpcode opcode) {
    assertThat(cq.wrId()).isEqualTo(id);
    assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(cq.readOpcode()).isEqualTo(opcode);
    assertThat(cq.readQpNum()).isEqualTo(end.qp().qpNum());
    assertThat(cq.readByteLen()).isEqualTo(24);
    assertThat(cq.readSlid()).isZero();
    assertThat(cq.readSl()).isZero();
    assertThat(cq.readDlidPathBits()).isZero();
  }

  @OnEveryLinkAndApi
  @Proves({"S6.17", "S6.16"})
  void completionsOfDatagrams(TckLink link, PostingApi api) {
    PairSetup setup = PairSetup.on(link).type(QpType.UD);
    for (boolean immediate : new boolean[] {false, true}) {
      try (CursorBench bench = CursorBench.open(setup, CursorBench.standard())) {
        QpEnd left = bench.left();
        QpEnd right = bench.right();
        left.qp().postRecv(new RecvWr().wrId(1).sgList(left.sge(0, 64)));
        Sge data = right.sge(0, 24);
        SendWr wr = immediate ? SendWrs.sendImm(2, 0x80010203, data) : SendWrs.send(2, data);
        right.to(left, right.ahTo(left), wr);
        CompletionQueueEx cq = bench.cq();
        bench.pair().reversed().post(api, wr);
        Await.until(
            "a datagram under the cursor",
            () -> {
              boolean arrived = cq.startPoll();
              if (!arrived && link.isFaulty()) {
                bench.pair().reversed().post(api, wr);
              }
              return arrived;
            });
        assertThat(cq.wrId()).isEqualTo(1);
        assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(cq.readOpcode()).isEqualTo(WcOpcode.RECV);
        assertThat(cq.readQpNum()).isEqualTo(left.qp().qpNum());
        assertThat(cq.readByteLen()).as("with the GRH area").isEqualTo(40 + 24);
        assertThat(cq.readSrcQp()).isEqualTo(right.qp().qpNum());
        assertThat(cq.readSl()).isIn(left.serviceLevels());
        assertThat(cq.readSlid()).isEqualTo(right.qp().endpoint().lid());
        assertThat(cq.readWcFlags()).isEqualTo(WcFlags.GRH | (immediate ? WcFlags.WITH_IMM : 0));
        if (immediate) {
          assertThat(cq.readImmData()).isEqualTo(0x80010203);
        }
        cq.endPoll();

        api.post(left.qp(), left.to(right, left.ahTo(right), SendWrs.send(3, left.sge(0, 8))));
        bench.start();
        assertThat(cq.wrId()).isEqualTo(3);
        assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(cq.readOpcode()).isEqualTo(WcOpcode.SEND);
        assertThat(cq.readQpNum()).isEqualTo(left.qp().qpNum());
        cq.endPoll();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S6.17", "S6.16"})
  void completionsOfBindsAndInvalidations(TckLink link, PostingApi api) {
    try (CursorBench bench = CursorBench.open(MwSetup.reliable(link), CursorBench.standard())) {
      QpEnd left = bench.left();
      QpEnd right = bench.right();
      CompletionQueueEx cq = bench.cq();
      MemoryRegion mr = MwSetup.region(left);
      MemoryWindow mw = MwSetup.type2(left);
      MwBindInfo info = MwSetup.all(mr, MwSetup.RIGHTS);
      api.post(left.qp(), MwSetup.bind(1, mw, 0x11, info));
      bench.start();
      assertLocal(cq, left, 1, WcOpcode.BIND_MW);
      cq.endPoll();
      api.post(left.qp(), MwSetup.invalidate(2, MwSetup.key(mw, 0x11)));
      bench.start();
      assertLocal(cq, left, 2, WcOpcode.LOCAL_INV);
      cq.endPoll();
      api.post(left.qp(), MwSetup.bind(3, mw, 0x33, info));
      bench.start();
      assertLocal(cq, left, 3, WcOpcode.BIND_MW);
      cq.endPoll();

      left.qp().postRecv(new RecvWr().wrId(4).sgList(left.sge(0, 64)));
      api.post(right.qp(), MwSetup.sendInv(5, MwSetup.key(mw, 0x33), right.sge(0, 24)));
      bench.start();
      assertReceive(cq, left, 4, WcOpcode.RECV);
      assertThat(flags(cq.readWcFlags(), WcFlags.GRH)).as("wc_flags").isEqualTo(WcFlags.WITH_INV);
      assertThat(cq.readInvalidatedRkey()).isEqualTo(MwSetup.key(mw, 0x33));
      cq.endPoll();
    }
  }

  private static void assertLocal(CompletionQueueEx cq, QpEnd end, long id, WcOpcode opcode) {
    assertThat(cq.wrId()).isEqualTo(id);
    assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(cq.readOpcode()).isEqualTo(opcode);
    assertThat(cq.readQpNum()).isEqualTo(end.qp().qpNum());
    assertThat(cq.readWcFlags()).isZero();
  }

  @OnEveryLinkAndApi
  @Proves("S6.17")
  void completionsWithErrors(TckLink link, PostingApi api) {
    try (CursorBench bench = CursorBench.open(link)) {
      QpEnd left = bench.left();
      left.qp().postRecv(new RecvWr().wrId(9).sgList(left.sge(0, 64)));
      Sge wrongKey = new Sge(left.addr(0), 8, left.mr().lkey() ^ 0x5500);
      api.post(left.qp(), SendWrs.write(1, bench.right(), 0, wrongKey));
      CompletionQueueEx cq = bench.cq();
      bench.start();
      assertThat(cq.wrId()).isEqualTo(1);
      assertThat(cq.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
      assertThat(cq.readQpNum()).isEqualTo(left.qp().qpNum());
      assertThat(cq.readVendorErr()).isNotZero();
      assertThat(cq.readVendorErrText())
          .as("the driver's words")
          .isNotEmpty()
          .isEqualTo(cq.read(new WorkCompletion()).vendorErrText());
      bench.next();
      assertThat(cq.wrId()).isEqualTo(9);
      assertThat(cq.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(cq.readVendorErrText()).isEmpty();
      assertThat(cq.readQpNum()).isEqualTo(left.qp().qpNum());
      cq.endPoll();
    }
  }

  @OnEveryLink
  @Proves("S6.16")
  void timeStampsTellWhenOnTheDevicesClock(TckLink link) {
    CqInitAttrEx attr = new CqInitAttrEx(16).wcFlags(WcExFlags.COMPLETION_TIMESTAMP);
    try (CursorBench bench = CursorBench.open(PairSetup.on(link), attr)) {
      Context context = bench.left().context();
      DeviceAttrEx device = context.queryDeviceEx();
      assertThat(device.completionTimestampMask()).isNotZero();
      assertThat(device.hcaCoreClock()).isPositive();
      long last = rawClock(context);
      for (int id = 0; id < 20; id++) {
        bench.write(id);
        bench.start();
        assertThat(bench.cq().wrId()).isEqualTo(id);
        long stamp = bench.cq().readCompletionTs();
        assertThat(stamp).isGreaterThanOrEqualTo(last);
        bench.cq().endPoll();
        last = rawClock(context);
        assertThat(last).isGreaterThanOrEqualTo(stamp);
      }
    }
  }

  @OnEveryLink
  @Proves("S6.16")
  void theDevicesClockTicksAsItSays(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      Context context = pair.left().context();
      double nanosPerTick = 1e6 / context.queryDeviceEx().hcaCoreClock();
      long before = System.nanoTime();
      long first = rawClock(context);
      long inner = System.nanoTime();
      while (System.nanoTime() - inner < 3_000_000) {
        Thread.onSpinWait();
      }
      long innerEnd = System.nanoTime();
      double elapsed = (rawClock(context) - first) * nanosPerTick;
      long after = System.nanoTime();
      assertThat(elapsed).isBetween((innerEnd - inner) * 0.999, (after - before) * 1.001);
      assertThat(context.queryRtValuesEx().compMask()).isZero();
    }
  }

  @OnEveryLink
  @Proves("S6.16")
  void wallClockStampsAreNanosecondsSince1970(TckLink link) {
    CqInitAttrEx attr = new CqInitAttrEx(16).wcFlags(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK);
    try (CursorBench bench = CursorBench.open(PairSetup.on(link), attr)) {
      long before = wallClock();
      bench.write(1);
      bench.start();
      long stamp = bench.cq().readCompletionWallclockNs();
      bench.cq().endPoll();
      assertThat(stamp).isBetween(before - TOLERANCE_NANOS, wallClock() + TOLERANCE_NANOS);
    }
  }

  private static long wallClock() {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
  }

  private static long rawClock(Context context) {
    ValuesEx values = context.queryRtValuesEx(ValuesMask.RAW_CLOCK);
    assertThat(values.compMask()).isEqualTo(ValuesMask.RAW_CLOCK);
    return values.rawClock();
  }
}
