package dev.verbena.soft.engine.progress;

/**
 * The order in which a thread may take guards. Ranks only rise, so no two threads can wait for each
 * other.
 */
public enum Rank {
  /** Taking entries of a completion queue, for one call or from startPoll to endPoll. */
  POLL(0),
  /** Producer side of a queue pair's work queues, for one call or from wrStart to wrComplete. */
  POST(1),
  /** Receiving from a link. */
  LINK_RX(2),
  /** Requester and completer of a queue pair; never two at once. */
  REQUESTER(3),
  /** Responder of a queue pair; never two at once. */
  RESPONDER(4),
  /** A shared receive queue. */
  RQ(5),
  /** Adding to a completion queue. */
  CQ(6),
  /** Sending on a link. */
  LINK_TX(7);

  private final int order;

  Rank(int order) {
    this.order = order;
  }

  /** Place in the order, from 0. */
  int order() {
    return order;
  }

  /**
   * Whether an application can hold it between two calls. It may then hold several of these, in an
   * order of its own.
   */
  boolean isHeldBetweenCalls() {
    return this == POLL || this == POST;
  }
}
