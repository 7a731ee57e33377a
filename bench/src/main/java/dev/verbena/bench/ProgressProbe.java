package dev.verbena.bench;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes that bin/progress watches. {@code target DEVICE} has a queue pair and waits for the
 * end of its input; it prints the TCP port on which it expects its peer. {@code visitor DEVICE
 * PORT} writes to it for a while, says that it is ready, and then waits for the end of its input,
 * too. {@code sender DEVICE PORT WRITES} writes 8 bytes WRITES times: first as fast as it can,
 * between two lines of output, then with pauses in which the target falls asleep.
 */
public final class ProgressProbe implements AutoCloseable {
  private static final int BYTES = 8;
  private static final int WARM_UP = 20_000;
  private static final int PAUSED_WRITES = 2_000;
  private static final long PAUSE_NANOS = 1_000_000;

  private final Context context;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final MemoryRegion memory;
  private final WorkCompletion wc = new WorkCompletion();

  private ProgressProbe(String device) {
    context = Devices.open(device);
    ProtectionDomain pd = context.allocPd();
    cq = context.createCq(16);
    qp = pd.createQp(QpInitAttr.rc(cq));
    memory = pd.allocMr(BYTES, LOCAL_WRITE, REMOTE_WRITE);
  }

  /** Runs the process with the given role. */
  public static void main(String[] args) throws IOException {
    try (ProgressProbe probe = new ProgressProbe(args[1])) {
      switch (args[0]) {
        case "target" -> probe.target();
        case "visitor" -> probe.visit(Integer.parseInt(args[2]));
        case "sender" -> probe.send(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        default -> throw new IllegalArgumentException("no such role: " + args[0]);
      }
    }
  }

  private void target() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      try (Socket peer = server.accept()) {
        connect(peer);
        awaitEndOfInput();
      }
    }
  }

  private void visit(int port) throws IOException {
    try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port)) {
      measure(write(connect(peer)), new long[WARM_UP], 0);
      System.out.println("ready");
      awaitEndOfInput();
    }
  }

  private void send(int port, int writes) throws IOException {
    try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port)) {
      SendWr wr = write(connect(peer));
      measure(wr, new long[WARM_UP], 0);
      long[] spinning = new long[writes];
      System.out.println("begin");
      measure(wr, spinning, 0);
      System.out.println("end");
      report("WRITEs one after the other", spinning);
      long[] paused = new long[PAUSED_WRITES];
      measure(wr, paused, PAUSE_NANOS);
      report("WRITEs to a sleeping target", paused);
    }
  }

  private SendWr write(ConnectionData remote) {
    return new SendWr()
        .opcode(WrOpcode.RDMA_WRITE)
        .sendFlags(SendFlags.SIGNALED)
        .sgList(memory.sge(BYTES, 0))
        .rkey(remote.rkey())
        .remoteAddr(remote.addr());
  }

  private ConnectionData connect(Socket peer) throws IOException {
    ConnectionData remote = ConnectionData.exchange(peer, ConnectionData.of(qp, memory));
    qp.connect(remote.endpoint(), REMOTE_WRITE);
    // Both ends must be connected before the first packet.
    peer.getOutputStream().write(1);
    if (peer.getInputStream().read() != 1) {
      throw new IOException("the peer is gone");
    }
    return remote;
  }

  /** Records the nanoseconds from each post to its completion. */
  private void measure(SendWr wr, long[] nanos, long pause) {
    for (int i = 0; i < nanos.length; i++) {
      if (pause > 0) {
        LockSupport.parkNanos(pause);
      }
      long start = System.nanoTime();
      qp.postSend(wr);
      while (!cq.poll(wc)) {
        Thread.onSpinWait();
      }
      nanos[i] = System.nanoTime() - start;
      if (!wc.isSuccess()) {
        throw new WcException(wc);
      }
    }
  }

  private static void report(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        "%d %s: p50 %.1f us, p99 %.1f us%n",
        nanos.length, what, nanos[nanos.length / 2] / 1e3, nanos[nanos.length * 99 / 100] / 1e3);
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // Whatever is typed does not matter.
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
