package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.WcExFlags;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What an end of any ping-pong has before its queue pair: the device, memory, and completions. */
final class PingpongEnd implements AutoCloseable {
  /** The hop limit of connections that stay on the local link. */
  static final int LINK_LOCAL_HOPS = 1;

  private final PingpongOptions options;
  private final Context context;
  private final @Nullable CompletionChannel channel;
  private final ProtectionDomain pd;
  private final MemoryRegion region;
  private final CompletionQueue cq;
  private final IntFunction<Completions> completions;
  private final @Nullable ReceiveTimes receiveTimes;

  private PingpongEnd(
      PingpongOptions options, Context context, long bytes, int cqe, boolean stamped) {
    this.options = options;
    this.context = context;
    channel = options.events() ? context.createCompChannel() : null;
    pd = context.allocPd();
    region = pd.allocMr(bytes, Access.LOCAL_WRITE);
    if (stamped) {
      ReceiveTimes times = new ReceiveTimes(timestampMask(context));
      CompletionQueueEx cursor =
          context.createCqEx(
              new CqInitAttrEx(cqe)
                  .channel(channel)
                  .wcFlags(WcExFlags.QP_NUM, WcExFlags.COMPLETION_TIMESTAMP));
      cq = cursor;
      completions = most -> new StampedCompletions(cursor, most, times);
      receiveTimes = times;
    } else {
      CompletionQueue polled = context.createCq(cqe, null, channel, 0);
      cq = polled;
      completions = most -> new PolledCompletions(polled, most);
      receiveTimes = null;
    }
  }

  private static long timestampMask(Context context) {
    long mask = context.queryDeviceEx().completionTimestampMask();
    if (mask == 0) {
      throw ToolException.failure("the device has no completion time stamps");
    }
    return mask;
  }

  /** Opens the device and makes everything; closes the device again if something fails. */
  static PingpongEnd open(PingpongOptions options, long bytes, int cqe) {
    return open(options, bytes, cqe, false);
  }

  /** As {@link #open(PingpongOptions, long, int)}, with time stamps if so wished. */
  static PingpongEnd open(PingpongOptions options, long bytes, int cqe, boolean stamped) {
    Context context = Devices.open(options.device());
    try {
      return new PingpongEnd(options, context, bytes, cqe, stamped);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  Context context() {
    return context;
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

  /** A way to take completions from {@link #cq}, up to {@code most} at a time. */
  Completions completions(int most) {
    return completions.apply(most);
  }

  /** What the time stamps of receives told; nothing without time stamps. */
  List<String> receiveTimes() {
    return receiveTimes == null ? List.of() : receiveTimes.lines();
  }

  /** The first step of a queue pair, as far as it is the same for all services. */
  QpAttr toInit() {
    return new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(options.ibPort());
  }

  /** How the peer reaches a queue pair of this end. */
  Destination local(int qpNum, int psn) {
    return new Destination(lid(), qpNum, psn, gid());
  }

  /** This end's LID, 0 on Ethernet. */
  int lid() {
    PortAttr port = context.queryPort(options.ibPort());
    if (port.linkLayer() != LinkLayer.ETHERNET && port.lid() == 0) {
      throw ToolException.failure(
          "couldn't get the local LID of port %d; is it connected?".formatted(options.ibPort()));
    }
    return port.lid();
  }

  /** This end's GID. */
  Gid gid() {
    Gid gid = context.queryGid(options.ibPort(), options.gidIndex());
    if (gid.isZero()) {
      throw ToolException.failure(
          "GID %d of port %d is empty; 'verbena devinfo -v' lists those that are not"
              .formatted(options.gidIndex(), options.ibPort()));
    }
    return gid;
  }

  /** The way to the peer. */
  AhAttr route(Destination remote, int hopLimit) {
    return route(remote.gid(), remote.lid(), hopLimit);
  }

  /** The way to the peer: a global route if its GID has an interface ID. */
  AhAttr route(Gid gid, int lid, int hopLimit) {
    boolean global = gid.interfaceId() != 0;
    return new AhAttr(
        global,
        global ? gid : Gid.ZERO,
        global ? options.gidIndex() : 0,
        0,
        global ? hopLimit : 0,
        0,
        lid,
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
