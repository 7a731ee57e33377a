package dev.verbena.soft.device.post;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.queue.RecvRing;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Checks lists of receives and copies them into a ring (S3.1), which belongs to a queue pair or is
 * shared. Runs under the guard of the ring's posters. Allocates nothing unless it fails.
 */
public final class RecvFiller {
  /**
   * The words for a ring in messages.
   *
   * @param function the call
   * @param maxSge the limit for elements
   * @param maxWr the limit for receives
   */
  public record Words(String function, String maxSge, String maxWr) {
    static final Words QUEUE_PAIR =
        new Words(
            "postRecv",
            "this QP was created with max_recv_sge=",
            "the receive queue holds max_recv_wr=");
    static final Words WORK_QUEUE =
        new Words(
            "postWqRecv", "this WQ was created with max_sge=", "the work queue holds max_wr=");
    public static final Words SHARED =
        new Words(
            "postSrqRecv",
            "this SRQ was created with max_sge=",
            "the shared receive queue holds max_wr=");
  }

  private final String name;
  private final RecvRing ring;
  private final int maxSge;
  private final Words words;
  private @Nullable Refusal full;
  private int fullCapacity;

  /**
   * @param name of the object whose ring it is
   * @param ring the ring for the receives
   * @param maxSge most elements of a receive
   * @param words for messages
   */
  public RecvFiller(String name, RecvRing ring, int maxSge, Words words) {
    this.name = name;
    this.ring = ring;
    this.maxSge = maxSge;
    this.words = words;
  }

  /**
   * Posts a list, up to the first refused receive (S3.1.4).
   *
   * @return the reason for the refusal, or null if all were posted
   */
  public @Nullable WorkRequestException post(@Nullable RecvWr list) {
    int posted = 0;
    WorkRequestException failure = null;
    RecvWr wr = list;
    while (wr != null && failure == null) {
      Refusal refusal = prepare(wr, posted);
      if (refusal == null) {
        posted++;
        wr = wr.next();
      } else {
        failure = refuse(refusal, wr, posted);
      }
    }
    ring.publish(posted);
    return failure;
  }

  /** The exception for a refused receive of a list. */
  WorkRequestException refuse(Refusal refusal, RecvWr wr, int index) {
    return refusal.toException(words.function, name, wr, index);
  }

  private @Nullable Refusal prepare(RecvWr wr, int ahead) {
    Refusal refusal = check(wr);
    if (refusal != null) {
      return refusal;
    }
    if (ahead >= ring.free()) {
      return full();
    }
    RecvWqe wqe = ring.claim(ahead);
    wqe.begin(wr.wrId());
    Sge[] list = wr.sgList();
    for (int i = 0; i < wr.numSge(); i++) {
      Sge sge = list[i];
      wqe.data().add(sge.lkey(), sge.addr(), sge.length());
    }
    return null;
  }

  /**
   * The refusal because the ring is full. A full ring is normal, so the message is made once for
   * each capacity of the ring.
   */
  private Refusal full() {
    Refusal refusal = full;
    int capacity = ring.capacity();
    if (refusal == null || fullCapacity != capacity) {
      refusal = Refusal.full(words.maxWr + capacity + " receives");
      full = refusal;
      fullCapacity = capacity;
    }
    return refusal;
  }

  private @Nullable Refusal check(RecvWr wr) {
    Sge[] list = wr.sgList();
    int numSge = wr.numSge();
    if (numSge < 0 || numSge > list.length) {
      return Refusal.invalid(numSge + " SGEs of a list of " + list.length);
    }
    if (numSge > maxSge) {
      return Refusal.invalid(numSge + " SGEs, " + words.maxSge + maxSge);
    }
    long total = 0;
    for (int i = 0; i < numSge; i++) {
      if (list[i] == null) {
        return Refusal.invalid("SGE " + i + " is null");
      }
      Refusal refusal = SendRules.keyed(i, list[i]);
      if (refusal != null) {
        return refusal;
      }
      total += list[i].length();
    }
    return total < Limits.RECEIVE_BYTES
        ? null
        : Refusal.invalid(total + " bytes, a receive has fewer than " + Limits.RECEIVE_BYTES);
  }
}
