package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The end of a reliable lane that receives, and whose memory is written, read and changed. Used by
 * one thread.
 */
final class Target implements Peer {
  private static final long FAREWELL = 1;
  private static final long BIND = 2;
  private static final long INVALIDATE = 3;

  /** Mischief comes after at most so many looks at the queues. */
  private static final int MOST_LOOKS = 3;

  private final Traffic traffic;
  private final int lane;
  private final Script script;
  private final SplittableRandom random;
  private final ProtectionDomain pd;
  private final TargetQueues queues;
  private final CompletionQueue recvCq;
  private final CompletionQueue sendCq;
  private final LaneMemory memory;
  private final Deque<Expected> expected = new ArrayDeque<>();
  private final WorkCompletion wc = new WorkCompletion();
  private Slots received;
  private @Nullable MemoryWindow window;
  private @Nullable Wish wish;
  private @Nullable ConnectionData theirs;
  private int nextReceive;
  private int key;
  private int strikeIn;
  private boolean fulfilled;
  private boolean underWay;
  private boolean struck;
  private boolean farewell;
  private boolean binding;
  private boolean invalidating;
  private boolean broken;

  Target(Traffic traffic, int lane, ProtectionDomain pd) {
    this.traffic = traffic;
    this.lane = lane;
    this.pd = pd;
    script = new Script(traffic, lane);
    random = new SplittableRandom(traffic.seed() + lane);
    int batch = traffic.batch();
    recvCq = pd.context().createCq(2 * batch + 2);
    sendCq = pd.context().createCq(4);
    queues = new TargetQueues(traffic, pd, sendCq, recvCq);
    memory = new LaneMemory(pd, Traffic.TARGET, Traffic.memory(lane), batch, traffic.size());
    received = receives();
  }

  private Slots receives() {
    return Slots.allocate(pd, 2 * traffic.batch(), traffic.size(), Access.LOCAL_WRITE);
  }

  /** The receiving end of a lane, according to its service. */
  static Peer of(Traffic traffic, int lane, ProtectionDomain pd) {
    return traffic.service().isReliable()
        ? new Target(traffic, lane, pd)
        : new UnreliableTarget(traffic, lane, pd);
  }

  @Override
  public void ask(Wish next, ConnectionData ours) {
    wish = next;
    theirs = ours;
    strikeIn = 0;
    if (next == Wish.CONNECT && queues.state() != QpState.RESET) {
      bidFarewell();
    }
  }

  /**
   * The peer has given up: nobody has told this end, which finds out when it sends something
   * itself, if it can.
   */
  private void bidFarewell() {
    broken = queues.state() == QpState.ERR;
    require(!broken || struck || script.mischief() != null, "the queue pair is in ERR");
    Mischief mischief = script.mischief();
    boolean known = mischief != null && mischief.isOfPoster();
    if (broken || known || traffic.service() != Service.RC) {
      return;
    }
    require(queues.state() == QpState.RTS, "the state has changed to " + queues.state());
    queues.qp().postSend(signaled(FAREWELL, WrOpcode.RDMA_WRITE));
    farewell = true;
  }

  private static SendWr signaled(long wrId, WrOpcode opcode) {
    return new SendWr().wrId(wrId).opcode(opcode).sendFlags(SendFlags.SIGNALED);
  }

  @Override
  public @Nullable Answer answer() {
    while (recvCq.poll(wc)) {
      receive();
    }
    while (sendCq.poll(wc)) {
      sent();
    }
    Answer answer = wish == null || theirs == null ? null : answer(wish, theirs);
    // After the answer, which asks for the batch: by the next look a fast device is done with it.
    if (strikeIn > 0 && --strikeIn == 0) {
      strike();
    }
    return answer;
  }

  private @Nullable Answer answer(Wish what, ConnectionData peer) {
    if (!(fulfilled || fulfil(what, peer))) {
      return null;
    }
    fulfilled = true;
    return binding ? null : toAnswer();
  }

