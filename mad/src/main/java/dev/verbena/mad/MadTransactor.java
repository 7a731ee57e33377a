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
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
 *
 * <p>One that the program loses without closing it, while no request waits, is closed some time
 * later, with a warning in the log.
 */
public final class MadTransactor implements AutoCloseable {
  /** Most bytes of an answer in segments: 256 k records of 64 bytes. */
  public static final int MAX_TABLE = 1 << 24;

  private final EndPort endPort;
  private final Supplier<IbPath> saPath;
  private final MadExchange exchange;
  private final Cleaner.Cleanable lost;

  /**
   * @param saPath the path to the subnet administrator, asked for with every request to it
   */
  MadTransactor(EndPort endPort, MadTransport transport, Supplier<IbPath> saPath) {
    this.endPort = endPort;
    this.saPath = saPath;
    this.exchange = new MadExchange(endPort.toString(), transport);
    this.lost = LostTransactors.watch(this, exchange);
  }

  /** The local port. */
  public EndPort endPort() {
    return endPort;
  }

  /** Has every datagram shown as it goes out and comes in; {@link MadTrace#NONE} ends that. */
  public void trace(MadTrace shown) {
    exchange.trace(shown);
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
   * forgets the request. What depends on it runs on the thread of this transactor that receives, or
   * after a timeout on one of the {@linkplain java.util.concurrent.ForkJoinPool#commonPool() common
   * pool}, unless it says otherwise, and must not wait there.
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
    exchange.start(transaction);
    // Leads to this transactor, which a program that waits for an answer has not lost.
    CompletableFuture<T> _ =
        answer.whenComplete(
            (_, _) -> {
              if (answer.isCancelled()) {
                exchange.cancel(transaction);
              }
            });
    return answer;
  }

  @Override
  public String toString() {
    return exchange.toString();
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
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  /** How many requests wait for their answer. */
  int waiting() {
    return exchange.waiting();
  }

  /**
   * Closes the transport; who waits for an answer gets an {@link ObjectClosedException}. A second
   * call does nothing.
   */
  @Override
  public void close() {
    exchange.close();
    lost.clean();
  }
}
