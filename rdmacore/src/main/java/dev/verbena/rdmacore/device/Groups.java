package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.FieldBits;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvGid;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of one queue pair. Each keeps it from being destroyed, and ends when it is
 * closed: the library would refuse to end one that is a member.
 */
final class Groups {
  private static final String ATTACH = "attachMcast";
  private static final String DETACH = "detachMcast";

  private record Group(Gid gid, int lid) {}

  private final Lifetime qp;
  private final Handle handle;
  private final Map<Group, Lifetime> memberships = new HashMap<>();

  /**
   * @param qp the queue pair's
   * @param handle of the queue pair
   */
  Groups(Lifetime qp, Handle handle) {
    this.qp = qp;
    this.handle = handle;
  }

  /** Joins a group; does nothing if the queue pair is in it. */
  synchronized void attach(Gid gid, int lid) {
    Group group = new Group(gid, FieldBits.requireFit(ATTACH, "lid", lid, Short.SIZE));
    Lifetime present = memberships.get(group);
    if (present == null || present.isClosed()) {
      call(ATTACH, Functions.ATTACH_MCAST, handle, group);
      Lifetime membership = qp.child(Kind.MCAST, gid.toString(), () -> leaving(handle, group));
      memberships.put(group, membership);
      membership.begin(ATTACH, List.of());
    }
  }

  /** Leaves a group. */
  void detach(Gid gid, int lid) {
    qp.require(DETACH);
    Lifetime membership = take(new Group(gid, lid));
    if (membership == null) {
      throw new VerbsException(
          DETACH, Errno.EINVAL, qp.name() + " is not in the group " + gid + " with LID " + lid);
    }
    membership.destroy();
  }

  private synchronized @Nullable Lifetime take(Group group) {
    return memberships.remove(group);
  }

  private static Runnable leaving(Handle handle, Group group) {
    return () -> {
      try {
        call(DETACH, Functions.DETACH_MCAST, handle, group);
      } catch (VerbsException e) {
        // It was left before, by another spelling of the same group.
        if (e.errno() != Errno.EINVAL) {
          throw e;
        }
      }
    };
  }

  private static void call(String verb, FunctionNative function, Handle handle, Group group) {
    try (Handle.Use use = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvGid.LAYOUT.size(), Long.BYTES).address();
      Structs.setGid(in, group.gid());
      function
          .call(verb, use.address(), in, group.lid())
          .orThrow(
              verb, "the group " + group.gid() + " with LID " + group.lid() + " for " + handle);
    }
  }
}
