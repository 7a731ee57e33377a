package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.progress.Task;
import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.requester.Requester;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.QpState;
import java.lang.invoke.VarHandle;

/**
 * Runs the protocol machines of a queue pair, at a doorbell or when the {@link Schedule} has its
 * turn.
 *
 * <p>No doorbell is lost, though nobody waits for the guard of the machine that it is for: who
 * finds it taken notes in {@link Debts} what is to be done and tries once more; whoever holds a
 * guard looks there after it has given the guard back. The same note carries what one half leaves
 * for the other, and what is left when a budget is spent.
 */
public final class QpProgress extends Task {
  /** Guard holds of one doorbell; each has a {@link Budget}. */
  private static final int SLICES = 4;

  private final int qpNum;
  private final Schedule schedule;
  private final QpStatus status;
  private final Transmitter transmitter;
  private final Guard requesterGuard;
  private final Requester requester;
  private final Guard responderGuard;
  private final Responder responder;
  private final Outbox outbox;
  private final Debts debts;
  private final Budget sendBudget = new Budget();
  private final Budget answerBudget = new Budget();
  private volatile boolean stopped;
  private volatile boolean sendingStopped;

  /** Written while nobody posts. */
  private boolean answersFirst;

  QpProgress(QpMachines machines, Schedule schedule) {
    this.schedule = schedule;
    qpNum = machines.core().parameters().qpNum();
    status = machines.core().status();
    transmitter = machines.transmitter();
    requesterGuard = machines.requesterGuard();
    requester = machines.requester();
    responderGuard = machines.responderGuard();
    responder = machines.responder();
    outbox = machines.outbox();
    debts = new Debts(status);
  }

  @Override
  protected int number() {
    return qpNum;
  }

  /** Under both guards: the machines are run no more. */
  void stop() {
    sendingStopped = true;
    stopped = true;
  }

  /** Under both guards: the requester is run no more. */
  void stopSending() {
    sendingStopped = true;
  }

  /** Whether nothing waits for responses any more. */
  boolean isSendingStopped() {
    return sendingStopped;
  }

  /** Under both guards: sends the answers that are due, as far as the link takes them. */
  void sendLastAnswers() {
    answerBudget.refill();
    outbox.drain(transmitter, answerBudget);
    outbox.clear();
  }

  /**
   * Within a change to RTR: whether answers are packets, to the peer that also gets the requests.
   */
  void answersFirst(boolean whether) {
    answersFirst = whether;
  }

  /** Sends were published; the caller has released the post guard. */
  void sendDoorbell() {
    if (answersFirst) {
      // What a program sends because of a message leaves behind the acknowledgement of that
      // message,
      // as it does with adapters; programs count on it (ib_send_lat -e). The acknowledgement may be
      // in the making, by a thread that holds the guard and has completed the receive already: so
      // this waits, as long as one slice of a budget takes at most.
      responderGuard.enter();
      answer();
      handOver(Debts.ANSWERING);
    }
    for (int slice = 0; slice < SLICES; slice++) {
      if (!trySending(Clock.NEVER)) {
        return;
      }
      if (!debts.owes(Debts.SENDING) || !transmitter.isReady()) {
        break;
      }
    }
    handOverWithChores(Debts.SENDING);
  }

  /** Receives were published; the caller has released the post guard. */
  void receiveDoorbell() {
    // Either this thread sees ERR, or who flushes sees what this thread has published.
    VarHandle.fullFence();
    if (status.state() == QpState.ERR) {
      int mine = tryAnswering() ? Debts.ANSWERING : 0;
      handOverWithChores(mine);
    }
  }

  /** The queue pair was changed: does what that made possible, and what else is ready. */
  void changed(long now) {
    owe(Debts.SENDING | Debts.ANSWERING);
    schedule.readyForMe(this);
    schedule.turn(now, false);
  }

  @Override
  protected boolean serve(long now) {
    debts.collectChores();
    int mine = 0;
    // In this order: see sendDoorbell.
    if (debts.owes(Debts.ANSWERING) && tryAnswering()) {
      mine |= Debts.ANSWERING;
    }
    debts.collectChores();
    if (debts.owes(Debts.SENDING) && trySending(now)) {
      mine |= Debts.SENDING;
    }
    if (!debts.owes(mine | debts.collectChores())) {
      return false;
    }
    if (!transmitter.isReady()) {
      schedule.refused(this);
      return false;
    }
    schedule.readyForMe(this);
    return true;
  }

  /**
   * Runs the requester once; what it leaves is owed.
   *
   * @param now time, or {@link Clock#NEVER} not to look at the timer
   * @return false if the guard is taken: its owner then does it
   */
  private boolean trySending(long now) {
    if (!requesterGuard.tryEnter()) {
      owe(Debts.SENDING);
      if (!requesterGuard.tryEnter()) {
        return false;
      }
    }
    boolean more = false;
    try {
      debts.settle(Debts.SENDING);
      if (!sendingStopped) {
        more = send(now);
      }
    } finally {
      requesterGuard.exit();
    }
    if (more) {
      owe(Debts.SENDING);
    }
    return true;
  }

  private boolean send(long now) {
    if (now != Clock.NEVER && requester.deadline() <= now) {
      requester.onTimer(now);
    }
    sendBudget.refill();
    boolean more = requester.run(sendBudget);
    if (transmitter.hasInFlight() && requester.isDrained()) {
      transmitter.nothingInFlight();
    }
    long deadline = requester.deadline();
    if (deadline != Clock.NEVER && status.receives()) {
      schedule.arm(this, deadline);
    }
    return more;
  }

  /** Sends answers and, in ERR, flushes receives; as {@link #trySending}. */
  private boolean tryAnswering() {
    if (!responderGuard.tryEnter()) {
      owe(Debts.ANSWERING);
      if (!responderGuard.tryEnter()) {
        return false;
      }
    }
    answer();
    return true;
  }

  /** Under the responder guard, which it gives back. */
  private void answer() {
    boolean more = false;
    try {
      debts.settle(Debts.ANSWERING);
      if (!stopped) {
        if (status.state() == QpState.ERR) {
          responder.flush();
        }
        answerBudget.refill();
        more = outbox.drain(transmitter, answerBudget);
      }
    } finally {
      responderGuard.exit();
    }
    if (more) {
      owe(Debts.ANSWERING);
    }
  }

  /**
   * After all guards were given back: leaves to whoever is next what is owed of {@code what}. The
   * rest is in the hands of others.
   */
  void handOver(int what) {
    if (debts.owes(what)) {
      if (transmitter.isReady()) {
        schedule.ready(this);
      } else {
        schedule.refused(this);
      }
    }
  }

  /** As {@link #handOver}, with what one half left for the other. */
  void handOverWithChores(int what) {
    handOver(what | debts.collectChores());
  }

  /** Before the caller takes a turn: lists this if anything is to be done. */
  void readyIfOwing() {
    debts.collectChores();
    if (debts.owes(Debts.SENDING | Debts.ANSWERING)) {
      schedule.readyForMe(this);
    }
  }

  /** Notes what is to be done. */
  void owe(int what) {
    debts.owe(what);
  }

  @Override
  protected void timeOver() {
    owe(Debts.SENDING);
  }

  @Override
  protected void startOver() {
    owe(Debts.SENDING | Debts.ANSWERING);
  }

  @Override
  protected boolean isRefused() {
    return !transmitter.isReady();
  }

  @Override
  protected void mayTryAgain() {
    transmitter.mayTryAgain();
  }
}
