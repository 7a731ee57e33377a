package dev.verbena.dropin;

import dev.verbena.dropin.object.CqBinding;
import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.struct.Completions;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvCqInitAttrEx;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Calls about completion queues. */
final class CqCalls {
  /** Number of completions taken from a queue at a time. */
  private static final int BATCH = 32;

  /** Bit of comp_mask: the flags are valid. */
  private static final int MASK_FLAGS = 1;

  /** The fields of a struct verbena_completion after its struct ibv_wc. */
  private static final long TIMESTAMP = IbvWc.LAYOUT.size();

  private static final long WALLCLOCK = TIMESTAMP + Long.BYTES;

  private static final ThreadLocal<WorkCompletion[]> TAKEN =
      ThreadLocal.withInitial(
          () -> {
            WorkCompletion[] batch = new WorkCompletion[BATCH];
            for (int i = 0; i < BATCH; i++) {
              batch[i] = new WorkCompletion();
            }
            return batch;
          });

  static long createCq(
      long contextHandle,
      long attr,
      long channelHandle,
      long domainHandle,
      long extended,
      long struct) {
    Context context = DeviceCalls.context(contextHandle);
    int cqe = Host.getInt(attr + IbvCqInitAttrEx.CQE);
    int vector = Host.getInt(attr + IbvCqInitAttrEx.COMP_VECTOR);
    @Nullable CompletionChannel channel = Handles.getIfGiven(channelHandle, HandleKind.CHANNEL);
    int wcFlags = extended == 0 ? 0 : wcFlags(Host.getLong(attr + IbvCqInitAttrEx.WC_FLAGS));
    CqBinding binding = new CqBinding(struct, wcFlags);
    if (extended == 0) {
      binding.bind(context.createCq(cqe, binding, channel, vector));
    } else {
      int flags =
          (Host.getInt(attr + IbvCqInitAttrEx.COMP_MASK) & MASK_FLAGS) != 0
              ? Host.getInt(attr + IbvCqInitAttrEx.FLAGS)
              : 0;
      binding.bind(
          context.createCqEx(
              new CqInitAttrEx(cqe)
                  .cqContext(binding)
                  .channel(channel)
                  .compVector(vector)
                  .wcFlags(wcFlags)
                  .flags(flags)
                  .parentDomain(Handles.getIfGiven(domainHandle, HandleKind.PARENT_DOMAIN))));
    }
    Host.setInt(struct + IbvCqEx.CQE, binding.queue().cqe());
    Host.setInt(struct + IbvCqEx.HANDLE, (int) Handles.add(context, binding));
    return 0;
  }

  private static int wcFlags(long flags) {
    if (flags >>> Integer.SIZE != 0) {
      throw new VerbsException(
          "createCqEx", Errno.EOPNOTSUPP, "wc_flags 0x" + Long.toHexString(flags));
    }
    return (int) flags;
  }

  static long destroyCq(long handle) {
    CqBinding.get(handle).queue().destroy();
    Handles.remove(handle);
    return 0;
  }

  static long resizeCq(long handle, long cqe) {
    CompletionQueue queue = CqBinding.get(handle).queue();
    queue.resize((int) cqe);
    return queue.cqe();
  }

  static long modifyCq(long handle, long count, long periodMicros) {
    CqBinding.get(handle).queue().modify((int) count, (int) periodMicros);
    return 0;
  }

  static long reqNotifyCq(long handle, long solicitedOnly) {
    CqBinding.get(handle).queue().reqNotify((int) solicitedOnly != 0);
    return 0;
  }

  static long pollCq(long handle, long entries, long out) {
    CqBinding binding = CqBinding.get(handle);
    CompletionQueue queue = binding.queue();
    WorkCompletion[] batch = TAKEN.get();
    int wanted = (int) entries;
    int total = 0;
    long next = out;
    while (total < wanted) {
      int asked = Math.min(wanted - total, BATCH);
      int found = queue.poll(asked, batch);
      for (int i = 0; i < found; i++) {
        Completions.write(batch[i], next);
        next += IbvWc.LAYOUT.size();
      }
      total += found;
      if (found < asked) {
        break;
      }
    }
    binding.polled(total > 0);
    return total;
  }

  /** Returns 0, or ENOENT if there is no completion. */
  static long startPoll(long handle, long struct, long out) {
    CqBinding binding = CqBinding.get(handle);
    boolean found = binding.cursor().startPoll();
    binding.polled(found);
    return show(binding, found, struct, out);
  }

  /** Returns 0, or ENOENT if there are no more completions. */
  static long nextPoll(long handle, long struct, long out) {
    CqBinding binding = CqBinding.get(handle);
    return show(binding, binding.reading().nextPoll(), struct, out);
  }

  static long endPoll(long handle) {
    CqBinding.get(handle).reading().endPoll();
    return 0;
  }

  private static long show(CqBinding binding, boolean found, long struct, long out) {
    if (!found) {
      return Errno.ENOENT;
    }
    CompletionQueueEx cursor = binding.cursor();
    WorkCompletion wc = cursor.read(TAKEN.get()[0]);
    Completions.write(wc, out);
    Host.setInt(struct + IbvCqEx.STATUS, wc.status().number());
    Host.setLong(struct + IbvCqEx.WR_ID, wc.wrId());
    if (binding.reads(WcExFlags.COMPLETION_TIMESTAMP)) {
      Host.setLong(out + TIMESTAMP, cursor.readCompletionTs());
    }
    if (binding.reads(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK)) {
      Host.setLong(out + WALLCLOCK, cursor.readCompletionWallclockNs());
    }
    return 0;
  }

  private CqCalls() {}
}
