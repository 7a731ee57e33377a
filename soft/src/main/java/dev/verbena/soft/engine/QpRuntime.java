package dev.verbena.soft.engine;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;

/** The running half of a queue pair: its queues, its protocol machines and their guards. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class QpRuntime {
  private final QpParameters parameters;
  private final QpStatus status = new QpStatus();
  private final SendQueue sends;
  private final RecvQueue receives;
  private final Guard postGuard;

  QpRuntime(QpParameters parameters, SendQueue sends, RecvQueue receives, Guard postGuard) {
    this.parameters = parameters;
    this.sends = sends;
    this.receives = receives;
    this.postGuard = postGuard;
  }

  /** The queue pair's number. */
  public int qpNum() {
    return parameters.qpNum();
  }

  /** What was set by modify; written only within {@link #change}. */
  public QpParameters parameters() {
    return parameters;
  }

  /** The state; set only within {@link #change}. */
  public QpStatus status() {
    return status;
  }

  /** The send queue. */
  public SendQueue sends() {
    return sends;
  }

  /** The receive queue. */
  public RecvQueue receives() {
    return receives;
  }

  /** Held while posting. */
  public Guard postGuard() {
    return postGuard;
  }

  /** Sends were published; the caller has released the post guard. */
  public void sendDoorbell() {
    throw new UnsupportedOperationException();
  }

  /** Receives were published; the caller has released the post guard. */
  public void receiveDoorbell() {
    throw new UnsupportedOperationException();
  }

  /**
   * Runs a change while nothing else happens to the queue pair: the post, requester and responder
   * guards are held. Afterwards goes on with what the change made possible.
   */
  public void change(Runnable change) {
    throw new UnsupportedOperationException();
  }

  /**
   * Within a {@link #change} to RTR, after the parameters were set: chooses how the peer is
   * reached.
   */
  public void connect(Route route) {
    throw new UnsupportedOperationException();
  }

  /** Within a {@link #change} to RTR: the first PSN to expect. */
  public void startReceives(int rqPsn) {
    throw new UnsupportedOperationException();
  }

  /** Within a {@link #change} from RTR to RTS: the first PSN to send. */
  public void startSends(int sqPsn) {
    throw new UnsupportedOperationException();
  }

  /** Within a {@link #change} to RESET: forgets all requests and all protocol state. */
  public void reset() {
    throw new UnsupportedOperationException();
  }

  /** Within a {@link #change} to ERR: completes all requests with WR_FLUSH_ERR. */
  public void flush() {
    throw new UnsupportedOperationException();
  }

  /** Whether nothing that was started is unfinished (SQD); takes the requester guard. */
  public boolean isDrained() {
    throw new UnsupportedOperationException();
  }
}
