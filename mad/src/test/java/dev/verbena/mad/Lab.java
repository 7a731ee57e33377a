package dev.verbena.mad;

import dev.verbena.mad.sa.FakeSubnet;
import dev.verbena.mad.sa.SubnetAdministrator;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.verbs.spi.MadSource;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs requests to a subnet administrator over a network that loses, repeats and reorders
 * datagrams, in virtual time: a seed determines a run.
 */
final class Lab {
  private static final Duration TIMEOUT = Duration.ofMillis(20);
  private static final MadAddress AGENT =
      MadAddress.qp1(AhAttr.to(Gid.ZERO).withoutGrh().withDlid(1));

  /** An event at a time; events of the same time are in the order of their creation. */
  private record Event(long when, long number, Runnable what) {}

  final FakeSubnet subnet;
  private final MadSource source;
  private final Random random;
  private final double loss;
  private final SubnetAdministrator agent;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::when).thenComparingLong(Event::number));
  private final Transactions transactions;
  private final AtomicLong time;
  private long number;
  int datagrams;

  Lab(FakeSubnet subnet, int lid, long seed, double loss) {
    this(subnet, lid, seed, loss, new AtomicLong());
  }

  private Lab(FakeSubnet subnet, int lid, long seed, double loss, AtomicLong time) {
    this(subnet, lid, seed, loss, time, new SubnetAdministrator(time::get));
  }

  private Lab(
      FakeSubnet subnet,
      int lid,
      long seed,
      double loss,
      AtomicLong time,
      SubnetAdministrator agent) {
    this.subnet = subnet;
    this.time = time;
    this.agent = agent;
    this.source = FakeSubnet.source(lid);
    this.random = new Random(seed);
    this.loss = loss;
    this.transactions = new Transactions((to, mad, within) -> toAgent(mad), random.nextInt());
  }

  private void toAgent(MemorySegment mad) {
    carry(mad, copy -> agent.receive(subnet, source, copy, this::fromAgent));
  }

  private void fromAgent(MemorySegment mad) {
    carry(mad, copy -> transactions.receive(time.get(), AGENT, copy));
  }

  private void carry(MemorySegment mad, Consumer<MemorySegment> to) {
    MemorySegment copy = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]).copyFrom(mad);
    datagrams++;
    int copies = random.nextDouble() < loss ? 0 : random.nextDouble() < loss ? 2 : 1;
    for (int n = 0; n < copies; n++) {
      long delay = loss == 0 ? 1000 : random.nextLong(1, 3_000_000);
      events.add(new Event(time.get() + delay, number++, () -> to.accept(copy)));
    }
  }

  /** Another port that uses the same administrator. */
  Lab from(int lid) {
    return new Lab(subnet, lid, random.nextLong(), loss, time, agent);
  }

  void portLeft(long portGuid) {
    agent.portLeft(subnet, portGuid);
  }

  /** Lets {@code seconds} seconds pass. */
  void pass(int seconds) {
    time.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  <T> T ask(MadCall<T> call, int retries) throws RdmaException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    transactions.start(
        time.get(),
        new Transaction(
            call.toString(),
            AGENT,
            call.request(),
            TIMEOUT,
            retries,
            MadTransactor.MAX_TABLE,
            (reply, failure) -> finish(answer, call, reply, failure)));
    while (!answer.isDone()) {
      step();
    }
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RdmaException rdma ? rdma : e;
    }
  }

  private static <T> void finish(
      CompletableFuture<T> answer,
      MadCall<T> call,
      @Nullable MadReply reply,
      @Nullable RdmaException failure) {
    try {
      if (reply == null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(call.result(reply));
      }
    } catch (RdmaException e) {
      answer.completeExceptionally(e);
    }
  }

  /** Runs the next event or deadline. */
  private void step() {
    Event event = events.peek();
    Long deadline = transactions.nextDeadline();
    if (event != null && (deadline == null || event.when() <= deadline)) {
      events.remove();
      time.set(Math.max(time.get(), event.when()));
      event.what().run();
    } else if (deadline != null) {
      time.set(deadline);
      transactions.expire(time.get());
    }
    transactions.takeDone().forEach(Transactions.Done::tell);
  }
}
