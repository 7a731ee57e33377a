package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.WaitSignal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A queue pair with its completion queue and memory, as a device would set it up. */
final class Peer {
  static final int QUEUE = 256;

  final Engine engine;
  final Domain domain;
  final QpRuntime qp;
  final CompletionRing ring;
  final MemorySegment memory;
  final Region region;
  final List<EventType> events = new CopyOnWriteArrayList<>();
  final WaitSignal signal;

  /** Called when a completion is added to {@link #ring} while it is armed, under its guards. */
  volatile Runnable onCompletion = () -> {};

  private final WorkCompletion completion = new WorkCompletion();

  Peer(Engine engine, long memoryBytes) {
    this(engine, memoryBytes, (ring, domain) -> null);
  }

  /**
   * @param shared what it takes receives from, given where they complete and its domain; null for a
   *     queue of its own
   */
  Peer(
      Engine engine,
      long memoryBytes,
      BiFunction<CompletionRing, Domain, @Nullable ReceiveSource> shared) {
    this(engine, QpType.RC, new Domain(), memoryBytes, shared);
  }

  /** A sending XRC peer in the domain of another one. */
  static Peer initiator(Peer neighbor, long memoryBytes) {
    return new Peer(
        neighbor.engine, QpType.XRC_SEND, neighbor.domain, memoryBytes, (ring, domain) -> null);
  }

  /** A peer whose packets are never acknowledged. */
  static Peer unreliable(Engine engine, long memoryBytes) {
    return new Peer(engine, QpType.UC, new Domain(), memoryBytes, (ring, domain) -> null);
  }

  private Peer(
      Engine engine,
      QpType type,
      Domain domain,
      long memoryBytes,
      BiFunction<CompletionRing, Domain, @Nullable ReceiveSource> shared) {
    this.engine = engine;
    this.domain = domain;
    signal = engine.newSignal();
    ring =
        new CompletionRing(
            4 * QUEUE,
            engine.newGuard(Rank.CQ),
            engine.newGuard(Rank.POLL),
            CompletionRing.Options.usual(engine.clock()::now),
            new CompletionRing.Listener() {
              @Override
              public void completed() {
                signal.raise();
                onCompletion.run();
              }

              @Override
              public void waitsUntil(long deadline) {}

              @Override
              public void overrun() {
                throw new AssertionError("the completion queue overran");
              }
            });
    memory = Arena.ofAuto().allocate(memoryBytes, 8);
    int all = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    region =
        Objects.requireNonNull(
            engine.keys().register(memory, memory.address(), all, domain), "no key is free");
    QpCap cap = new QpCap(QUEUE, QUEUE, 2, 2, 0);
    ReceiveSource source = shared.apply(ring, domain);
    qp =
        engine.attach(
            new QpSetup(
                QpSetup.ANY_NUMBER, type, cap, 0, ring, ring, source, domain, true, events::add));
  }

  static void connect(Peer a, Peer b) {
    a.connectTo(b, 100, 200);
    if (a != b) {
      b.connectTo(a, 200, 100);
    }
  }

  void connectTo(Peer other, int sqPsn, int rqPsn) {
    connectTo(other, sqPsn, other == this ? sqPsn : rqPsn, 14);
  }

  void connectTo(Peer other, int sqPsn, int rqPsn, int timeout) {
    connectTo(other, sqPsn, rqPsn, timeout, Mtu.MTU_1024);
  }

  void connectTo(Peer other, int sqPsn, int rqPsn, int timeout, Mtu mtu) {
    qp.change(
        () -> {
          var parameters = qp.parameters();
          parameters.mtu(mtu);
          parameters.destQpn(other.qp.qpNum());
          parameters.peer(other.engine.address());
          parameters.accessFlags(Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
          parameters.maxDestRdAtomic(4);
          parameters.maxRdAtomic(4);
          parameters.timeout(timeout);
          parameters.retryCount(7);
          parameters.rnrRetry(7);
          parameters.minRnrTimer(1);
          qp.connect(new Route(other.engine.address(), 0, 64, 0));
          qp.startReceives(rqPsn);
          qp.status().state(QpState.RTR);
        });
    qp.change(
        () -> {
          qp.startSends(sqPsn);
          qp.status().state(QpState.RTS);
        });
  }

  void write(long id, Peer to, long length) {
    post(id, WrOpcode.RDMA_WRITE, to.memory.address(), to.region.rkey(), length);
  }

  void send(long id, long length) {
    post(id, WrOpcode.SEND, 0, 0, length);
  }

  void post(long id, WrOpcode opcode, long remote, int rkey, long length) {
    post(
        id,
        opcode,
        true,
        wqe -> {
          wqe.remote(remote, rkey);
          if (length > 0) {
            wqe.data.add(region.lkey(), memory.address(), length);
          }
        });
  }

  void post(long id, WrOpcode opcode, boolean signaled, Consumer<SendWqe> fill) {
    Guard guard = qp.postGuard();
    guard.enter();
    try {
      assertThat(qp.sends().free()).as("free send slots").isPositive();
      SendWqe wqe = qp.sends().claim(0);
      wqe.begin(id, SendOperation.of(opcode), 0, signaled);
      fill.accept(wqe);
      qp.sends().publish(1);
    } finally {
      guard.exit();
    }
    qp.machines.sendDoorbell();
  }

  void receive(long id, long length) {
    Guard guard = qp.postGuard();
    guard.enter();
    try {
      RecvWqe wqe = qp.receives().claim(0);
      wqe.begin(id);
      wqe.data().add(region.lkey(), memory.address(), length);
      qp.receives().publish(1);
    } finally {
      guard.exit();
    }
    qp.machines.receiveDoorbell();
  }

  /** One completion, as a device polls; null if there is none. */
  WorkCompletion poll() {
    if (ring.poll(completion)) {
      return completion;
    }
    engine.progress();
    return ring.poll(completion) ? completion : null;
  }

  WorkCompletion pollOnly() {
    return ring.poll(completion) ? completion : null;
  }

  /** Polls once; returns whether there was a completion, which has this status. */
  boolean poll(WcStatus status) {
    WorkCompletion found = poll();
    if (found != null) {
      assertThat(found.status()).isEqualTo(status);
    }
    return found != null;
  }

  void awaitSuccess(long id) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    WorkCompletion found = poll();
    while (found == null && System.nanoTime() < deadline) {
      Thread.onSpinWait();
      found = poll();
    }
    assertThat(found).as("completion of request %d", id).isNotNull();
    assertThat(found.wrId()).isEqualTo(id);
    assertThat(found.status()).isEqualTo(WcStatus.SUCCESS);
  }

  byte[] bytes(long length) {
    return memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
  }
}
