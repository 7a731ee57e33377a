package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.XrcQueue;
import dev.verbena.soft.queue.XrcReceives;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** An XRC domain behind the handles of its device's contexts (S7). */
final class XrcShare {
  private final IntFunction<@Nullable XrcQueue> queues;
  private final Map<Integer, QpInstance> targets = new ConcurrentHashMap<>();

  /**
   * @param queues finds an XRC shared receive queue of the device by its number
   */
  XrcShare(IntFunction<@Nullable XrcQueue> queues) {
    this.queues = queues;
  }

  /** The receives for one XRC_RECV queue pair, from all shared receive queues of the domain. */
  ReceiveSource receives() {
    return new XrcReceives(this::queue, Limits.MAX_SGE);
  }

  private @Nullable XrcQueue queue(int number) {
    XrcQueue queue = queues.apply(number);
    return queue != null && queue.xrcDomain() == this ? queue : null;
  }

  /** An XRC_RECV queue pair was made. */
  void add(QpInstance target) {
    targets.put(target.runtime().qpNum(), target);
  }

  /** An XRC_RECV queue pair has ended. */
  void remove(QpInstance target) {
    targets.remove(target.runtime().qpNum(), target);
  }

  /** The XRC_RECV queue pair with this number, or null. */
  @Nullable QpInstance find(int qpNum) {
    return targets.get(qpNum);
  }
}
