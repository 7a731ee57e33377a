package dev.verbena.bench.udp;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One of the two processes: a device with its queue pairs, all on one completion queue. */
final class SpeedEnd implements AutoCloseable {
  private static final int RECEIVES = 1024;
  private static final int POLLED = 32;

  private final Traffic traffic;
  private final Context context;
  private final CompletionQueue cq;
  private final MemoryRegion memory;
  private final List<QueuePair> qps = new ArrayList<>();
  private final List<ConnectionData> peers = new ArrayList<>();
  private final WorkCompletion[] wcs = new WorkCompletion[POLLED];

  SpeedEnd(String device, Traffic traffic) {
    this.traffic = traffic;
    context = Devices.open(device);
    ProtectionDomain pd = context.allocPd();
    cq = context.createCq(traffic.queuePairs() * (RECEIVES + traffic.depth()));
    memory = pd.allocMr(traffic.bytes(), LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
    for (int i = 0; i < traffic.queuePairs(); i++) {
      qps.add(pd.createQp(QpInitAttr.rc(cq).maxSendWr(traffic.depth() + 1).maxRecvWr(RECEIVES)));
    }
    for (int i = 0; i < POLLED; i++) {
      wcs[i] = new WorkCompletion();
    }
  }

  void connect(Socket peer) throws IOException {
    for (QueuePair qp : qps) {
      ConnectionData remote = ConnectionData.exchange(peer, ConnectionData.of(qp, memory));
      qp.connect(remote.endpoint(), REMOTE_WRITE, REMOTE_READ);
      peers.add(remote);
    }
    if (traffic.kind() == Traffic.Kind.SEND) {
      for (int i = 0; i < RECEIVES / traffic.list(); i++) {
        for (int index = 0; index < qps.size(); index++) {
          qps.get(index).postRecv(receives(index));
        }
      }
    }
    // Both ends must be connected before the first packet.
    peer.getOutputStream().write(1);
    if (peer.getInputStream().read() != 1) {
      throw new IOException("the peer has gone");
    }
  }

  /** A list of receives; the last one has the queue pair's index, the others have -1. */
  private @Nullable RecvWr receives(int index) {
    RecvWr wr = null;
    for (int i = 0; i < traffic.list(); i++) {
      wr = new RecvWr().wrId(i == 0 ? index : -1).sgList(memory.sge(traffic.bytes(), 0)).next(wr);
    }
    return wr;
  }

  private @Nullable SendWr sends(int index) {
    ConnectionData peer = peers.get(index);
    SendWr wr = null;
    for (int i = 0; i < traffic.list(); i++) {
      wr =
          new SendWr()
              .wrId(index)
              .opcode(
                  switch (traffic.kind()) {
                    case WRITE -> WrOpcode.RDMA_WRITE;
                    case READ -> WrOpcode.RDMA_READ;
                    case SEND -> WrOpcode.SEND;
                  })
              .sendFlags(i == 0 ? SendFlags.SIGNALED : 0)
              .sgList(memory.sge(traffic.bytes(), 0))
              .remoteAddr(peer.addr())
              .rkey(peer.rkey())
              .next(wr);
    }
    return wr;
  }

  /** Takes messages, and posts receives for more, until it is told to stop. */
  void receiveUntil(BooleanSupplier stopped) {
    List<@Nullable RecvWr> lists = new ArrayList<>();
    for (int i = 0; i < qps.size(); i++) {
      lists.add(receives(i));
    }
    while (!stopped.getAsBoolean()) {
      int count = poll();
      for (int i = 0; i < count; i++) {
        int index = (int) wcs[i].wrId();
        if (index >= 0) {
          qps.get(index).postRecv(lists.get(index));
        }
      }
    }
  }

  /** Keeps all queue pairs busy for so long; returns the messages of each second. */
  double send(long nanos) {
    List<@Nullable SendWr> lists = new ArrayList<>();
    for (int i = 0; i < qps.size(); i++) {
      lists.add(sends(i));
    }
    long outstanding = 0;
    for (int i = 0; i < traffic.lists(); i++) {
      for (int index = 0; index < qps.size(); index++) {
        qps.get(index).postSend(lists.get(index));
        outstanding++;
      }
    }
    long start = System.nanoTime();
    long done = 0;
    long now = start;
    while (now - start < nanos) {
      int count = poll();
      for (int i = 0; i < count; i++) {
        int index = (int) wcs[i].wrId();
        qps.get(index).postSend(lists.get(index));
      }
      done += count;
      now = System.nanoTime();
    }
    while (outstanding > 0) {
      outstanding -= poll();
    }
    return done * traffic.list() * 1e9 / (now - start);
  }

  private int poll() {
    int count = cq.poll(wcs);
    for (int i = 0; i < count; i++) {
      if (!wcs[i].isSuccess()) {
        throw new WcException(wcs[i]);
      }
    }
    if (count == 0) {
      Thread.onSpinWait();
    }
    return count;
  }

  /** What should not have happened on a healthy path, and how many packets there were. */
  String counters() {
    return "sent "
        + context.counters().get(Counter.PACKETS_SENT)
        + ", again "
        + context.counters().get(Counter.RETRANSMITTED)
        + ", time-outs "
        + context.counters().get(Counter.TIMEOUTS)
        + ", NAKs "
        + context.counters().get(Counter.SEQUENCE_NAKS_SENT)
        + ", RNR "
        + context.counters().get(Counter.RNR_NAKS_SENT)
        + ", overflows "
        + context.counters().get(Counter.SOCKET_OVERFLOWS)
        + ", bad ICRC "
        + context.counters().get(Counter.DROPPED_ICRC)
        + ", blocked "
        + context.counters().get(Counter.SEND_BLOCKED);
  }

  @Override
  public void close() {
    context.close();
  }
}
