package dev.verbena.dropin;

import dev.verbena.dropin.object.CqBinding;
import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.object.SrqBinding;
import dev.verbena.dropin.object.WqBinding;
import dev.verbena.dropin.struct.Reported;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAsyncEvent;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WorkQueue;
import java.time.Duration;

/**
 * Calls about events. The shim waits for them and counts their acknowledgement; on this side they
 * count as acknowledged once they are taken.
 */
final class EventCalls {
  static long createCompChannel(long context, long fd) {
    CompletionChannel channel = DeviceCalls.context(context).createCompChannel();
    channel.onReadiness(new EventFdNative((int) fd));
    return Handles.add(channel.context(), channel);
  }

  static long destroyCompChannel(long handle) {
    channel(handle).destroy();
    Handles.remove(handle);
    return 0;
  }

  private static CompletionChannel channel(long handle) {
    return Handles.get(handle, HandleKind.CHANNEL);
  }

  /** Returns the address of the struct ibv_cq, or 0 if there is no event. */
  static long nextCqEvent(long handle) throws InterruptedException {
    CompletionQueue queue = channel(handle).getCqEvent(Duration.ZERO);
    if (queue == null || !(queue.cqContext() instanceof CqBinding binding)) {
      return 0;
    }
    Reported.completion(binding.struct());
    queue.ackEvents(1);
    return binding.struct();
  }

  /** Returns 1, or 0 if there is no event. */
  static long nextAsyncEvent(long handle, long out) throws InterruptedException {
    try (AsyncEvent event = DeviceCalls.context(handle).getAsyncEvent(Duration.ZERO)) {
      if (event == null) {
        return 0;
      }
      Host.setLong(out + IbvAsyncEvent.ELEMENT_PORT_NUM, 0);
      Host.setInt(out + IbvAsyncEvent.ELEMENT_PORT_NUM, event.portNum());
      element(event, out);
      Host.setInt(out + IbvAsyncEvent.EVENT_TYPE, event.eventType().number());
      return 1;
    }
  }

  private static void element(AsyncEvent event, long out) {
    CompletionQueue cq = event.cq();
    QueuePair qp = event.qp();
    SharedReceiveQueue srq = event.srq();
    WorkQueue wq = event.wq();
    if (cq != null && cq.cqContext() instanceof CqBinding binding) {
      Reported.asyncOfCq(binding.struct());
      Host.setLong(out + IbvAsyncEvent.ELEMENT_CQ, binding.struct());
    } else if (qp != null && qp.qpContext() instanceof QpBinding binding) {
      Reported.asyncOfQp(binding.struct());
      Host.setLong(out + IbvAsyncEvent.ELEMENT_QP, binding.struct());
    } else if (srq != null && srq.srqContext() instanceof SrqBinding binding) {
      Reported.asyncOfSrq(binding.struct());
      Host.setLong(out + IbvAsyncEvent.ELEMENT_SRQ, binding.struct());
    } else if (wq != null && wq.wqContext() instanceof WqBinding binding) {
      Reported.asyncOfWq(binding.struct());
      Host.setLong(out + IbvAsyncEvent.ELEMENT_WQ, binding.struct());
    }
  }

  private EventCalls() {}
}
