package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Counter;
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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that posts batches of operations to a {@link Peer}. When a batch is done, both ends
 * have checked every byte of it. A lost connection is made again. Used by one thread.
 */
final class Lane implements AutoCloseable {
  /** Mischief comes after at most so many looks at the queue. */
  private static final int MOST_LOOKS = 3;

  private final Traffic traffic;
  private final int number;
  private final ProtectionDomain pd;
  private final Peer peer;
  private final Script script;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final SplittableRandom random;
  private final LaneMemory memory;

  /** The word of the atomics before each operation of the batch, and after the last. */
  private final long[] words;

  private final Deeds deeds = new Deeds();

  private final WorkCompletion wc = new WorkCompletion();

  private Peer.@Nullable Wish wish;
  private @Nullable ConnectionData target;
  private @Nullable AddressHandle ah;
  private int srqNum;
  private List<Long> peerCounters = List.of();

  /** The slot of the next completion, apart from silent operations. */
  private int next;

  private int outstanding;
  private int strikeIn;
  private boolean failed;

  /** What has failed for want of an answer, until the peer says what it knows. */
  private @Nullable Operation silenced;

  /** What has failed by the target's mischief, until the peer says whether it has done it. */
  private @Nullable Operation disturbedBy;

  private boolean posted;
  private boolean orphaned;
  private boolean connected;
  private int batchPsn;
  private int nextPsn;
  private boolean stale;
  private int succeeded;
  private int most;
  private long done;
  private long lost;
  private long disturbed;
  private long arrived;
  private long announced;
  private long answered;
  private long progressAt;
  private long longestGap;
  private long overflows;

  Lane(Traffic traffic, int number, ProtectionDomain pd, Peer peer) {
    this.traffic = traffic;
    this.number = number;
    this.pd = pd;
    this.peer = peer;
    script = new Script(traffic, number);
    int batch = traffic.batch();
    cq = pd.context().createCq(2 * batch + 2);
    qp =
        pd.createQp(
            new QpInitAttr(traffic.service().sender())
                .sendCq(cq)
                .recvCq(cq)
                .maxSendWr(batch)
                .maxRecvWr(traffic.service() == Service.XRC ? 0 : 1));
    random = new SplittableRandom(traffic.seed() - number);
    memory = new LaneMemory(pd, Access.LOCAL_WRITE, LaneMemory.Kind.OWN, batch, traffic.size());
    words = new long[batch + 1];
    progressAt = System.nanoTime();
    begin();
  }

  /** Connects with the PSN that the queue pair proposes. */
  private void begin() {
    nextPsn = qp.endpoint().psn();
    batchPsn = nextPsn;
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
    strike();
    Peer.Answer answer = peer.answer();
    if (answer != null) {
      take(answer);
    }
    noteGap();
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
    srqNum = answer.srqNum();
    boolean isReliable = traffic.service().isReliable();
    if (isReliable) {
      checkWord(answer.word());
    } else {
      arrived = answer.word();
      answered = announced;
    }
    words[0] = answer.word();
    if (fulfilled == Peer.Wish.CONNECT) {
      connected = true;
      judgeSilence(answer);
      judgeMischief(answer);
      traffic.connect(qp, answer.target().endpoint());
      addressPeer(answer.target());
      return;
    }
    if (answer.broken()) {
      disturbed++;
      reconnect();
    } else if (fulfilled == Peer.Wish.BATCH) {
      postBatch(answer.target());
    }
  }

  /**
   * Silence is right if the peer's queue pair has failed, so that only its NAK was lost; or after a
   * READ of whose answer a part was lost: it is asked for again, and dropped if the memory is gone.
   */
  private void judgeSilence(Peer.Answer answer) {
    Operation op = silenced;
    silenced = null;
    if (op == null) {
      return;
    }
    boolean gone = answer.struck() || script.mischief() == Mischief.STALE_KEY;
    if (answer.broken() || (gone && op.opcode == WrOpcode.RDMA_READ)) {
      disturbed++;
    } else {
      lose(op);
    }
  }

  /** Its error is right only if the target has struck by now. */
  private void judgeMischief(Peer.Answer answer) {
    Operation op = disturbedBy;
    disturbedBy = null;
    require(
        op == null || answer.struck() || answer.broken(),
        op + " has failed as if by " + script.mischief() + ", which has not happened");
  }

  /**
   * Checks what the atomics left: the result of all of them, or, after an error, of the first ones,
   * at least those that have completed. Each was executed once.
   */
  private void checkWord(long word) {
    Mischief mischief = script.mischief();
    if (!connected || (mischief != null && mischief.losesWord())) {
      return;
    }
    boolean explained = false;
    for (int i = succeeded; i <= most; i++) {
      explained |= words[i] == word;
    }
    require(
        explained,
        "the word of the atomics is %x, not that after %d to %d of %s"
            .formatted(word, succeeded, most, Arrays.toString(words)));
  }

