package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.soft.transport.Service;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpType;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a queue pair, for {@link Engine#attach}.
 *
 * @param number a fixed number, which is never drawn; or {@link #ANY_NUMBER}
 * @param type transport service
 * @param cap sizes of its queues
 * @param maxTsoHeader bytes of the longest TSO header; 0 without TSO
 * @param sendCq ring for completions of sends
 * @param recvCq ring for completions of receives
 * @param shared source of receives, or null for its own queue
 * @param domain its protection domain
 * @param locksPosting whether several threads may post; false within a thread domain
 * @param events receives its events
 */
public record QpSetup(
    int number,
    QpType type,
    QpCap cap,
    int maxTsoHeader,
    CompletionRing sendCq,
    CompletionRing recvCq,
    @Nullable ReceiveSource shared,
    Domain domain,
    boolean locksPosting,
    QpEvents events) {
  /** Any number, which is drawn at random. */
  public static final int ANY_NUMBER = 0;

  /** A new send queue. */
  SendQueue newSends() {
    return new SendQueue(cap.maxSendWr(), cap.maxSendSge(), cap.maxInlineData(), maxTsoHeader);
  }

  /** A new receive queue; unused if there is a shared one. */
  RecvQueue newReceives() {
    return new RecvQueue(cap.maxRecvWr(), cap.maxRecvSge());
  }

  /** A new owner of the memory windows that are bound through it, and user of others'. */
  public WindowOwner newWindowOwner() {
    if (serves() && asks()) {
      return new WindowOwner();
    }
    return serves() ? WindowOwner.target() : WindowOwner.initiator();
  }

  /** Whether it is connected to one peer. */
  public boolean hasPeer() {
    return Service.of(type).connected && asks();
  }

  /** Whether it executes requests: all do but XRC_SEND (S7.4). */
  boolean serves() {
    return type != QpType.XRC_SEND;
  }

  /** Whether it sends requests and gets answers: all do but XRC_RECV (S7.3). */
  boolean asks() {
    return type != QpType.XRC_RECV;
  }
}
