package dev.verbena.soft.transport.responder;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.RefusedRequest;
import org.jspecify.annotations.Nullable;

/**
 * This side's memory as requests of the peer may use it: by the key of a region or window, and in
 * the order of the checks of S5.2.2. Under the responder guard.
 */
final class PeerAccess {
  private final KeyTable keys;
  private final WindowOwner owner;
  private final RefusedRequest refused;
  private Domain domain;

  /**
   * @param refused is told why memory may not be used
   */
  PeerAccess(QpCore core, RefusedRequest refused) {
    this.refused = refused;
    keys = core.keys();
    domain = core.domain();
    owner = core.owner();
  }

  /** Sets the domain for the keys of the request at hand: with XRC, that of the queue it names. */
  void domain(Domain ofRequest) {
    domain = ofRequest;
  }

  /** The domain for the keys of the request at hand. */
  Domain domain() {
    return domain;
  }

  /** The region or window part with this key, if the whole range may be used so; otherwise null. */
  @Nullable Region find(int rkey, int right, long va, long length) {
    Region region = keys.byRemoteKey(rkey);
    AccessFault fault =
        region == null
            ? AccessFault.UNKNOWN_KEY
            : region.checkRemote(domain, owner, right, va, length);
    if (fault != AccessFault.NONE) {
      refused.memory(fault, rkey, right, va, length, region);
      return null;
    }
    return region;
  }

  /** As {@link #find} for the whole of it, wherever that is. */
  @Nullable Region findWhole(int rkey, int right) {
    Region region = keys.byRemoteKey(rkey);
    return region == null
        ? find(rkey, right, 0, 0)
        : find(rkey, right, region.base(), region.length());
  }

  /** Adds a range to {@code into}; false, and nothing added, if it may not be used so. */
  boolean resolve(int rkey, int right, long va, long length, SpanList into) {
    Region region = find(rkey, right, va, length);
    if (region == null) {
      return false;
    }
    region.addTo(into, va, length);
    return true;
  }
}
