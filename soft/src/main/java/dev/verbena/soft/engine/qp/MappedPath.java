package dev.verbena.soft.engine.qp;

import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.ImportedQueuePair;
import dev.verbena.soft.link.ImportedRegion;
import dev.verbena.soft.link.Requests;
import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.DirectPeer;
import dev.verbena.soft.transport.DirectRun;
import dev.verbena.soft.transport.GuardedCount;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.packets.PacketOut;
import dev.verbena.soft.transport.packets.PacketPath;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Packets to another process and, for WRITEs, READs and atomics of regions that it exports, one
 * copy or atomic by this one. The peer's responder learns nothing of these, so they take no PSNs.
 * What the peer does not export, such as memory windows and regions of other memory, is reached by
 * packets.
 */
final class MappedPath extends PacketPath implements DirectPeer {
  /** Messages that go as packets after one that could not go directly, before the next try. */
  private static final int PAUSE = 64;

  private final Exports exports;
  private final Address own;
  private final QpParameters parameters;

  /** Under the requester guard, like everything here. */
  private final GuardedCount messages;

  private final GuardedCount bytes;

  /** Why the last try was in vain, in words for people. */
  private String obstacle = "no WRITE, READ or atomic has been sent yet";

  /** As the peer of the last try expects them. */
  private @Nullable Requests expected;

  private final SpanList remote = new SpanList();
  private @Nullable ImportedQueuePair peer;
  private long original;
  private boolean taken;
  private int pause;

  MappedPath(Exports exports, Address own, PacketOut out, QpCore core) {
    super(out, core);
    this.exports = exports;
    this.own = own;
    parameters = core.parameters();
    messages = core.tally().guarded(Counter.DIRECT_MESSAGES);
    bytes = core.tally().guarded(Counter.DIRECT_BYTES, messages);
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean countsDirect() {
    return false;
  }

  @Override
  public void direct(DirectRun run, Budget budget) {
    if (pause > 0) {
      pause--;
      return;
    }
    ImportedQueuePair to = peer == null ? exports.find(requests()) : peer;
    taken = false;
    peer = null;
    if (to == null || !to.enter()) {
      obstacle = "the peer does not export its queue pair";
    } else {
      peer = to;
      // Unless the peer is asked, who then says more.
      obstacle = "this side's memory or limits do not allow it";
      try {
        long before = budget.copied();
        messages.add(run.over(this, budget));
        bytes.add(budget.copied() - before);
      } finally {
        to.exit();
      }
    }
    if (!taken) {
      pause = PAUSE;
    }
  }

  /** What never changes but by the program is kept, so that a try in vain allocates nothing. */
  private Requests requests() {
    Requests last = expected;
    if (last == null
        || last.toQpn() != parameters.destQpn
        || last.psn() != parameters.sqPsn
        || last.pkey() != parameters.pkey
        || !last.to().equals(parameters.peer)) {
      last =
          new Requests(
              parameters.peer,
              parameters.destQpn,
              own,
              parameters.qpNum,
              parameters.sqPsn,
              parameters.pkey);
      expected = last;
    }
    return last;
  }

  @Override
  public String words() {
    return taken ? "mapped memory" : "packets, because " + obstacle;
  }

  /** The rest was checked when the queue pair was found. */
  @Override
  public boolean admits(Address source, int pkey) {
    return true;
  }

  @Override
  public boolean writeWhole(int psn, int psnCount, int rkey, long va, SpanList payload) {
    int right = Access.REMOTE_WRITE;
    ImportedRegion region = find(rkey, right);
    long offset = region == null ? -1 : offset(region, right, va, payload.total);
    if (region == null || offset < 0) {
      return false;
    }
    return took(payload.copyTo(region.memory(), offset, /* endsMessage= */ true));
  }

  @Override
  public boolean readWhole(int psn, int psnCount, int rkey, long va, SpanList landing) {
    int right = Access.REMOTE_READ;
    ImportedRegion region = find(rkey, right);
    long offset = region == null ? -1 : offset(region, right, va, landing.total);
    if (region == null || offset < 0) {
      return false;
    }
    remote.add(region.memory(), offset, landing.total);
    try {
      return took(remote.copyTo(landing, /* endsMessage= */ true));
    } finally {
      remote.clear();
    }
  }

  @Override
  public boolean atomicWhole(
      int psn, Operation operation, int rkey, long va, long compare, long swapOrAdd) {
    int right = Access.REMOTE_ATOMIC;
    ImportedRegion region = find(rkey, right);
    long offset = region == null ? -1 : offset(region, right, va, RemoteAtomics.BYTES);
    if (region == null || offset < 0) {
      return false;
    }
    if (!RemoteAtomics.isAligned(region.memory(), offset, va)) {
      obstacle = "the target of an atomic is not aligned";
      return false;
    }
    try {
      RemoteAtomics.read(region.memory(), offset);
    } catch (IllegalStateException | InternalError e) {
      return took(AccessFault.MEMORY_GONE);
    }
    boolean compares = operation == Operation.COMPARE_SWAP;
    original = RemoteAtomics.execute(compares, region.memory(), offset, compare, swapOrAdd);
    return took(AccessFault.NONE);
  }

  @Override
  public long original() {
    return original;
  }

  private @Nullable ImportedRegion find(int rkey, int right) {
    ImportedQueuePair from = peer;
    if (from == null || (from.access() & right) == 0) {
      obstacle = "the peer's queue pair does not allow it";
      return null;
    }
    ImportedRegion found = from.find(rkey);
    if (found == null) {
      obstacle =
          "the peer does not export the memory: it exports regions of allocMr, but no windows, and"
              + " no region after rereg";
    }
    return found;
  }

  private long offset(ImportedRegion region, int right, long va, long length) {
    long offset = region.offset(right, va, length);
    if (offset < 0) {
      obstacle = "the peer's region does not allow it";
    }
    return offset;
  }

  /** If memory of either side is gone, packets find out which. */
  private boolean took(AccessFault result) {
    boolean done = result == AccessFault.NONE;
    taken |= done;
    if (!done) {
      obstacle = "memory of one side is gone";
    }
    return done;
  }
}
