package dev.verbena.tools.perf;

import dev.verbena.verbs.RecvTarget;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receives of all lanes, each posted again once it has completed. */
final class Receives {
  private final List<RecvTarget> targets = new ArrayList<>();
  private final List<RecvWr> requests = new ArrayList<>();

  /** Fills the queues with {@code depth} receives for each lane. */
  Receives(PerfEnd end, int depth) {
    @Nullable SharedReceiveQueue srq = end.srq();
    for (int i = 0; i < end.lanes().size(); i++) {
      Lane lane = end.lanes().get(i);
      targets.add(srq == null ? lane.qp() : srq);
      requests.add(
          new RecvWr().wrId(~i).sgList(new Sge(lane.local().vaddr(), end.area(), end.lkey())));
      for (int k = 0; k < depth; k++) {
        post(i);
      }
    }
  }

  /** Posts a receive of a lane. */
  void post(int lane) {
    targets.get(lane).postRecv(requests.get(lane));
  }

  /** Whether a completion is a receive's. */
  static boolean is(long wrId) {
    return wrId < 0;
  }

  /** The lane whose receive has completed, or one that shares it. */
  static int lane(long wrId) {
    return (int) ~wrId;
  }
}
