package dev.verbena.tools.pingpong.end;

import dev.verbena.tools.kit.LocalPort;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WcExFlags;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The objects of any ping-pong end besides its queue pair: the device, memory, and completion
 * queue.
 */
public final class PingpongEnd implements AutoCloseable {
  /** The hop limit of connections that stay on the local link. */
  public static final int LINK_LOCAL_HOPS = 1;

  private final Context context;
  private final LocalPort port;
  private final @Nullable CompletionChannel channel;
  private final ProtectionDomain pd;
  private final MemoryRegion region;
  private final CompletionQueue cq;
  private final IntFunction<Completions> completions;
  private final @Nullable ReceiveTimes receiveTimes;

  private PingpongEnd(
      PingpongOptions options, Context context, long bytes, int cqe, boolean stamped) {
    this.context = context;
    port =
        new LocalPort(context, options.peer().ibPort(), options.gidIndex(), options.serviceLevel());
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

  /** Opens the device and creates everything; closes the device again if anything fails. */
  public static PingpongEnd open(PingpongOptions options, long bytes, int cqe) {
    return open(options, bytes, cqe, false);
  }

  /**
   * Opens the device like {@link #open(PingpongOptions, long, int)}, with time stamps if requested.
   */
  public static PingpongEnd open(PingpongOptions options, long bytes, int cqe, boolean stamped) {
    Context context = Devices.open(options.peer().device());
    try {
      return new PingpongEnd(options, context, bytes, cqe, stamped);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  public Context context() {
    return context;
  }

  public ProtectionDomain pd() {
    return pd;
  }

  public MemoryRegion region() {
    return region;
  }

  public CompletionQueue cq() {
    return cq;
  }

  /** A source of completions from {@link #cq}, up to {@code most} at a time. */
  public Completions completions(int most) {
    return completions.apply(most);
  }

  /** A summary of the time stamps of receives; empty without time stamps. */
  public List<String> receiveTimes() {
    return receiveTimes == null ? List.of() : receiveTimes.lines();
  }

  /** The port that the queue pairs use. */
  public LocalPort port() {
    return port;
  }

  /** The address of a queue pair of this end, for the peer. */
  public Destination local(int qpNum, int psn) {
    return new Destination(port.lid(), qpNum, psn, port.gid());
  }

  /** Destroys everything in order; each step reports objects that are still in use. */
  public void release() {
    cq.destroy();
    region.dereg();
    pd.dealloc();
    if (channel != null) {
      channel.destroy();
    }
    context.close();
  }

  /** Closes the device with everything that is left. */
  @Override
  public void close() {
    context.close();
  }
}
