package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * Caches the address handles of a path, one for each protection domain. A lookup allocates nothing,
 * because it is made for each datagram.
 */
final class PathHandles {
  private record Kept(ProtectionDomain pd, AddressHandle handle) {}

  private final List<Kept> kept = new ArrayList<>();

  /** Returns the handle of this domain; a new one if none is open. */
  synchronized AddressHandle of(ProtectionDomain pd, IbPath path) {
    for (int i = 0; i < kept.size(); i++) {
      Kept known = kept.get(i);
      if (known.pd.equals(pd) && !known.handle.isClosed()) {
        return known.handle;
      }
    }
    kept.removeIf(known -> known.handle.isClosed());
    PathAttributes.requireDevice("ah", pd.context(), path);
    AddressHandle made = pd.createAh(PathAttributes.address(path));
    kept.add(new Kept(pd, made));
    return made;
  }

  /**
   * Closes all handles; one that cannot be closed stays cached, and the others are still closed.
   */
  synchronized void drop() {
    RuntimeException failure = null;
    for (Kept known : List.copyOf(kept)) {
      try {
        known.handle.close();
        kept.remove(known);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
