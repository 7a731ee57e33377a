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
 * Sends requests to management agents and waits for their responses. {@link Mads#getGmpMad} creates
 * one.
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
 * <p>A request waits for the {@link IbPath#madTimeout()} of its path, and is then repeated up to
 * {@link IbPath#retries()} times; so it fails after (retries + 1) × madTimeout. A segmented
 * response has this time for every segment. A madTimeout of more than a day counts as a day.
 *
 * <p>Any thread may use it, and any number of requests may be pending at a time. An interrupt ends
 * methods that wait, with a VerbsException with EINTR; the thread stays interrupted. {@link #async}
 * does not wait.
 *
 * <p>If the program loses a transactor without closing it, while no request is pending, it is
 * closed some time later, with a warning in the log.
 */
public final class MadTransactor implements AutoCloseable {
  /** Maximum length in bytes of a segmented response: 256 k records of 64 bytes. */
  public static final int MAX_TABLE = 1 << 24;

  private final EndPort endPort;
  private final Supplier<IbPath> saPath;
  private final MadExchange exchange;
  private final Cleaner.Cleanable lost;

  /**
   * @param saPath supplies the path to the subnet administrator, for every request to it
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

  /**
   * Sets the trace that sees every datagram sent and received; {@link MadTrace#NONE} ends tracing.
   */
  public void trace(MadTrace shown) {
    exchange.trace(shown);
  }

  /**
   * Same as {@link #ask} with {@link MadCall#subnAdmGet}.
   *
   * @throws MadException status 0x0300 if there is no such record, 0x0400 if there are several
   */
  public Attribute subnAdmGet(Attribute query) {
    return ask(MadCall.subnAdmGet(query));
  }

  /** Same as {@link #ask} with {@link MadCall#subnAdmGetTable}; empty if no record matches. */
  public List<Attribute> subnAdmGetTable(Attribute query) {
    return ask(MadCall.subnAdmGetTable(query));
  }

  /** Same as {@link #ask} with {@link MadCall#subnAdmSet}. */
  public Attribute subnAdmSet(Attribute record) {
    return ask(MadCall.subnAdmSet(record));
  }

  /** Same as {@link #ask} with {@link MadCall#subnAdmDelete}. */
  public Attribute subnAdmDelete(Attribute record) {
    return ask(MadCall.subnAdmDelete(record));
  }

  /**
   * Sends a request and waits for the response.
   *
   * @throws MadException if the agent returns an error, does not respond in time, or violates the
   *     protocol
   * @throws VerbsException if the request cannot be sent, for instance ENETUNREACH if it is for the
   *     subnet administrator and there is none; EINTR if the thread is interrupted
   * @throws ObjectClosedException if the transactor is closed, or is closed while this thread waits
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
   * Sends a request without waiting. The future fails with the exception that {@link #ask} would
   * throw; cancelling it drops the request. Unless given another executor, dependent stages run on
   * this transactor's receiving thread, or after a timeout on the {@linkplain
   * java.util.concurrent.ForkJoinPool#commonPool() common pool}, and must not wait there.
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
    // References this transactor: a program that waits for a response has not lost it.
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
      // Queue pair 0 has no P_Key.
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
   * Closes the transport; pending requests fail with {@link ObjectClosedException}. A second call
   * does nothing.
   */
  @Override
  public void close() {
    exchange.close();
    lost.clean();
  }
}
