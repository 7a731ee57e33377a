package dev.verbena.jcstress.rings;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/** A ring of completions whose parts tell whether they belong together. */
final class Completions {
  private final CompletionRing ring;

  Completions(int capacity) {
    this(capacity, CompletionRing.Listener.NONE);
  }

  Completions(int capacity, CompletionRing.Listener listener) {
    ring =
        new CompletionRing(
            capacity,
            RankedGuard.make(Rank.CQ),
            RankedGuard.make(Rank.POLL),
            CompletionRing.Options.usual(() -> 0),
            listener);
  }

  CompletionRing ring() {
    return ring;
  }

  /** Adds the completion with this number, of the queue pair with this number. */
  void add(int number) {
    WorkCompletion wc = new WorkCompletion().wrId(number).byteLen(number).qpNum(number);
    ring.add(wc.status(WcStatus.SUCCESS), false, null, 0);
  }

  /** Takes one; its number, -1 if there is none, or -2 if its parts do not belong together. */
  int poll() {
    WorkCompletion wc = new WorkCompletion();
    if (!ring.poll(wc)) {
      return -1;
    }
    return wc.byteLen() == wc.wrId() && wc.qpNum() == wc.wrId() ? (int) wc.wrId() : -2;
  }

  /** Takes all; their numbers as digits, the first one first, or -2 as above. */
  int pollAll() {
    int all = 0;
    for (int number = poll(); number != -1; number = poll()) {
      if (number < 0) {
        return number;
      }
      all = 10 * all + number;
    }
    return all;
  }
}