  private void addressPeer(ConnectionData to) {
    if (traffic.service() == Service.UD) {
      if (ah != null) {
        ah.close();
      }
      ah = pd.createAh(AhAttr.to(to.endpoint()));
    }
  }

  private void postBatch(ConnectionData to) {
    script.next();
    prepareMemory();
    succeeded = 0;
    most = traffic.batch();
    stale = false;
    SendWr[] wrs = new SendWr[traffic.batch()];
    for (int i = 0; i < wrs.length; i++) {
      wrs[i] = request(i, to);
      if (i > 0) {
        wrs[i - 1].next(wrs[i]);
      }
    }
    outstanding = wrs.length;
    next = 0;
    posted = true;
    batchPsn = nextPsn;
    nextPsn += Arrays.stream(script.batch()).mapToInt(this::psns).sum();
    strike();
    qp.postSend(wrs[0]);
  }

  private int psns(Operation op) {
    return Math.max(1, Math.ceilDiv(op.length, traffic.mtu().bytes()));
  }

  private void prepareMemory() {
    Mischief mischief = script.mischief();
    strikeIn = mischief != null && mischief.isOfPoster() ? 1 + random.nextInt(MOST_LOOKS) : 0;
    memory.provide(
        switch (mischief) {
          case LOCAL_FILE -> LaneMemory.Kind.FILE;
          case LOCAL_ARENA -> LaneMemory.Kind.ARENA;
          case null, default -> LaneMemory.Kind.OWN;
        });
  }

  /** Does mischief to the own memory, if it is time for that. */
  private void strike() {
    if (strikeIn == 0 || --strikeIn > 0) {
      return;
    }
    if (script.mischief() == Mischief.LOCAL_FILE) {
      memory.cutFile();
    } else {
      memory.closeArena();
    }
  }

  private SendWr request(int slot, ConnectionData to) {
    Operation op = script.batch()[slot];
    Slots slots = memory.slots();
    slots.clear(slot);
    SendWr wr =
        new SendWr()
            .wrId(slot)
            .opcode(op.opcode)
            .sendFlags(op.silent ? 0 : SendFlags.SIGNALED)
            .rkey(to.rkey())
            .remoteAddr(to.addr() + slots.offset(slot))
            .sgList(slots.sge(slot, op.length));
    if (op.sends() || op.writes()) {
      slots.fill(slot, op);
    }
    if (op.invalidates()) {
      // READs before it may still be under way, and need the window.
      wr.sendFlags(wr.sendFlags() | SendFlags.FENCE).invalidateRkey(to.rkey());
    } else if (op.sends() || op.hasImm()) {
      wr.immData((int) op.message);
    }
    if (op.flushes()) {
      // A range has the places of all operations before it.
      wr.remoteAddr(to.addr())
          .flushLength(slots.offset(slot + 1))
          .flushType(op.flushType)
          .flushLevel(op.flushLevel)
          .sgList();
    }
    words[slot + 1] = words[slot];
    if (op.isAtomic()) {
      wr.remoteAddr(to.addr() + to.length() - Long.BYTES);
      change(op, slot, wr);
    }
    if (ah != null) {
      wr.ah(ah).remoteQpn(to.endpoint().qpNum()).remoteQkey(Traffic.QKEY);
    }
    return wr.remoteSrqn(srqNum);
  }

  private void change(Operation op, int slot, SendWr wr) {
    long before = words[slot];
    switch (op.opcode) {
      case ATOMIC_FETCH_AND_ADD -> {
        wr.compareAdd(op.operand);
        words[slot + 1] = before + op.operand;
      }
      case ATOMIC_CMP_AND_SWP -> {
        wr.compareAdd(op.matches ? before : ~before).swap(op.operand);
        words[slot + 1] = op.matches ? op.operand : before;
      }
      case ATOMIC_WRITE -> {
        memory.slots().memory(slot).set(ValueLayout.JAVA_LONG, 0, op.operand);
        words[slot + 1] = op.operand;
      }
      default -> throw new IllegalStateException(op + " is no atomic");
    }
  }

  private void complete() {
    int slot = (int) wc.wrId();
    require(outstanding > 0, "a completion too many: " + wc);
    require(slot >= next, "completions out of order: " + wc);
    while (next < slot) {
      require(script.batch()[next].silent, "no completion of operation " + next + ", but " + wc);
      succeed();
    }
    Operation op = script.batch()[slot];
    if (wc.status() == WcStatus.SUCCESS) {
      require(!op.silent, "a completion that nobody has asked for: " + wc);
      succeed();
    } else {
      next++;
      outstanding--;
      if (failed) {
        require(wc.status() == WcStatus.WR_FLUSH_ERR, "the error is " + wc);
      } else {
        fail(op);
      }
    }
  }

