package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.life.Limits;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.XrcQueue;
import dev.verbena.soft.queue.XrcReceives;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** An XRC domain behind the handles that contexts of its device have of it (S7). */
final class XrcShare {
  private final IntFunction<@Nullable XrcQueue> queues;
  private final String device;
  private final @Nullable Path file;
  private final Consumer<String> warnings;
  private final Map<Integer, QpInstance> targets = new ConcurrentHashMap<>();

  /** Said once: a peer can name what it likes. */
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /**
   * @param queues finds a shared receive queue of XRC of the device by its number
   * @param device name of the device
   * @param file what names the domain, or null if it is private
   * @param warnings what the user should know
   */
  XrcShare(
      IntFunction<@Nullable XrcQueue> queues,
      String device,
      @Nullable Path file,
      Consumer<String> warnings) {
    this.queues = queues;
    this.device = device;
    this.file = file;
    this.warnings = warnings;
  }

  /** The receives of one XRC_RECV queue pair: of all shared receive queues of the domain. */
  ReceiveSource receives() {
    return new XrcReceives(this::queue, Limits.MAX_SGE);
  }

  private @Nullable XrcQueue queue(int number) {
    XrcQueue queue = queues.apply(number);
    if (queue != null && queue.xrcDomain() == this) {
      return queue;
    }
    if (file != null && hasWarned.compareAndSet(false, true)) {
      warnings.accept(
          "%s: a request was refused: it names shared receive queue 0x%x, and there is none in the XRC"
                  .formatted(device, number)
              + " domain of the file "
              + file
              + ". If it is another process's: a domain is shared within a process, not between"
              + " processes");
    }
    return null;
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
