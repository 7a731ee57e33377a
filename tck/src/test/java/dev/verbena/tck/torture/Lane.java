package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that posts batches of operations to a {@link Peer}. When a batch is done, both ends
 * have checked every byte of it. A lost connection is made again. Used by one thread.
 */
final class Lane implements AutoCloseable {
  private final Traffic traffic;
  private final int number;
  private final Peer peer;
  private final Script script;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final Slots slots;
  private final long[] originals;
  private final WorkCompletion wc = new WorkCompletion();

  private Peer.@Nullable Wish wish;
  private @Nullable ConnectionData target;
  private List<Long> peerCounters = List.of();
  private int outstanding;
  private boolean failed;
  private boolean posted;
  private boolean orphaned;
  private long counter;
  private long done;
  private long lost;
  private long progressAt;
  private long longestGap;

  Lane(Traffic traffic, int number, ProtectionDomain pd, Peer peer) {
    this.traffic = traffic;
    this.number = number;
    this.peer = peer;
    script = new Script(traffic, number);
    int batch = traffic.batch();
    cq = pd.context().createCq(2 * batch + 2);
    qp = pd.createQp(QpInitAttr.rc(cq).maxSendWr(batch).maxRecvWr(1));
    slots = new Slots(pd, batch, traffic.size(), 0, Access.LOCAL_WRITE);
    originals = new long[batch];
    progressAt = System.nanoTime();
    ask(Peer.Wish.CONNECT);
  }

  private void ask(Peer.Wish next) {
    wish = next;
    peer.ask(next, ConnectionData.of(qp));
  }

  /** Looks for completions, and posts the next batch if all have come and the peer is ready. */
  void act(boolean more) {
    while (cq.poll(wc)) {
      complete();
    }
    Peer.Answer answer = peer.answer();
    if (answer != null) {
      take(answer);
    }
    if (outstanding > 0 || wish != null || orphaned) {
      orphaned |= outstanding == 0 && peer.isGone();
    } else if (failed) {
      reconnect();
    } else if (posted) {
      posted = false;
      ask(more ? Peer.Wish.BATCH : Peer.Wish.CHECK);
    } else if (more) {
      ask(Peer.Wish.BATCH);
    }
  }

  /** Whether nothing is under way, and everything has been checked. */
  boolean isIdle() {
    return orphaned || (outstanding == 0 && wish == null && !failed && !posted);
  }

  /** Whether its connection is being made, for the first time or again. */
  boolean isConnecting() {
    return wish == Peer.Wish.CONNECT;
  }

  /** Whether everything posted has completed, and it is the peer's turn. */
  boolean awaitsPeer() {
    return outstanding == 0 && wish != null;
  }

  /** Whether the peer is gone, and everything posted has completed. */
  boolean isOrphaned() {
    return orphaned;
  }

  private void take(Peer.Answer answer) {
    Peer.Wish fulfilled = wish;
    wish = null;
    if (!answer.counters().isEmpty()) {
      peerCounters = answer.counters();
    }
    target = answer.target();
    if (fulfilled == Peer.Wish.CONNECT) {
      traffic.connect(qp, answer.target().endpoint());
      // Requests under way may have been executed or not.
      counter = answer.word();
      return;
    }
    require(
        answer.word() == counter,
        "the word of the atomics is %x instead of %x".formatted(answer.word(), counter));
    if (fulfilled == Peer.Wish.BATCH) {
      postBatch(answer.target());
    }
  }

  private void postBatch(ConnectionData to) {
    script.next();
    SendWr[] wrs = new SendWr[traffic.batch()];
    for (int i = 0; i < wrs.length; i++) {
      wrs[i] = request(i, to);
      if (i > 0) {
        wrs[i - 1].next(wrs[i]);
      }
    }
    outstanding = wrs.length;
    posted = true;
    progressAt = System.nanoTime();
    qp.postSend(wrs[0]);
  }

  private SendWr request(int slot, ConnectionData to) {
    Operation op = script.batch()[slot];
    slots.clear(slot);
    SendWr wr =
        new SendWr()
            .wrId(slot)
            .opcode(op.opcode)
            .sendFlags(SendFlags.SIGNALED)
            .rkey(to.rkey())
            .remoteAddr(to.addr() + slots.offset(slot))
            .sgList(slots.sge(slot, op.length));
    if (op.sends() || op.writes()) {
      slots.fill(slot, op);
    }
    if (op.sends() || op.hasImm()) {
      wr.immData((int) op.message);
    }
    if (op.isAtomic()) {
      wr.remoteAddr(to.addr() + slots.offset(traffic.batch()));
      originals[slot] = counter;
      change(op, wr);
    }
    return wr;
  }

  private void change(Operation op, SendWr wr) {
    if (op.opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
      wr.compareAdd(op.operand);
      counter += op.operand;
    } else {
      wr.compareAdd(op.matches ? counter : ~counter).swap(op.operand);
      counter = op.matches ? op.operand : counter;
    }
  }

  private void complete() {
    int slot = (int) wc.wrId();
    require(outstanding > 0, "a completion too many: " + wc);
    require(slot == traffic.batch() - outstanding, "completions out of order: " + wc);
    outstanding--;
    Operation op = script.batch()[slot];
    if (wc.status() == WcStatus.SUCCESS) {
      require(!failed, "success after an error");
      noteProgress();
      check(slot, op);
      done++;
    } else {
      if (!failed) {
        System.out.printf("lane %d lost its connection: %s for %s%n", number, wc.status(), op);
      }
      WcStatus right = failed ? WcStatus.WR_FLUSH_ERR : WcStatus.RETRY_EXC_ERR;
      require(wc.status() == right, "the error is " + wc);
      failed = true;
    }
  }

  private void noteProgress() {
    long now = System.nanoTime();
    longestGap = Math.max(longestGap, now - progressAt);
    progressAt = now;
  }

  private void check(int slot, Operation op) {
    if (op.opcode == WrOpcode.RDMA_READ) {
      String problem = slots.problem(slot, op.message, op.length);
      require(problem.isEmpty(), op + ": " + problem);
    } else if (op.isAtomic()) {
      long found = slots.memory(slot).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      require(
          found == originals[slot],
          "%s has found %x instead of %x".formatted(op, found, originals[slot]));
    }
    peer.completed(slot);
  }

  private void reconnect() {
    lost++;
    failed = false;
    posted = false;
    qp.modify(new QpAttr().qpState(QpState.RESET));
    ask(Peer.Wish.CONNECT);
  }

  QueuePair qp() {
    return qp;
  }

  /** The peer's queue pair and memory, once they are known. */
  @Nullable ConnectionData target() {
    return target;
  }

  /** Counters of the peer's device at its last check, if there was one. */
  List<Long> peerCounters() {
    return peerCounters;
  }

  long done() {
    return done;
  }

  long lost() {
    return lost;
  }

  /** Longest time from one completion of a batch to the next, in nanoseconds. */
  long longestGap() {
    return longestGap;
  }

  private void require(boolean condition, String message) {
    traffic.require(number, condition, message);
  }

  @Override
  public void close() {
    peer.close();
  }
}