  /** The next operation is done, as its completion says, or a later one. */
  private void succeed() {
    int slot = next++;
    outstanding--;
    Operation op = script.batch()[slot];
    require(!failed, "success after an error");
    noteProgress();
    require(!stale || !op.usesKey(), "an invalidated key has opened memory to " + op);
    stale |= op.invalidates();
    check(slot, op);
    succeeded++;
    done++;
    deeds.add(traffic.service(), op.opcode, 1);
    announced += op.sends() || op.hasImm() ? 1 : 0;
  }

  private void fail(Operation op) {
    Mischief mischief = script.mischief();
    boolean explained = mischief != null && mischief.explains(wc.status(), mayHaveLostAnswer(op));
    require(explained || wc.status() == WcStatus.RETRY_EXC_ERR, "the error is " + wc);
    require(traffic.service().isReliable(), "a service without acknowledgements has lost " + op);
    if (!explained) {
      lose(op);
    } else if (mischief.explains(wc.status(), false)) {
      disturbed++;
      disturbedBy = mischief.isOfTarget() ? op : null;
    } else {
      silenced = op;
    }
    failed = true;
  }

  /** Counts a lost connection if the peer is still there now; later it may not be. */
  private void lose(Operation op) {
    if (peer.isGone()) {
      return;
    }
    lost++;
    System.out.printf("lane %d lost its connection: %s%n", number, op);
  }

  /** Whether faults may have lost it, or the device's own socket has since the last time. */
  private boolean mayHaveLostAnswer(Operation op) {
    long before = overflows;
    overflows = pd.context().counters().get(Counter.SOCKET_OVERFLOWS);
    return traffic.mayLoseAnswer(op) || overflows > before;
  }

  private void noteProgress() {
    long now = System.nanoTime();
    longestGap = Math.max(longestGap, now - progressAt);
    progressAt = now;
  }

  /** A standstill counts at once: the peer may be gone later, and then nobody would know of it. */
  private void noteGap() {
    long gap = System.nanoTime() - progressAt;
    if (gap > longestGap && !isIdle() && !peer.isGone()) {
      longestGap = gap;
    }
  }

  private void check(int slot, Operation op) {
    // What has arrived in memory that is gone cannot be looked at.
    if (!memory.isGone()) {
      checkMemory(slot, op);
    }
    peer.completed(slot);
  }

  private void checkMemory(int slot, Operation op) {
    Slots slots = memory.slots();
    if (op.sends() || op.writes() || op.opcode == WrOpcode.RDMA_READ) {
      // What was sent must be as it was, too.
      String problem = slots.problem(slot, op.message, op.length);
      require(problem.isEmpty(), op + ": " + problem);
    } else if (op.fetches()) {
      long found = slots.memory(slot).get(ValueLayout.JAVA_LONG, 0);
      require(
          found == words[slot], "%s has found %x instead of %x".formatted(op, found, words[slot]));
      String problem = slots.overrun(slot, op.length);
      require(problem.isEmpty(), op + ": " + problem);
    }
  }

  private void reconnect() {
    failed = false;
    posted = false;
    qp.modify(new QpAttr().qpState(QpState.RESET));
    begin();
  }

  Service service() {
    return traffic.service();
  }

  /** Bytes of the path MTU. */
  int mtu() {
    return traffic.mtu().bytes();
  }

  QueuePair qp() {
    return qp;
  }

  /** Number of the target's shared receive queue; 0 without one. */
  int srqNum() {
    return srqNum;
  }

  /** The first PSN of the latest batch, modulo 2^24. */
  int batchPsn() {
    return batchPsn;
  }

  /** The PSN after all that was posted, modulo 2^24: nothing beyond it is in use. */
  int nextPsn() {
    return nextPsn;
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

  /** Operations that have succeeded, by kind. */
  Deeds deeds() {
    return deeds;
  }

  /** A number that grows only if something gets through to the peer. */
  long progress() {
    return traffic.service().isReliable() ? done : arrived;
  }

  /**
   * Connections lost for no other reason than the network, or the silence of a peer that had not
   * hung up.
   */
  long lost() {
    return lost;
  }

  /** Connections that ended by mischief. */
  long disturbed() {
    return disturbed;
  }

  /** Messages of an unreliable lane that have arrived. */
  long arrived() {
    return arrived;
  }

  /**
   * Operations that take a receive, and had succeeded before {@link #arrived} was counted: so many
   * arrive if none gets lost.
   */
  long announced() {
    return answered;
  }

  /**
   * Longest time from its beginning or a success to the next, in nanoseconds, whatever was in
   * between: the peer's turn, errors, another connection. Counts the time since the last success
   * unless the peer is gone or there is nothing to do.
   */
  long longestGap() {
    noteGap();
    return longestGap;
  }

  private void require(boolean condition, String message) {
    traffic.require(number, condition, message);
  }

  @Override
  public void close() {
    peer.close();
    qp.close();
    cq.close();
    if (ah != null) {
      ah.close();
    }
    memory.close();
  }
}
