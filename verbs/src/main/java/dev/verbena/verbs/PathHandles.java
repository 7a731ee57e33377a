package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The address handles that a path keeps, one for each protection domain. */
final class PathHandles {
  private final List<AddressHandle> kept = new ArrayList<>();

  /** The one of this domain; made by {@code maker} if there is none that is open. */
  synchronized AddressHandle of(ProtectionDomain pd, Supplier<AddressHandle> maker) {
    kept.removeIf(AddressHandle::isClosed);
    for (AddressHandle handle : kept) {
      if (handle.pd().equals(pd)) {
        return handle;
      }
    }
    AddressHandle made = maker.get();
    kept.add(made);
    return made;
  }

  synchronized void drop() {
    kept.forEach(AddressHandle::close);
    kept.clear();
  }
}
