package dev.verbena.soft.transport.responder;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.transport.QpCore;
import org.jspecify.annotations.Nullable;

/**
 * This side's memory as requests of the peer may use it: by the key of a region or window, and in
 * the order of the checks of S5.2.2. Under the responder guard.
 */
final class PeerAccess {
  private final KeyTable keys;
  private final WindowOwner owner;
  private Domain domain;

  PeerAccess(QpCore core) {
    keys = core.keys();
    domain = core.domain();
    owner = core.owner();
  }

  /** Sets the domain for the keys of the request at hand: with XRC, that of the queue it names. */
  void domain(Domain ofRequest) {
    domain = ofRequest;
  }

  /** The region or window part with this key, if the whole range may be used so; otherwise null. */
  @Nullable Region find(int rkey, int right, long va, long length) {
    Region region = keys.byRemoteKey(rkey);
    boolean allowed =
        region != null && region.checkRemote(domain, owner, right, va, length) == AccessFault.NONE;
    return allowed ? region : null;
  }

  /** As {@link #find} for the whole of it, wherever that is. */
  @Nullable Region findWhole(int rkey, int right) {
    Region region = keys.byRemoteKey(rkey);
    return region == null ? null : find(rkey, right, region.base(), region.length());
  }

  /** Adds a range to {@code into}; false, and nothing added, if it may not be used so. */
  boolean resolve(int rkey, int right, long va, long length, SpanList into) {
    Region region = find(rkey, right, va, length);
    if (region == null) {
      return false;
    }
    into.add(region.memory(), region.offset(va), length);
    return true;
  }
}
