package dev.verbena.tck.memory;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/**
 * A separate process, in which a bus error does not end the tests: each request into the hole of a
 * truncated file, and each with data from there, on each link.
 */
final class CutFileVictim {
  /** Runs all. */
  public static void main(String[] arguments) {
    for (TckLink link : new TckLink[] {TckLink.LOOPBACK, TckLink.PACKET, TckLink.UDP}) {
      for (int kind = 0; kind < 15; kind++) {
        into(link, kind);
      }
      from(link, 1);
      from(link, 5000);
    }
    System.out.println("survived");
  }

  private static void into(TckLink link, int kind) {
    try (CutFile file = CutFile.create();
        QpPair pair = CutFileTest.setup(link).open()) {
      MemoryRegion hole = file.register(pair.right());
      file.cut();
      pair.right().postRecv(9);
      SendWr wr = CutFileTest.intoTheHole(pair, hole).get(kind);
      pair.left().qp().postSend(wr);
      expect(pair, WcStatus.REM_ACCESS_ERR, link + " " + wr.opcode());
    }
  }

  private static void from(TckLink link, int length) {
    try (CutFile file = CutFile.create();
        QpPair pair = CutFileTest.setup(link).open()) {
      MemoryRegion hole = file.register(pair.left());
      file.cut();
      QpEnd right = pair.right();
      pair.left().qp().postSend(SendWrs.write(1, right, 0, hole.sge(length, CutFile.HOLE)));
      expect(pair, WcStatus.LOC_PROT_ERR, link + " data of " + length);
    }
  }

  private static void expect(QpPair pair, WcStatus status, String what) {
    WorkCompletion wc = pair.left().awaitSend(1);
    if (wc.status() != status) {
      throw new AssertionError(what + ": " + wc);
    }
  }

  private CutFileVictim() {}
}
