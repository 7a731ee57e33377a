package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;

/** Polls completions into a list of new objects. */
final class PolledList {

  /**
   * @param limit how many at most, or -1 to empty the queue
   */
  static List<WorkCompletion> of(CompletionQueue cq, int limit) {
    if (limit < -1) {
      throw new VerbsException(
          "poll", Errno.EINVAL, "limit " + limit + " is neither a number of completions nor -1");
    }
    List<WorkCompletion> all = new ArrayList<>();
    WorkCompletion next = new WorkCompletion();
    while (all.size() != limit && take(cq, next, all)) {
      next = new WorkCompletion();
    }
    return all;
  }

  /** Takes one more; an error of a dead queue must not lose the completions taken before. */
  private static boolean take(
      CompletionQueue cq, WorkCompletion next, List<WorkCompletion> before) {
    try {
      return cq.poll(next) && before.add(next);
    } catch (VerbsException e) {
      if (before.isEmpty()) {
        throw e;
      }
      return false;
    }
  }

  private PolledList() {}
}
