package dev.verbena.tck.processes;

import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/**
 * A process of its own, in which a bus error would not take the tests along: it exchanges data
 * between two devices while a {@link Scribbler} is at their inboxes. Each request must end in some
 * way, memory that no peer may write must stay as it was, and once nobody scribbles all must work.
 * Argument: a seed.
 */
final class ScribbledVictim {
  /** Connections that fail because of the scribbler, if there is time for so many. */
  private static final int FAILURES = 8;

  /** Half of what the test waits. */
  private static final long TIME_NANOS = 30_000_000_000L;

  private static final int SIZE = 16 << 10;

  /** Requests fail within milliseconds. */
  private static final PairSetup IMPATIENT =
      PairSetup.on(TckLink.SHM).timeout(8).retryCnt(2).rnrRetry(2);

  public static void main(String[] args) throws Exception {
    byte[] secret = new byte[SIZE];
    new Random(Long.parseLong(args[0])).nextBytes(secret);
    try (ChildProcess scribbler =
        ChildProcess.startMain(
            Scribbler.class, Long.toString(ProcessHandle.current().pid()), args[0])) {
      long end = System.nanoTime() + TIME_NANOS;
      for (int failures = 0; !isEnough(failures, end); failures++) {
        try (QpPair pair = IMPATIENT.open()) {
          // The second one is exported, so other processes of this user may map it.
          MemoryRegion closed = filled(secret, pair, Access.LOCAL_WRITE);
          MemoryRegion readable = filled(secret, pair, Access.LOCAL_WRITE | Access.REMOTE_READ);
          MemoryRegion counter = counter(pair);
          while (!isEnough(failures, end) && exchange(pair, counter)) {
            if (!scribbler.isAlive()) {
              throw new AssertionError("the scribbler ended: " + scribbler.output());
            }
          }
          checkUnchanged(secret, closed);
          checkUnchanged(secret, readable);
        }
      }
      scribbler.kill();
    }
    try (QpPair pair = QpPair.open(TckLink.SHM)) {
      byte[] data = pair.left().fill(0, SIZE, 1);
      if (!exchange(pair, counter(pair)) || !Arrays.equals(data, pair.left().bytes(SIZE, SIZE))) {
        throw new AssertionError("nobody scribbles any more, and yet data do not arrive");
      }
    }
    System.out.println("survived");
  }

  private static boolean isEnough(int failures, long end) {
    return failures >= FAILURES || (failures > 0 && System.nanoTime() - end >= 0);
  }

  private static MemoryRegion filled(byte[] bytes, QpPair pair, int access) {
    MemoryRegion region = pair.right().pd().allocMr(SIZE, access);
    region.memory().copyFrom(MemorySegment.ofArray(bytes));
    return region;
  }

  private static void checkUnchanged(byte[] bytes, MemoryRegion region) {
    if (!Arrays.equals(bytes, region.memory().toArray(ValueLayout.JAVA_BYTE))) {
      throw new AssertionError("memory that no peer may write was changed: " + region);
    }
  }

  /** Memory that the other end reaches by packets only. */
  private static MemoryRegion counter(QpPair pair) {
    return TckLink.SHM_BY_PACKETS.memory(
        pair.right().pd(), Long.BYTES, Access.LOCAL_WRITE | Access.REMOTE_ATOMIC);
  }

  /** Data go there and come back; false if a request failed. */
  private static boolean exchange(QpPair pair, MemoryRegion counter) {
    QpEnd left = pair.left();
    left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, SIZE)));
    left.qp().postSend(SendWrs.read(2, pair.right(), 0, left.sge(SIZE, SIZE)));
    SendWr count = SendWrs.fetchAdd(3, pair.right(), 0, 1, left.sge(2 * SIZE, 8));
    left.qp().postSend(count.rkey(counter.rkey()).remoteAddr(counter.addr()));
    return left.awaitSends(3).stream().allMatch(WorkCompletion::isSuccess);
  }

  private ScribbledVictim() {}
}