  private boolean fulfil(Wish what, ConnectionData peer) {
    if (what == Wish.CONNECT) {
      if (farewell) {
        return false;
      }
      connect(peer);
      return true;
    }
    if (!expected.isEmpty() || invalidating) {
      return false;
    }
    for (int i = 0; i < traffic.batch(); i++) {
      completed(i);
    }
    endBatch();
    // If mischief came too late for this batch, the peer must connect again for the next.
    broken = received.region().isClosed() || queues.state() == QpState.ERR;
    if (broken) {
      queues.fail();
    } else if (what == Wish.BATCH) {
      prepare();
    }
    return true;
  }

  private Answer toAnswer() {
    List<Long> counters = wish == Wish.CHECK ? Torture.read(pd.context()) : List.of();
    wish = null;
    fulfilled = false;
    ConnectionData whole = ConnectionData.of(queues.qp(), memory.region());
    ConnectionData offer =
        new ConnectionData(
            whole.endpoint(), whole.addr(), whole.length(), window == null ? whole.rkey() : key);
    return new Answer(offer, queues.srqNum(), memory.word(), broken, struck, counters);
  }

  private void connect(ConnectionData peer) {
    if (queues.state() != QpState.RESET) {
      queues.fail();
      while (recvCq.poll(wc)) {
        receive();
      }
    }
    queues.reset();
    if (underWay) {
      checkRemains();
    }
    endBatch();
    // What was under way may have happened or not.
    expected.clear();
    binding = false;
    invalidating = false;
    if (received.region().isClosed()) {
      received = receives();
    }
    traffic.connect(queues.qp(), peer.endpoint());
    nextReceive = 0;
    for (int i = 0; i < 2 * traffic.batch(); i++) {
      postReceive(i);
    }
  }

  /** What a batch that has failed may have left: data of its own, and none without a key. */
  private void checkRemains() {
    boolean stale = false;
    for (int i = 0; i < traffic.batch(); i++) {
      Operation op = script.batch()[i];
      if (memory.has(i)) {
        boolean refused = stale;
        String problem =
            op.writes()
                ? memory.slots().strangeness(i, op.length, m -> m == op.message && !refused)
                : memory.slots().problem(i, op.message, dataAtTarget(op));
        require(problem.isEmpty(), "after an error, " + op + ": " + problem);
      }
      stale |= op.invalidates();
    }
  }

  /** Bytes of the message that are in its place once it is done: written, or there to be read. */
  private static int dataAtTarget(Operation op) {
    return op.writes() || op.opcode == WrOpcode.RDMA_READ ? op.length : 0;
  }

  private void endBatch() {
    underWay = false;
    String problem = memory.problem();
    require(problem.isEmpty(), script.mischief() + ": " + problem);
    if (window != null) {
      window.close();
      window = null;
    }
    memory.provide(Traffic.memory(lane));
  }

  private void postReceive(int slot) {
    received.clear(slot);
    queues.post(new RecvWr().wrId(slot).sgList(received.sge(slot, traffic.size())));
  }

  private void prepare() {
    script.next();
    struck = false;
    Mischief mischief = script.mischief();
    memory.provide(script.memory());
    strikeIn = mischief != null && mischief.isOfTarget() ? 1 + random.nextInt(MOST_LOOKS) : 0;
    Operation[] batch = script.batch();
    for (int i = 0; i < batch.length; i++) {
      Operation op = batch[i];
      memory.slots().clear(i);
      if (op.opcode == WrOpcode.RDMA_READ) {
        memory.slots().fill(i, op);
      }
      if (op.sends() || op.hasImm()) {
        expected.add(Expected.of(op));
      }
    }
    if (script.isWindowed()) {
      bind();
    }
    underWay = true;
  }

