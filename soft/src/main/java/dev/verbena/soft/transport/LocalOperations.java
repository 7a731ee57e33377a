package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Binding;

/**
 * The requests of a send queue that need no peer, in the order of the queue (S5.3.11). When a call
 * returns, no thread uses what it made invalid. Under the requester guard.
 */
public interface LocalOperations {
  /** Binds a memory window: NONE, or why not. */
  AccessFault bind(Binding binding);

  /** Invalidates the type 2 window with this key: NONE, or why not. */
  AccessFault invalidate(int rkey);
}
