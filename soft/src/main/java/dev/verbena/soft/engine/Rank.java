package dev.verbena.soft.engine;

/**
 * The order in which a thread may take guards: ranks only rise (design rule "Three guards a QP"),
 * so no two threads can wait for each other.
 */
public enum Rank {
  /** Producer side of a queue pair's work queues. An application may hold several, of its own. */
  POST(0),
  /** Receiving from a link. */
  LINK_RX(1),
  /** Requester and completer of a queue pair; never two at once. */
  REQUESTER(2),
  /** Responder of a queue pair; never two at once. */
  RESPONDER(3),
  /** A shared receive queue. */
  RQ(4),
  /** A completion queue. */
  CQ(5),
  /** Completion channels and asynchronous events. */
  EVENTS(6),
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
}