  private void bind() {
    MemoryWindow fresh = pd.allocMw(MwType.TYPE_2);
    window = fresh;
    key = (fresh.rkey() & ~0xff) | random.nextInt(1 << Byte.SIZE);
    queues
        .qp()
        .postSend(
            signaled(BIND, WrOpcode.BIND_MW)
                .mw(fresh)
                .bindRkey(key)
                .bindInfo(MwBindInfo.of(memory.region(), Traffic.RIGHTS)));
    binding = true;
  }

  private void strike() {
    struck = true;
    switch (script.mischief()) {
      case DEREGISTER -> memory.deregister();
      case ARENA -> memory.closeArena();
      case FILE -> memory.cutFile();
      case HALF_FILE -> memory.halveFile();
      // Or again, if the last time came too late.
      case RECEIVES -> received.region().close();
      case WINDOW -> {
        queues.qp().postSend(signaled(INVALIDATE, WrOpcode.LOCAL_INV).invalidateRkey(key));
        invalidating = true;
      }
      case GIVE_UP -> queues.fail();
      case STALE_KEY, LOCAL_ARENA, LOCAL_FILE ->
          throw new IllegalStateException("the peer does that itself");
      case null -> throw new IllegalStateException("no mischief");
    }
  }

  @Override
  public void completed(int slot) {
    Operation op = script.batch()[slot];
    if (underWay && memory.has(slot)) {
      String problem = memory.slots().problem(slot, op.message, dataAtTarget(op));
      require(problem.isEmpty(), op + ": " + problem);
    }
  }

  /** Something that this end has posted is complete. */
  private void sent() {
    boolean failed = queues.state() == QpState.ERR;
    if (wc.wrId() == FAREWELL) {
      require(wc.status() == WcStatus.RETRY_EXC_ERR, "a request to a peer that gave up: " + wc);
      farewell = false;
    } else if (wc.wrId() == BIND) {
      require(wc.status() == WcStatus.SUCCESS || failed, "the window is not bound: " + wc);
      binding = false;
    } else {
      // The batch may have invalidated it before, and that is then an error.
      require(wc.status() == WcStatus.SUCCESS || failed, "the window stays: " + wc);
      invalidating = false;
    }
  }

  private void receive() {
    int slot = (int) wc.wrId();
    if (wc.status() != WcStatus.SUCCESS) {
      boolean gone = wc.status() == WcStatus.LOC_PROT_ERR && received.region().isClosed();
      boolean flushed = wc.status() == WcStatus.WR_FLUSH_ERR && queues.state() == QpState.ERR;
      boolean late = wc.status() == WcStatus.MW_BIND_ERR && script.mischief() == Mischief.WINDOW;
      require(flushed || gone || late, "a receive has ended with " + wc);
      return;
    }
    require(slot == nextReceive, "receives complete out of order: " + wc);
    nextReceive = (nextReceive + 1) % (2 * traffic.batch());
    Expected next = expected.poll();
    if (next == null) {
      throw traffic.problem(lane, "a message too many: " + wc);
    }
    require(wc.byteLen() == next.length(), "length of message " + next + ": " + wc);
    int flags = wc.wcFlags() & (WcFlags.WITH_IMM | WcFlags.WITH_INV);
    require(flags == next.flags(), next + ": " + wc);
    require(!next.withImm() || wc.immData() == (int) next.message(), next + ": " + wc);
    require(!next.withInv() || wc.invalidatedRkey() == key, next + ": " + wc);
    if (received.region().isClosed()) {
      return;
    }
    String problem = received.problem(slot, next.message(), next.data() ? next.length() : 0);
    require(problem.isEmpty(), "received " + next + ": " + problem);
    postReceive(slot);
  }

  @Override
  public boolean isGone() {
    return false;
  }

  private void require(boolean condition, String message) {
    traffic.require(lane, condition, message);
  }

  @Override
  public void close() {
    queues.close();
    recvCq.close();
    sendCq.close();
    if (window != null) {
      window.close();
    }
    memory.close();
    received.region().close();
  }
}
