package dev.verbena.tck.memory;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.Random;

/**
 * A separate process in which a file is truncated at a random moment among atomics on it, from the
 * first one on: an interpreted one would end the process if the file is truncated between its check
 * of the memory and its change, so they must be compiled before.
 */
final class CutAtomicsVictim {
  private static final int ROUNDS = 20;

  private final Random random = new Random(TckLink.SEED);

  /** Runs all. */
  public static void main(String[] arguments) throws InterruptedException {
    CutAtomicsVictim victim = new CutAtomicsVictim();
    for (int round = 0; round < ROUNDS; round++) {
      victim.round();
    }
    System.out.println("survived");
  }

  private void round() throws InterruptedException {
    try (CutFile file = CutFile.create();
        QpPair pair = CutFileTest.setup(TckLink.LOOPBACK).open()) {
      MemoryRegion hole = file.register(pair.right());
      int done = 0;
      int nanos = random.nextInt(400_000);
      Thread cutter = Thread.ofPlatform().start(() -> cutAfter(file, nanos));
      WorkCompletion wc = change(pair, hole, done);
      while (wc.status() == WcStatus.SUCCESS) {
        done++;
        wc = change(pair, hole, done);
      }
      expect(wc, WcStatus.REM_ACCESS_ERR);
      cutter.join();
      pair.left().assertNothingSent();
    }
  }

  private static void cutAfter(CutFile file, int nanos) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    file.cut();
  }

  /** One of two atomics, each of which adds one to the value {@code before}. */
  private static WorkCompletion change(QpPair pair, MemoryRegion hole, int before) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    SendWr wr =
        before % 2 == 0
            ? SendWrs.fetchAdd(before, right, 0, 1, left.sge(0, 8))
            : SendWrs.compareSwap(before, right, 0, before, before + 1, left.sge(0, 8));
    left.qp().postSend(wr.rkey(hole.rkey()).remoteAddr(hole.addr() + CutFile.HOLE));
    return left.awaitSend(before);
  }

  private static void expect(WorkCompletion wc, WcStatus status) {
    if (wc.status() != status) {
      throw new AssertionError(status + " expected: " + wc);
    }
  }

  private CutAtomicsVictim() {}
}
