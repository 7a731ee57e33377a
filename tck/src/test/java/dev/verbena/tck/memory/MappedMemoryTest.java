package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** WRITEs, READs and atomics of memory that two devices with link=shm both have mapped. */
final class MappedMemoryTest {
  private static final int SIZE = 1 << 20;
  private static final int PAGE = 4096;

  @BeforeEach
  void memoryIsShared() {
    assumeThat(TckLink.selected()).contains(TckLink.SHM);
  }

  private static PairSetup setup() {
    return PairSetup.on(TckLink.SHM).mrBytes(SIZE);
  }

  private static long direct(QpEnd end) {
    return end.qp().counters().get(Counter.DIRECT_MESSAGES);
  }

  @Test
  void aWriteAndAReadOfAnyLengthAreOneCopyByTheRequester() {
    try (QpPair pair = setup().open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      int number = 0;
      for (int length : new int[] {1, 8, 4097, (256 << 10) + 1, SIZE}) {
        byte[] data = left.fill(0, length, length);
        left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, length)));
        left.sent(1);
        assertThat(right.bytes(0, length)).isEqualTo(data);
        byte[] others = right.fill(0, length, -length);
        left.qp().postSend(SendWrs.read(2, right, 0, left.sge(0, length)));
        left.sent(2);
        assertThat(left.bytes(0, length)).isEqualTo(others);
        number += 2;
        assertThat(direct(left)).as("after %d bytes", length).isEqualTo(number);
      }
      assertThat(left.qp().counters().get(Counter.PACKETS_SENT)).isZero();
      assertThat(left.qp().dump()).contains("\n  path:      mapped memory\n");
    }
  }

  @Test
  void anAtomicIsOneOfTheProcessorByTheRequester() {
    try (QpPair pair = setup().open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      right.setLong(16, 40);
      left.qp().postSend(SendWrs.fetchAdd(1, right, 16, 2, left.sge(0, 8)));
      left.sent(1);
      left.qp().postSend(SendWrs.compareSwap(2, right, 16, 42, -1, left.sge(8, 8)));
      left.sent(2);
      left.qp().postSend(SendWrs.compareSwap(3, right, 16, 42, 7, left.sge(16, 8)));
      left.sent(3);
      assertThat(left.getLong(0)).isEqualTo(40);
      assertThat(left.getLong(8)).isEqualTo(42);
      assertThat(left.getLong(16)).isEqualTo(-1);
      assertThat(right.getLong(16)).isEqualTo(-1);
      assertThat(direct(left)).isEqualTo(3);

      left.qp().postSend(SendWrs.fetchAdd(4, right, 20, 1, left.sge(0, 8)));
      left.awaitSend(4, WcStatus.REM_INV_REQ_ERR);
      assertThat(right.getLong(16)).isEqualTo(-1);
      assertThat(direct(left)).as("those that the responder has not refused").isEqualTo(3);
    }
  }

  @Test
  void atomicsByTheRequesterAndByPacketsLoseNothingOfEachOther() throws Exception {
    int slow = 200;
    AtomicBoolean ended = new AtomicBoolean();
    DeviceSpec byPackets = TckLink.SHM.device().faults(FaultSpec.parse("dup:0.01,seed:1"));
    try (QpPair pair = setup().open();
        Context context = Devices.open(byPackets)) {
      QpEnd right = pair.right();
      QpEnd other = setup().end(context, context.allocPd());
      QpEnd target = setup().end(right.context(), right.pd());
      setup().connect(other.qp(), target.qp().endpoint());
      setup().connect(target.qp(), other.qp().endpoint());
      Background<Integer> direct =
          Background.call(
              () -> {
                int times = 0;
                for (; !ended.get(); times++) {
                  count(pair.left(), right, 1);
                }
                return times;
              });
      Await.until("atomics by the requester", () -> right.getLong(0) > 0);
      count(other, right, slow);
      ended.set(true);
      int quick = direct.result();
      assertThat(right.getLong(0)).isEqualTo(slow + quick);
      assertThat(direct(pair.left())).isEqualTo(quick);
      assertThat(direct(other)).isZero();
    }
  }

  private static void count(QpEnd from, QpEnd to, int times) {
    for (int i = 0; i < times; i++) {
      from.qp().postSend(SendWrs.fetchAdd(i, to, 0, 1, from.sge(0, 8)));
      from.sent(i);
    }
  }

  /** It may not be tried once more by packets, or chunks. */
  @Test
  void anAtomicWhoseAnswerFindsNoMemoryIsExecutedOnce() {
    for (TckLink link : new TckLink[] {TckLink.SHM, TckLink.LOOPBACK}) {
      try (QpPair pair = PairSetup.on(link).open();
          CutFile file = CutFile.create()) {
        QpEnd left = pair.left();
        left.qp().postSend(SendWrs.write(0, pair.right(), 8, left.sge(0, 8)));
        left.sent(0);
        MemoryRegion landing = file.register(left);
        file.cut();
        left.qp().postSend(SendWrs.fetchAdd(1, pair.right(), 0, 1, landing.sgeAt(CutFile.HOLE, 8)));
        left.awaitSend(1, WcStatus.LOC_PROT_ERR);
        assertThat(pair.right().getLong(0)).as("%s", link).isEqualTo(1);
        left.qp().close();
        landing.close();
      }
    }
  }

  @Test
  void aListThatTakesMoreThanOneTurnGoesDirectlyToItsEnd() {
    int requests = 100;
    int length = 8 << 10;
    int all = requests * length;
    try (QpPair pair = setup().open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      byte[] data = left.fill(0, all, 1);
      SendWr[] list = new SendWr[requests];
      for (int i = 0; i < requests; i++) {
        long at = (long) i * length;
        list[i] = SendWrs.write(i, right, at, left.sge(at, length));
        if (i > 0) {
          list[i - 1].next(list[i]);
        }
      }
      left.qp().postSend(list[0]);
      for (int i = 0; i < requests; i++) {
        left.sent(i);
      }
      assertThat(right.bytes(0, all)).isEqualTo(data);
      assertThat(direct(left)).isEqualTo(requests);
    }
  }

  @Test
  void memoryThatIsNotTheDevicesOwnIsWrittenByPackets() {
    try (QpPair pair = setup().open();
        Arena arena = Arena.ofShared()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemorySegment memory = arena.allocate(SIZE);
      try (MemoryRegion region =
          right.pd().regMr(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
        byte[] data = left.fill(0, SIZE, 1);
        SendWr write = SendWrs.write(1, right, 0, left.sge(0, SIZE));
        left.qp().postSend(write.rkey(region.rkey()).remoteAddr(region.addr()));
        left.sent(1);
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
        assertThat(direct(left)).isZero();
      }
    }
  }

  @Test
  void theLinkWithMemoryOfTheProgramTakesPackets() {
    try (QpPair pair = PairSetup.on(TckLink.SHM_BY_PACKETS).open()) {
      QpEnd left = pair.left();
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 8)));
      left.sent(1);
      left.qp().postSend(SendWrs.read(2, pair.right(), 0, left.sge(0, 8)));
      left.sent(2);
      assertThat(direct(left)).isZero();
      assertThat(left.qp().dump())
          .contains("\n  path:      packets, because the peer does not export the memory: ");
      assertThat(left.qp().counters().get(Counter.PACKETS_SENT)).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void aRegionThatWasRegisteredAgainIsWrittenByPacketsWithItsNewRights() {
    try (QpPair pair = setup().open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 8)));
      left.sent(1);
      right.mr().rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE);
      left.qp().postSend(SendWrs.write(2, right, 0, left.sge(0, 8)));
      left.awaitSend(2, WcStatus.REM_ACCESS_ERR);
      assertThat(direct(left)).isEqualTo(1);
    }
  }

  /** Memory that nobody has touched yet is copied slowly, so most rounds end within a copy. */
  @Test
  void nothingIsWrittenOnceTheRegionHasLostTheRight() throws Exception {
    int size = 16 << 20;
    for (int round = 0; round < 10; round++) {
      try (QpPair pair = setup().mrBytes(size).open()) {
        QpEnd left = pair.left();
        QpEnd right = pair.right();
        left.mr().memory().fill((byte) 1);
        left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, size)));
        Background<Void> writer =
            Background.run(() -> left.awaitSend(1, WcStatus.REM_ACCESS_ERR, WcStatus.SUCCESS));
        Await.until("a part to be written", () -> right.getLong(2 * SIZE) != 0);
        right.mr().rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE);
        int written = writtenPages(right, size);
        var _ = writer.result();
        assertThat(writtenPages(right, size)).as("pages, in round %d", round).isEqualTo(written);
      }
    }
  }

  /** The pages written so far, from the first one on. */
  private static int writtenPages(QpEnd end, int size) {
    int least = 0;
    int most = size / PAGE;
    while (least < most) {
      int middle = (least + most) >>> 1;
      if (end.getLong((long) middle * PAGE) != 0) {
        least = middle + 1;
      } else {
        most = middle;
      }
    }
    return least;
  }

  @Test
  void moreMemoryThanThereIsIsRefused() {
    try (Context context = Devices.open(TckLink.SHM.device())) {
      ProtectionDomain pd = context.allocPd();
      assertThatThrownBy(() -> pd.allocMr(1L << 46, Access.LOCAL_WRITE, Access.REMOTE_WRITE))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    }
  }

  @Test
  void nothingIsWrittenOnceTheTargetHasLeftRts() throws Exception {
    try (QpPair pair = setup().open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      Background<Void> writer =
          Background.run(
              () -> {
                boolean goesOn = true;
                for (long i = 1; goesOn; i++) {
                  for (long at = 0; at < SIZE; at += Long.BYTES) {
                    left.setLong(at, i);
                  }
                  left.qp().postSend(SendWrs.write(i, right, 0, left.sge(0, SIZE)));
                  goesOn = Await.completion(left.sendCq(), "a WRITE").isSuccess();
                }
              });
      Await.until("some WRITEs", () -> right.getLong(SIZE - Long.BYTES) > 10);
      right.qp().modify(new QpAttr().qpState(QpState.ERR));
      byte[] after = right.bytes(0, SIZE);
      var _ = writer.result();
      assertThat(right.bytes(0, SIZE)).isEqualTo(after);
      assertThat(direct(left)).isGreaterThan(10);
    }
  }

  @Test
  void aDeviceWithFaultsSendsAndGetsPackets() {
    DeviceSpec watched = TckLink.SHM.device().faults(FaultSpec.parse("drop:0.01,seed:1"));
    try (Context context = Devices.open(watched);
        Context plain = Devices.open(TckLink.SHM.device())) {
      QpEnd left = setup().end(context, context.allocPd());
      QpEnd right = setup().end(plain, plain.allocPd());
      setup().connect(left.qp(), right.qp().endpoint());
      setup().connect(right.qp(), left.qp().endpoint());
      for (QpEnd[] way : new QpEnd[][] {{left, right}, {right, left}}) {
        byte[] data = way[0].fill(0, SIZE, 1);
        way[0].qp().postSend(SendWrs.write(1, way[1], 0, way[0].sge(0, SIZE)));
        way[0].sent(1);
        assertThat(way[1].bytes(0, SIZE)).isEqualTo(data);
        assertThat(direct(way[0])).isZero();
      }
      assertThat(left.qp().dump())
          .contains("\n  path:      packets, because the device has faults\n");
      assertThat(right.qp().dump())
          .contains("\n  path:      packets, because the peer does not export its queue pair\n");
    }
  }
}
