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
 * Gives requests of the peer access to this side's memory: by the key of a region or memory window,
 * with the checks of S5.2.2 in order. Used under the responder guard.
 */
final class PeerAccess {
  private final KeyTable keys;
  private final WindowOwner owner;
  private final RefusedRequest refused;
  private Domain domain;

  /**
   * @param refused receives the reason why memory may not be used
   */
  PeerAccess(QpCore core, RefusedRequest refused) {
    this.refused = refused;
    keys = core.keys();
    domain = core.domain();
    owner = core.owner();
  }

  /**
   * Sets the domain for the keys of the current request; with XRC, that of the queue that it names.
   */
  void domain(Domain ofRequest) {
    domain = ofRequest;
  }

  /** The domain for the keys of the current request. */
  Domain domain() {
    return domain;
  }

  /**
   * The region or binding with this key, if the whole range may be used this way; otherwise null.
   */
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

  /** As {@link #find} for the whole region or binding. */
  @Nullable Region findWhole(int rkey, int right) {
    Region region = keys.byRemoteKey(rkey);
    return region == null
        ? find(rkey, right, 0, 0)
        : find(rkey, right, region.base(), region.length());
  }

  /**
   * Adds a range to {@code into}; returns false, and adds nothing, if it may not be used this way.
   */
  boolean resolve(int rkey, int right, long va, long length, SpanList into) {
    Region region = find(rkey, right, va, length);
    if (region == null) {
      return false;
    }
    region.addTo(into, va, length);
    return true;
  }
}
