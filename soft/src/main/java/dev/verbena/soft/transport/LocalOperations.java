package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Binding;

/**
 * Executes the requests of a send queue that need no peer, in the order of the queue (S5.3.11).
 * When a call returns, no thread uses what it invalidated. Called under the requester guard.
 */
public interface LocalOperations {
  /** Binds a memory window; returns NONE or the fault. */
  AccessFault bind(Binding binding);

  /** Invalidates the type 2 window with this key; returns NONE or the fault. */
  AccessFault invalidate(int rkey);
}
