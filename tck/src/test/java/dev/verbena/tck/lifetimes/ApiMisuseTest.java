package dev.verbena.tck.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Calls in any order with any arguments, on objects that are closed or not: each works or throws a
 * documented kind of exception, and the device keeps serving others.
 */
final class ApiMisuseTest {
  private static final int CALLS = 4_000;
  private static final QpState[] STATES = QpState.values();
  private static final WrOpcode[] OPCODES = WrOpcode.values();
  private static final long[] NUMBERS = {
    0, 1, -1, 7, 8, 64, 4096, 60_000, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final Random random = new Random(TckLink.SEED);
  private final List<MemoryRegion> regions = new ArrayList<>();
  private final List<CompletionQueue> cqs = new ArrayList<>();
  private final List<QueuePair> qps = new ArrayList<>();

  private long number() {
    return random.nextInt(3) == 0 ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private int small() {
    return (int) number();
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Sge[] sges() {
    Sge[] list = new Sge[random.nextInt(6)];
    for (int i = 0; i < list.length; i++) {
      MemoryRegion mr = any(regions);
      list[i] =
          random.nextBoolean() && !mr.isClosed()
              ? mr.sge(random.nextInt(200), random.nextInt(60_000))
              : new Sge().addr(number()).length(number() & 0xffff_ffffL).lkey(small());
    }
    return list;
  }

  private SendWr request(QpPair pair) {
    QpEnd right = pair.right();
    boolean sound = random.nextBoolean();
    return new SendWr()
        .wrId(number())
        .opcode(OPCODES[random.nextInt(OPCODES.length)])
        .sendFlags(random.nextInt(40))
        .remoteAddr(sound ? right.addr(random.nextInt(60_000)) : number())
        .rkey(sound ? right.rkey() : small())
        .compareAdd(number())
        .flushLength(number())
        .flushType(random.nextInt(5))
        .flushLevel(random.nextBoolean() ? FlushLevel.RANGE : FlushLevel.MR)
        .invalidateRkey(small())
        .sgList(sges());
  }

  private void build(QpPair pair) {
    switch (random.nextInt(8)) {
      case 0 -> pair.left().qp().wrStart();
      case 1 -> pair.left().qp().wrComplete();
      case 2 -> pair.left().qp().wrAbort();
      case 3 -> pair.left().qp().wrRdmaWrite(small(), number());
      case 4 -> pair.left().qp().wrSend();
      case 5 -> pair.left().qp().wrSetSge(small(), number(), number());
      case 6 -> pair.left().qp().wrSetInlineData(MemorySegment.ofArray(new byte[5]), number(), 3);
      default -> pair.left().qp().wrAtomicFetchAdd(small(), number(), number());
    }
  }

  private void manage(QpPair pair, Arena arena) {
    QpEnd left = pair.left();
    switch (random.nextInt(9)) {
      case 0 ->
          regions.add(
              left.pd().regMr(arena.allocate(1 + random.nextInt(9000)), random.nextInt(1 << 9)));
      case 1 -> any(regions).close();
      case 2 -> any(regions).dereg();
      case 3 -> cqs.add(left.context().createCq(small()));
      case 4 -> any(cqs).close();
      case 5 ->
          qps.add(
              left.pd()
                  .createQp(
                      QpInitAttr.rc(any(cqs))
                          .cap(new QpCap(small(), small(), small(), small(), small()))));
      case 6 -> any(qps).close();
      case 7 -> {
        AddressHandle ah = left.pd().createAh(AhAttr.to(new Gid(number(), number())));
        ah.close();
      }
      default -> left.context().queryPort(small());
    }
  }

  private void call(QpPair pair, Arena arena) {
    QueuePair qp = any(qps);
    switch (random.nextInt(9)) {
      case 0 -> qp.postSend(request(pair));
      case 1 -> qp.postRecv(new RecvWr().wrId(number()).sgList(sges()));
      case 2 -> qp.modify(new QpAttr().qpState(STATES[random.nextInt(STATES.length)]));
      case 3 ->
          qp.modify(
              new QpAttr()
                  .qpState(STATES[random.nextInt(STATES.length)])
                  .qpAccessFlags(random.nextInt(16))
                  .portNum(random.nextInt(3))
                  .pkeyIndex(random.nextInt(2))
                  .timeout(random.nextInt(40))
                  .rqPsn(small())
                  .destQpNum(small())
                  .maxRdAtomic(random.nextInt(20)));
      case 4 -> any(cqs).poll(new WorkCompletion());
      case 5 -> any(cqs).poll(random.nextInt(4) - 1, new WorkCompletion[] {new WorkCompletion()});
      case 6 -> build(pair);
      case 7 -> manage(pair, arena);
      default -> qp.query(random.nextInt(1 << 26));
    }
  }

  @OnEveryLink
  void randomCallsThrowNoOtherKindsOfExceptionsAndABystanderGoesOn(TckLink link) {
    try (Arena arena = Arena.ofShared();
        QpPair bystander = QpPair.open(link)) {
      int refused = 0;
      for (int round = 0; round < 4; round++) {
        regions.clear();
        cqs.clear();
        qps.clear();
        try (QpPair pair = PairSetup.on(link).timeout(8).retryCnt(1).open()) {
          regions.add(pair.left().mr());
          cqs.add(pair.left().sendCq());
          cqs.add(pair.left().recvCq());
          qps.add(pair.left().qp());
          for (int i = 0; i < CALLS; i++) {
            try {
              call(pair, arena);
            } catch (VerbsException | IllegalStateException | IllegalArgumentException e) {
              refused++;
            }
          }
        }
        QpEnd left = bystander.left();
        left.qp().postSend(SendWrs.write(round, bystander.right(), 0, left.sge(0, 5000)));
        left.sent(round);
        left.qp().postSend(SendWrs.read(round, bystander.right(), 0, left.sge(0, 5000)));
        left.sent(round);
      }
      // What works must be tried, too.
      assertThat(refused).isBetween(CALLS, 4 * CALLS - CALLS / 10);
    }
  }
}
