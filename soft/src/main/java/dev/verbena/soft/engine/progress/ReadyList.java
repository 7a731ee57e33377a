package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Guard;
import org.jspecify.annotations.Nullable;

/**
 * The items that have something to do, first in, first out; none is on the list twice. Any thread
 * adds and takes. Each item has its own node, so only a thread that waits for the guard allocates.
 */
final class ReadyList<T> {
  /** A place on one list. */
  static final class Node<T> {
    private final T item;
    private @Nullable Node<T> next;
    private boolean listed;

    Node(T item) {
      this.item = item;
    }
  }

  // A leaf: only the code below runs under it.
  private final Guard guard = new LockGuard();
  private @Nullable Node<T> first;
  private @Nullable Node<T> last;
  private int count;

  /** The number of items on the list; may be out of date at once. Written under the guard. */
  volatile int size;

  /** Appends an item, unless it is on the list; returns whether it was appended. */
  boolean add(Node<T> node) {
    guard.enter();
    try {
      if (node.listed) {
        return false;
      }
      node.listed = true;
      if (last == null) {
        first = node;
      } else {
        last.next = node;
      }
      last = node;
      size = ++count;
      return true;
    } finally {
      guard.exit();
    }
  }

  /** Takes the first item, or returns null. It can be added again from now on. */
  @Nullable T poll() {
    if (size == 0) {
      return null;
    }
    guard.enter();
    try {
      Node<T> node = first;
      if (node == null) {
        return null;
      }
      first = node.next;
      if (first == null) {
        last = null;
      }
      node.next = null;
      node.listed = false;
      size = --count;
      return node.item;
    } finally {
      guard.exit();
    }
  }
}
