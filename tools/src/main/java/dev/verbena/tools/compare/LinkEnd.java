package dev.verbena.tools.compare;

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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One of two processes: a device with its queue pairs, all on one completion queue. */
final class LinkEnd implements AutoCloseable {
  private static final int RECEIVES = 1024;
  private static final int POLLED = 32;

  private static final LinkTraffic PING_PONG =
      new LinkTraffic(WrOpcode.RDMA_WRITE, MemoryPingPong.BYTES, 1, 1, 1);

  private final LinkTraffic traffic;
  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final MemoryRegion memory;
  private final List<QueuePair> qps = new ArrayList<>();
  private final List<ConnectionData> peers = new ArrayList<>();
  private final WorkCompletion[] wcs = new WorkCompletion[POLLED];

  private LinkEnd(String device, LinkTraffic traffic) {
    this.traffic = traffic;
    context = Devices.open(device);
    pd = context.allocPd();
    cq = context.createCq(traffic.queuePairs() * receives() + traffic.list() * traffic.posts());
    memory = pd.allocMr(traffic.bytes(), LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
    for (int i = 0; i < traffic.queuePairs(); i++) {
      qps.add(pd.createQp(QpInitAttr.rc(cq).maxSendWr(traffic.depth() + 1).maxRecvWr(receives())));
    }
    Arrays.setAll(wcs, i -> new WorkCompletion());
  }

  /**
   * Serves one client. Polls for SENDs; READs and WRITEs need no program here.
   *
   * @param port receives the port on which it listens
   * @return what this end adds to the client's figure, without a value
   */
  static Figure serve(String device, LinkTraffic traffic, IntConsumer port)
      throws IOException, InterruptedException {
    return serve(
        device,
        traffic,
        port,
        (end, listener) -> {
          if (traffic.opcode() == WrOpcode.SEND) {
            end.receiveWhile(listener);
          }
        });
  }

  /** Answers one client's WRITEs; otherwise like {@link #serve}. */
  static Figure follow(String device, IntConsumer port) throws IOException, InterruptedException {
    return serve(device, PING_PONG, port, (end, listener) -> end.pingPong().follow());
  }

  /** What a server does while a thread listens to the client. */
  private interface Service {
    void run(LinkEnd end, Thread listener);
  }

  private static Figure serve(String device, LinkTraffic traffic, IntConsumer port, Service service)
      throws IOException, InterruptedException {
    MeasuredPart part = new MeasuredPart(Pace::allocated);
    try (LinkEnd end = new LinkEnd(device, traffic);
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port.accept(server.getLocalPort());
      try (Socket peer = server.accept()) {
        end.connect(peer);
        InputStream client = peer.getInputStream();
        Thread listener =
            Thread.ofPlatform().daemon().name("compare-end").start(() -> part.listen(client));
        service.run(end, listener);
        listener.join();
      }
      return new Figure(Double.NaN, part.garbage(), end.resent());
    }
  }

  /** Measures a ping-pong of 8-byte WRITEs: ns one way. */
  static Figure lead(String device, int port, int seconds, int warmUp) throws IOException {
    try (LinkEnd end = new LinkEnd(device, PING_PONG);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), port)) {
      end.connect(peer);
      Figure figure = end.pingPong().lead(pace(seconds, warmUp, peer));
      peer.shutdownOutput();
      // The server has received the last WRITE when it ends.
      peer.getInputStream().transferTo(OutputStream.nullOutputStream());
      return figure.withResent(end.resent());
    }
  }

  private MemoryPingPong pingPong() {
    ConnectionData peer = peers.getFirst();
    return new MemoryPingPong(pd, qps.getFirst(), cq, memory.memory(), peer.addr(), peer.rkey());
  }

  /** Keeps all queue pairs busy for a time; measures messages per second. */
  static Figure measure(String device, LinkTraffic traffic, int port, int seconds, int warmUp)
      throws IOException {
    try (LinkEnd end = new LinkEnd(device, traffic);
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), port)) {
      end.connect(peer);
      return end.send(seconds, warmUp, peer).withResent(end.resent());
    }
  }

  private static Pace pace(int seconds, int warmUp, Socket peer) throws IOException {
    return new Pace(seconds, warmUp, MeasuredPart.announceTo(peer.getOutputStream()));
  }

  private int receives() {
    return traffic.opcode() == WrOpcode.SEND
        ? Math.ceilDiv(RECEIVES, traffic.list()) * traffic.list()
        : 1;
  }

  private void connect(Socket peer) throws IOException {
    for (QueuePair qp : qps) {
      ConnectionData remote = ConnectionData.exchange(peer, ConnectionData.of(qp, memory));
      qp.connect(remote.endpoint(), REMOTE_WRITE, REMOTE_READ);
      peers.add(remote);
    }
    if (traffic.opcode() == WrOpcode.SEND) {
      for (int i = 0; i < receives() / traffic.list(); i++) {
        for (int index = 0; index < qps.size(); index++) {
          qps.get(index).postRecv(receives(index));
        }
      }
    }
    // Both ends must be connected before the first packet.
    peer.getOutputStream().write(1);
    if (peer.getInputStream().read() != 1) {
      throw new IOException("the other process has gone");
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
              .opcode(traffic.opcode())
              .sendFlags(i == 0 ? SendFlags.SIGNALED : 0)
              .sgList(memory.sge(traffic.bytes(), 0))
              .remoteAddr(peer.addr())
              .rkey(peer.rkey())
              .next(wr);
    }
    return wr;
  }

  /** Receives messages, and posts more receives. */
  private void receiveWhile(Thread goesOn) {
    List<@Nullable RecvWr> lists = new ArrayList<>();
    for (int i = 0; i < qps.size(); i++) {
      lists.add(receives(i));
    }
    while (goesOn.isAlive()) {
      int count = poll();
      for (int i = 0; i < count; i++) {
        int index = (int) wcs[i].wrId();
        if (index >= 0) {
          qps.get(index).postRecv(lists.get(index));
        }
      }
    }
  }

  private Figure send(int seconds, int warmUp, Socket peer) throws IOException {
    List<@Nullable SendWr> lists = new ArrayList<>();
    for (int i = 0; i < qps.size(); i++) {
      lists.add(sends(i));
    }
    for (int i = 0; i < traffic.posts(); i++) {
      int index = i % qps.size();
      qps.get(index).postSend(lists.get(index));
    }
    for (long fresh = traffic.firstUses(); fresh > 0; ) {
      fresh -= postAgain(lists);
    }
    Pace pace = pace(seconds, warmUp, peer);
    while (pace.goesOn()) {
      pace.did((long) postAgain(lists) * traffic.list());
    }
    Figure figure = pace.figure(pace.perSecond());
    int outstanding = traffic.posts();
    while (outstanding > 0) {
      outstanding -= poll();
    }
    return figure;
  }

  /** Posts once for each post that has completed; returns how many. */
  private int postAgain(List<@Nullable SendWr> lists) {
    int count = poll();
    for (int i = 0; i < count; i++) {
      int index = traffic.after((int) wcs[i].wrId());
      qps.get(index).postSend(lists.get(index));
    }
    return count;
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

  private double resent() {
    return (double) context.counters().get(Counter.RETRANSMITTED);
  }

  @Override
  public void close() {
    context.close();
  }
}
