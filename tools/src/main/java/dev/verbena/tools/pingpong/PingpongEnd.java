package dev.verbena.tools.pingpong;

import dev.verbena.tools.ToolException;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Rate;
import org.jspecify.annotations.Nullable;

/** What an end of any ping-pong has before its queue pair: the device, memory, and completions. */
final class PingpongEnd implements AutoCloseable {
  /** The examples stay on the local link. */
  private static final int HOP_LIMIT = 1;

  private final PingpongOptions options;
  private final Context context;
  private final @Nullable CompletionChannel channel;
  private final ProtectionDomain pd;
  private final MemoryRegion region;
  private final CompletionQueue cq;

  private PingpongEnd(PingpongOptions options, Context context, long bytes, int cqe) {
    this.options = options;
    this.context = context;
    channel = options.events() ? context.createCompChannel() : null;
    pd = context.allocPd();
    region = pd.allocMr(bytes, Access.LOCAL_WRITE);
    cq = context.createCq(cqe, null, channel, 0);
  }

  /** Opens the device and makes everything; closes the device again if something fails. */
  static PingpongEnd open(PingpongOptions options, long bytes, int cqe) {
    Context context = Devices.open(options.device());
    try {
      return new PingpongEnd(options, context, bytes, cqe);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  ProtectionDomain pd() {
    return pd;
  }

  MemoryRegion region() {
    return region;
  }

  CompletionQueue cq() {
    return cq;
  }

  /** How the peer reaches a queue pair of this end. */
  Destination local(int qpNum, int psn) {
    PortAttr port = context.queryPort(options.ibPort());
    if (port.linkLayer() != LinkLayer.ETHERNET && port.lid() == 0) {
      throw ToolException.failure(
          "couldn't get the local LID of port %d; is it connected?".formatted(options.ibPort()));
    }
    Gid gid = context.queryGid(options.ibPort(), options.gidIndex());
    if (gid.isZero()) {
      throw ToolException.failure(
          "GID %d of port %d is empty; 'verbena devinfo -v' lists those that are not"
              .formatted(options.gidIndex(), options.ibPort()));
    }
    return new Destination(port.lid(), qpNum, psn, gid);
  }

  /** The way to the peer: a global route if it has told an interface ID. */
  AhAttr route(Destination remote) {
    boolean global = remote.gid().interfaceId() != 0;
    return new AhAttr(
        global,
        global ? remote.gid() : Gid.ZERO,
        global ? options.gidIndex() : 0,
        0,
        global ? HOP_LIMIT : 0,
        0,
        remote.lid(),
        options.serviceLevel(),
        0,
        Rate.MAX,
        options.ibPort());
  }

  /** Takes everything down in order; each step reports what is still in use. */
  void release() {
    cq.destroy();
    region.dereg();
    pd.dealloc();
    if (channel != null) {
      channel.destroy();
    }
    context.close();
  }

  /** Closes the device with whatever is left. */
  @Override
  public void close() {
    context.close();
  }
}
