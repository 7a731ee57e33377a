package dev.verbena.soft.engine;

/**
 * The order in which a thread may take guards: ranks only rise (design rule "Three guards a QP"),
 * so no two threads can wait for each other.
 */
public enum Rank {
  /** Producer side of a queue pair's work queues. An application may hold several, of its own. */
  POST,
  /** Receiving from a link. */
  LINK_RX,
  /** Requester and completer of a queue pair; never two at once. */
  REQUESTER,
  /** Responder of a queue pair; never two at once. */
  RESPONDER,
  /** A shared receive queue. */
  RQ,
  /** A completion queue. */
  CQ,
  /** Completion channels and asynchronous events. */
  EVENTS,
  /** Sending on a link. */
  LINK_TX
}
