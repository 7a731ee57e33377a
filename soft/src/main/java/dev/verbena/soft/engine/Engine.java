package dev.verbena.soft.engine;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.QpType;
import java.util.random.RandomGenerator;

/** What makes an open device go: its queue pairs, its link, its timers, its thread. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class Engine implements AutoCloseable {
  /** Most queue pairs of one device. */
  public static final int MAX_QP = 1 << 15;

  private final EngineOptions options;
  private final Link link;
  private final KeyTable keys;

  /** Starts; the engine closes the link. */
  public Engine(EngineOptions options, Link link) {
    this.options = options;
    this.link = link;
    this.keys = new KeyTable(options.random()::nextInt);
  }

  /** The device's regions. */
  public KeyTable keys() {
    return keys;
  }

  /** The device's counters. */
  public Tally tally() {
    return options.tally();
  }

  /** The device's time. */
  public Clock clock() {
    return options.clock();
  }

  /** The device's random source; may be used by any thread. */
  public RandomGenerator random() {
    return options.random();
  }

  /** A new guard; in the test build it checks that threads keep the order of ranks. */
  public Guard newGuard(Rank rank) {
    return RankedGuard.make(rank);
  }

  /** A new signal for an event queue. */
  public WaitSignal newSignal() {
    return new WaitSignal(() -> {});
  }

  /**
   * Makes the running half of a queue pair, in RESET, and draws its number.
   *
   * @param lockPosting whether several threads may post; false within a thread domain
   * @throws dev.verbena.verbs.VerbsException ENOMEM beyond {@link #MAX_QP} queue pairs
   */
  public QpRuntime attach(
      QpType type,
      int maxSendWr,
      int maxRecvWr,
      int maxSendSge,
      int maxRecvSge,
      int maxInline,
      CompletionRing sendCq,
      CompletionRing recvCq,
      Domain domain,
      boolean lockPosting,
      QpEvents events) {
    throw new UnsupportedOperationException();
  }

  /** Takes a queue pair away: it gets no packet and adds no completion any more. */
  public void detach(QpRuntime qp) {
    throw new UnsupportedOperationException();
  }

  /** Does what is to be done at the moment; called by whoever polls and found nothing. */
  public void progress() {
    throw new UnsupportedOperationException();
  }

  /**
   * Returns when no thread is inside memory of this domain under a key that it has looked up
   * before.
   */
  public void quiesce(Domain domain) {
    throw new UnsupportedOperationException();
  }

  /** Upper half of the device's address. */
  public long localHi() {
    return link.localHi();
  }

  /** Lower half of the device's address. */
  public long localLo() {
    return link.localLo();
  }

  /** Whether the device's address exists and its interface is up. */
  public boolean isUp() {
    return link.isUp();
  }

  @Override
  public void close() {
    link.close();
  }
}
