package dev.verbena.tools.perf;

import dev.verbena.tools.kit.UsualValues;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** The requests of a lane, posted over and over, a list at a time. */
final class Requests {
  /** Bits of a wr_id for the number of the message; the bits above are the lane's number. */
  private static final int NUMBER_BITS = 40;

  private final QueuePair qp;
  private final SendWr[] list;
  private final long id;
  private final int flags;

  /**
   * Requests for messages of {@code size} bytes.
   *
   * @param index index of the lane
   * @param most maximum number posted by one call
   */
  Requests(PerfEnd end, Verb verb, Atomic atomic, int index, int size, int most) {
    Lane lane = end.lanes().get(index);
    qp = lane.qp();
    id = (long) index << NUMBER_BITS;
    flags = !verb.fetches() && size <= end.inline() ? SendFlags.INLINE : 0;
    list = new SendWr[most];
    for (int i = most - 1; i >= 0; i--) {
      list[i] =
          request(verb, atomic, lane)
              .sgList(new Sge(lane.source(), size, end.lkey()))
              .next(i + 1 < most ? list[i + 1] : null);
    }
  }

  private static SendWr request(Verb verb, Atomic atomic, Lane lane) {
    PerfKey peer = lane.remote();
    SendWr wr = new SendWr().remoteAddr(peer.vaddr()).rkey(peer.rkey());
    return switch (verb) {
      case SEND -> addressed(wr.opcode(WrOpcode.SEND), lane);
      case WRITE -> wr.opcode(WrOpcode.RDMA_WRITE);
      case READ -> wr.opcode(WrOpcode.RDMA_READ);
      case ATOMIC -> wr.opcode(atomic.opcode()).compareAdd(1).swap(1);
    };
  }

  private static SendWr addressed(SendWr wr, Lane lane) {
    @Nullable AddressHandle ah = lane.ah();
    return ah == null ? wr : wr.ah(ah).remoteQpn(lane.remote().qpn()).remoteQkey(UsualValues.QKEY);
  }

  /**
   * Posts messages.
   *
   * @param first number of the first one, counted from 1
   * @param count the number of messages, at most the length of the list
   * @param moderation every message whose number is a multiple of this is signaled
   * @param last number of a message that is also signaled
   */
  void post(long first, int count, int moderation, long last) {
    for (int i = 0; i < count; i++) {
      long number = first + i;
      boolean signaled = number % moderation == 0 || number == last;
      list[i].wrId(id | number).sendFlags(signaled ? flags | SendFlags.SIGNALED : flags);
    }
    SendWr end = list[count - 1];
    @Nullable SendWr rest = end.next();
    end.next(null);
    qp.postSend(list[0]);
    end.next(rest);
  }

  /** The lane whose message has completed. */
  static int lane(long wrId) {
    return (int) (wrId >>> NUMBER_BITS);
  }

  /** The number of that message. */
  static long number(long wrId) {
    return wrId & ((1L << NUMBER_BITS) - 1);
  }
}
