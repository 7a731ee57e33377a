package dev.verbena.mad;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.verbs.spi.MadTransport;
import dev.verbena.wire.mad.Attribute;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks management agents and waits for their answers. {@link Mads#getGmpMad} makes one.
 *
 * <pre>{@code
 * try (MadTransactor mad = Mads.getGmpMad(endPort)) {
 *   Attribute query = new Attribute(PathRecord.FORMAT).set(PathRecord.DLID, 4);
 *   for (Attribute path : mad.subnAdmGetTable(query)) {
 *     ...
 *   }
 * }
 * }</pre>
 *
 * <p>A request is given {@link IbPath#madTimeout()} of the path that it takes, and is sent again as
 * often as {@link IbPath#retries()} of that says; then it has failed, after (retries + 1) ×
 * madTimeout. An answer in segments has this time for every segment. A madTimeout of more than a
 * day counts as a day.
 *
 * <p>Any thread may use it, and any number of requests may wait at a time. Methods that wait are
 * ended by an interrupt: VerbsException with EINTR, and the thread stays interrupted. {@link
 * #async} does not wait.
 */
public final class MadTransactor implements AutoCloseable {
  /** Most bytes of an answer in segments: 256 k records of 64 bytes. */
  public static final int MAX_TABLE = 1 << 24;

  /** The receiving thread does not wait for deadlines: those are timers of their own. */
  private static final Duration LONG = Duration.ofHours(1);

  private final EndPort endPort;
  private final MadTransport transport;
  private final Supplier<IbPath> saPath;
  private final ReentrantLock lock = new ReentrantLock();
  private final Transactions transactions;
  private final long origin = System.nanoTime();
  private volatile MadTrace trace = MadTrace.NONE;
  private @Nullable RdmaException over;

  /** When the machine runs next. */
  private long wakeTime = Long.MAX_VALUE;

  /**
   * @param saPath the path to the subnet administrator, asked for with every request to it
   */
  MadTransactor(EndPort endPort, MadTransport transport, Supplier<IbPath> saPath) {
    this.endPort = endPort;
    this.transport = transport;
    this.saPath = saPath;
    this.transactions = new Transactions(this::send, new SecureRandom().nextInt());
    Thread.ofPlatform().daemon().name("verbena-mad-" + endPort).start(this::receive);
  }

  /** The local port. */
  public EndPort endPort() {
    return endPort;
  }

  /** Has every datagram shown as it goes out and comes in; {@link MadTrace#NONE} ends that. */
  public void trace(MadTrace shown) {
    trace = shown;
  }

  /**
   * As {@link #ask} of {@link MadCall#subnAdmGet}.
   *
   * @throws MadException status 0x0300 if there is no such record, 0x0400 if there are several
   */
  public Attribute subnAdmGet(Attribute query) {
    return ask(MadCall.subnAdmGet(query));
  }

  /** As {@link #ask} of {@link MadCall#subnAdmGetTable}; empty if no record agrees. */
  public List<Attribute> subnAdmGetTable(Attribute query) {
    return ask(MadCall.subnAdmGetTable(query));
  }

  /** As {@link #ask} of {@link MadCall#subnAdmSet}. */
  public Attribute subnAdmSet(Attribute record) {
    return ask(MadCall.subnAdmSet(record));
  }

  /** As {@link #ask} of {@link MadCall#subnAdmDelete}. */
  public Attribute subnAdmDelete(Attribute record) {
    return ask(MadCall.subnAdmDelete(record));
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws MadException if the agent answers with an error, not in time, or not as it should
   * @throws VerbsException if the question cannot be sent, as ENETUNREACH for one to the subnet
   *     administrator where there is none; EINTR if the thread is interrupted
   * @throws ObjectClosedException if the transactor is closed, or was while this thread waited
   */
  public <T> T ask(MadCall<T> call) {
    CompletableFuture<T> answer = async(call);
    try {
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(false);
      Thread.currentThread().interrupt();
      throw new VerbsException(
          "mad", Errno.EINTR, "interrupted while waiting for the answer to " + call);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RdmaException failure) {
        throw failure;
      }
      throw new IllegalStateException(call.toString(), e.getCause());
    }
  }

  /**
   * Asks, and does not wait. The future fails with what {@link #ask} would throw; cancelling it
   * forgets the request. What depends on it runs on a thread of this transactor unless it says
   * otherwise, and must not wait there.
   */
  public <T> CompletableFuture<T> async(MadCall<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    IbPath path;
    MadAddress to;
    try {
      IbPath own = call.to();
      path = own != null ? own : saPath.get();
      to = address(path);
    } catch (VerbsException e) {
      return CompletableFuture.failedFuture(e);
    }
    Transaction transaction =
        new Transaction(
            call.toString(),
            to,
            call.request(),
            path.madTimeout(),
            path.retries(),
            MAX_TABLE,
            (reply, failure) -> finish(answer, call, reply, failure));
    run(() -> start(transaction));
    CompletableFuture<T> _ =
        answer.whenComplete(
            (_, _) -> {
              if (answer.isCancelled()) {
                run(() -> transactions.cancel(transaction));
              }
            });
    return answer;
  }

  @Override
  public String toString() {
    return "MAD transactor of " + endPort;
  }

  private static MadAddress address(IbPath path) {
    if (!path.drPath().isEmpty()) {
      // Queue pair 0 knows no P_Keys.
      AhAttr anywhere =
          AhAttr.to(Gid.ZERO).withoutGrh().withDlid(Iba.LID_PERMISSIVE).withSl(path.sl());
      return new MadAddress(anywhere.withPortNum(path.endPort().portId()), 0, path.qkey(), 0);
    }
    return new MadAddress(
        new QpAttr().ahAttr(path).ahAttr(), path.dqpn(), path.qkey(), path.pkeyIndex());
  }

  private static <T> void finish(
      CompletableFuture<T> answer,
      MadCall<T> call,
      @Nullable MadReply reply,
      @Nullable RdmaException failure) {
    if (reply == null) {
      answer.completeExceptionally(failure);
      return;
    }
    try {
      answer.complete(call.result(reply));
    } catch (MadException e) {
      answer.completeExceptionally(e);
    }
  }

  private void start(Transaction transaction) {
    if (over != null) {
      transactions.refuse(transaction, over);
    } else {
      transactions.start(now(), transaction);
      wakeAt(transaction.deadline);
    }
  }

  /** Does something with the machine, and then tells those whose request has ended. */
  private void run(Runnable step) {
    List<Transactions.Done> done;
    lock.lock();
    try {
      step.run();
      done = transactions.takeDone();
    } finally {
      lock.unlock();
    }
    done.forEach(Transactions.Done::tell);
  }

  /** Schedules a run of the machine, unless one comes earlier anyway. */
  private void wakeAt(long deadline) {
    if (deadline < wakeTime) {
      wakeTime = deadline;
      CompletableFuture.delayedExecutor(Math.max(0, deadline - now()), TimeUnit.NANOSECONDS)
          .execute(() -> run(() -> wake(deadline)));
    }
  }

  private void wake(long deadline) {
    if (deadline != wakeTime) {
      // Something earlier came after this, and will look again itself.
      return;
    }
    wakeTime = Long.MAX_VALUE;
    transactions.expire(now());
    Long next = transactions.nextDeadline();
    if (next != null) {
      wakeAt(next);
    }
  }

  private void send(MadAddress to, MemorySegment mad, Duration answerWithin) {
    trace.sent(to, mad.asReadOnly());
    transport.send(to, mad, answerWithin);
  }

  private void receive() {
    MemorySegment mad = MemorySegment.ofArray(new byte[Iba.MAD_LENGTH]);
    RdmaException end = null;
    while (end == null) {
      try {
        MadAddress from = transport.receive(mad, LONG);
        if (from != null) {
          trace.received(from, mad.asReadOnly());
          run(() -> transactions.receive(now(), from, mad));
        }
        end = over();
      } catch (RdmaException e) {
        end = e;
      } catch (InterruptedException e) {
        end = closed();
      } catch (RuntimeException e) {
        end = new VerbsException("mad", Errno.EIO, this + " receives no more: " + e, e);
      }
    }
    RdmaException reason = end;
    run(() -> endWith(reason));
  }

  /** How many requests wait for their answer. */
  int waiting() {
    lock.lock();
    try {
      return transactions.waiting();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RdmaException over() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  private void endWith(RdmaException reason) {
    if (over == null) {
      over = reason;
    }
    transactions.failAll(over);
  }

  private ObjectClosedException closed() {
    return new ObjectClosedException("mad", toString());
  }

  private long now() {
    return System.nanoTime() - origin;
  }

  /**
   * Closes the transport; who waits for an answer gets an {@link ObjectClosedException}. A second
   * call does nothing.
   */
  @Override
  public void close() {
    run(() -> endWith(closed()));
    transport.close();
  }
}
