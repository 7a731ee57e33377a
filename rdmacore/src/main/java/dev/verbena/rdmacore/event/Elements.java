package dev.verbena.rdmacore.event;

import dev.verbena.verbs.provider.ObjectEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The objects of a context whose events the library reports, by the addresses of their structs. */
public final class Elements {
  private final Map<Long, ObjectEvents> byAddress = new ConcurrentHashMap<>();

  public void add(long address, ObjectEvents events) {
    byAddress.put(address, events);
  }

  public void remove(long address) {
    byAddress.remove(address);
  }

  @Nullable ObjectEvents find(long address) {
    return byAddress.get(address);
  }
}
