package dev.verbena.soft.device.post;

import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.provider.CallSection;
import dev.verbena.verbs.provider.Lifetime;
import org.jspecify.annotations.Nullable;

/** postRecv of one queue pair (S3.1). Allocates nothing unless it fails. */
public final class RecvPoster {
  private final QpRuntime runtime;
  private final CallSection section;
  private final @Nullable Refusal without;
  private final RecvFiller filler;

  /**
   * For a work queue, which takes receives in any state.
   *
   * @param maxSge most elements of a receive
   */
  public static RecvPoster ofWorkQueue(QpRuntime runtime, Lifetime lifetime, int maxSge) {
    return new RecvPoster(
        runtime,
        CallSection.posting(runtime.postGuard(), lifetime),
        null,
        new RecvFiller(lifetime.name(), runtime.receives(), maxSge, RecvFiller.Words.WORK_QUEUE));
  }

  /**
   * @param maxSge most elements of a receive
   * @param without the reason why the queue pair takes no receives, or null if it does
   */
  public RecvPoster(QpRuntime runtime, CallSection section, int maxSge, @Nullable String without) {
    this(
        runtime,
        section,
        without == null ? null : Refusal.invalid(without),
        new RecvFiller(section.name(), runtime.receives(), maxSge, RecvFiller.Words.QUEUE_PAIR));
  }

  private RecvPoster(
      QpRuntime runtime, CallSection section, @Nullable Refusal without, RecvFiller filler) {
    this.runtime = runtime;
    this.section = section;
    this.without = without;
    this.filler = filler;
  }

  /** Posts a list, up to the first refused receive (S3.1.4). */
  public void post(@Nullable RecvWr list) {
    if (list == null) {
      return;
    }
    // Between wrStart and wrComplete this thread is already inside.
    boolean enters = !section.isOpen();
    WorkRequestException failure;
    if (enters) {
      section.enter("postRecv");
    }
    try {
      Refusal refusal = refusal();
      failure = refusal == null ? filler.post(list) : filler.refuse(refusal, list, 0);
    } finally {
      if (enters) {
        section.exit();
      }
    }
    runtime.machines.receiveDoorbell();
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable Refusal refusal() {
    if (without != null) {
      return without;
    }
    return runtime.status().state == QpState.RESET
        ? Refusal.invalid("receives are posted from state INIT on, this QP is in RESET")
        : null;
  }
}
