package dev.verbena.tools.demo;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One end of the demonstration: an open device, a queue pair, a region with the pattern to send
 * from, and a region of slots that receive data.
 */
final class DemoEnd implements AutoCloseable {
  private static final int QUEUE = 2 * Round.SMALL;

  private final Context context;
  private final CompletionQueue cq;
  private final MemoryRegion patternRegion;
  private final MemoryRegion slots;
  private final QueuePairEx qp;
  private final SeededPattern pattern;

  private DemoEnd(Context context, boolean events, int largest, long seed) {
    this.context = context;
    ProtectionDomain pd = context.allocPd();
    cq = context.createCq(2 * QUEUE, null, events ? context.createCompChannel() : null, 0);
    patternRegion = pd.allocMr(SeededPattern.bytesFor(largest));
    pattern = new SeededPattern(patternRegion.memory(), seed);
    slots =
        pd.allocMr(
            Math.max(Round.LARGE * Round.stride(largest), Round.SMALL * Round.stride(Long.BYTES)),
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC);
    qp =
        pd.createQpEx(
            QpInitAttr.rc(cq)
                .maxSendWr(QUEUE)
                .maxRecvWr(QUEUE)
                .sendOps(
                    SendOps.SEND,
                    SendOps.RDMA_WRITE,
                    SendOps.RDMA_WRITE_WITH_IMM,
                    SendOps.RDMA_READ,
                    SendOps.ATOMIC_CMP_AND_SWP,
                    SendOps.ATOMIC_FETCH_AND_ADD));
  }

  /**
   * Opens the device and creates everything; closes the device again if anything fails.
   *
   * @param events whether completions raise events, so that a thread can sleep until one
   */
  static DemoEnd open(DeviceSpec device, boolean events, int largest, long seed) {
    Context context = Devices.open(device);
    try {
      return new DemoEnd(context, events, largest, seed);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  Context context() {
    return context;
  }

  CompletionQueue cq() {
    return cq;
  }

  MemoryRegion patternRegion() {
    return patternRegion;
  }

  MemoryRegion slots() {
    return slots;
  }

  QueuePairEx qp() {
    return qp;
  }

  SeededPattern pattern() {
    return pattern;
  }

  /** The data that the peer needs. */
  ConnectionData local() {
    return ConnectionData.of(qp, slots);
  }

  /** Connects the queue pair to the peer's, which may write, read and run atomics. */
  void connect(ConnectionData remote) {
    qp.connect(remote.endpoint(), Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  }

  /** The memory of a message's slot. */
  MemorySegment slot(Round round, int message) {
    return slots.memory().asSlice(round.offset(message), round.size());
  }

  /** The 8 bytes of a message's slot. */
  long number(Round round, int message) {
    return slots.memory().get(ValueLayout.JAVA_LONG, round.offset(message));
  }

  /** Sets the 8 bytes of a message's slot. */
  void number(Round round, int message, long value) {
    slots.memory().set(ValueLayout.JAVA_LONG, round.offset(message), value);
  }

  /** Clears the slots of a round. */
  void clear(Round round) {
    slots.memory().asSlice(0, round.offset(round.messages())).fill((byte) 0);
  }

  @Override
  public void close() {
    context.close();
  }
}
