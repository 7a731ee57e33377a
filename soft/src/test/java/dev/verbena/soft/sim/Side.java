package dev.verbena.soft.sim;

import static dev.verbena.verbs.Access.FLUSH_GLOBAL;
import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.MW_BIND;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.soft.sim.frames.Steering;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One device of a run, with everything that its connections share. */
final class Side {
  /** Bytes of constant data for sends and for READs by peers. */
  static final int CONSTANT = 64 * 1024;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final MemoryRegion constant;
  private final Steering<RawEndpoint> steering;
  private final byte[] constantBytes = new byte[CONSTANT];
  private final List<Target> targets = new ArrayList<>();
  private final List<SharedPool> pools = new ArrayList<>();
  private @Nullable SharedPool pool;

  Side(Context context, RandomGenerator random) {
    this.context = context;
    pd = context.allocPd();
    steering = new Steering<>(context.queryMac(1).bits());
    cq = context.createCq(4096);
    constant = pd.allocMr(CONSTANT, LOCAL_WRITE, REMOTE_READ);
    random.nextBytes(constantBytes);
    MemorySegment.copy(constantBytes, 0, constant.memory(), ValueLayout.JAVA_BYTE, 0, CONSTANT);
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue cq() {
    return cq;
  }

  /** Who gets Ethernet frames. */
  Steering<RawEndpoint> steering() {
    return steering;
  }

  /** Makes a shared receive queue, which queue pairs of this side may use. */
  void share(SharedPool queue) {
    pool = queue;
  }

  /** Adds a shared receive queue, which will be given its events. */
  void add(SharedPool queue) {
    pools.add(queue);
  }

  /** The shared receive queue, if there is one. */
  @Nullable SharedPool pool() {
    return pool;
  }

  /** Takes all asynchronous events. */
  void takeEvents() {
    pools.forEach(SharedPool::checkLastEvent);
    try {
      for (AsyncEvent event = next(); event != null; event = next()) {
        for (SharedPool queue : pools) {
          queue.take(event);
        }
        event.ack();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted although it need not wait", e);
    }
    pools.forEach(SharedPool::checkEvents);
  }

  /** Nothing is under way. */
  void checkAtRest() {
    pools.forEach(SharedPool::checkAtRest);
  }

  private @Nullable AsyncEvent next() throws InterruptedException {
    return context.getAsyncEvent(Duration.ZERO);
  }

  /** Data that never changes; peers may read it but not write it. */
  MemoryRegion constant() {
    return constant;
  }

  byte[] constantBytes(int offset, int length) {
    byte[] copy = new byte[length];
    System.arraycopy(constantBytes, offset, copy, 0, length);
    return copy;
  }

  /** A place in the constant data. */
  Remote constantAt(int offset) {
    return new Remote(constant.rkey(), constant.addr(), offset);
  }

  /** A target on which a window is bound through another queue pair than this target's. */
  Optional<Target> otherWithWindow(Target own) {
    return targets.stream()
        .filter(target -> !target.equals(own))
        .filter(target -> target.window().isBound() && target.window().isOwned())
        .findFirst();
  }

  void add(Target target) {
    targets.add(target);
  }

  /** Registers memory that one peer may write, read and change. */
  MemoryRegion newTarget(MemorySegment memory) {
    return pd.regMr(
        memory, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL, MW_BIND);
  }

  /** Memory for receives and for the results of READs and atomics. */
  MemoryRegion newLanding(int bytes) {
    return pd.allocMr(bytes, LOCAL_WRITE);
  }
}
