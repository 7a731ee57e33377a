package dev.verbena.rdmacore.post;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sides of a context's queue pairs that send. */
public final class SendSides {
  private final Set<PostSide<?>> all = ConcurrentHashMap.newKeySet();

  public void add(PostSide<?> side) {
    all.add(side);
  }

  public void remove(PostSide<?> side) {
    all.remove(side);
  }

  /**
   * Waits until no thread posts requests that it has read before. So what was closed before is
   * named by no request that the library still reads.
   */
  public void passAll() {
    all.forEach(PostSide::pass);
  }
}
