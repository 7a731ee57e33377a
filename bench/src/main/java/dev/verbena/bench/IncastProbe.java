package dev.verbena.bench;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes of bin/incast: devices that send to one device over UDP, as much as they may.
 * {@code receiver SENDERS SECONDS BYTES} makes the receive buffer of its socket that small, starts
 * the senders, and prints each second what came, how many packets found no room, and how many CNPs
 * it has sent for that. {@code sender NUMBER PORT SECONDS} is a sender.
 */
public final class IncastProbe {
  private static final int MESSAGE = 1 << 16;
  private static final int OUTSTANDING = 16;
  private static final List<Counter> COLUMNS =
      List.of(
          Counter.BYTES_RECEIVED,
          Counter.PACKETS_RECEIVED,
          Counter.SOCKET_OVERFLOWS,
          Counter.CONGESTION_NOTIFICATIONS_SENT);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Runs the process with the given role. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int number = Integer.parseInt(args[1]);
    int other = Integer.parseInt(args[2]);
    int last = Integer.parseInt(args[3]);
    switch (args[0]) {
      case "receiver" -> receive(number, other, last);
      case "sender" -> send(number, other, last);
      default -> throw new IllegalArgumentException("no such role: " + args[0]);
    }
  }

  private static String device(int number) {
    return "soft:127.0.0." + (1 + number) + "?link=udp";
  }

  private static void receive(int senders, int seconds, int bytes)
      throws IOException, InterruptedException {
    List<Process> children = new ArrayList<>();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Context context = Devices.open(device(0));
        ConnectionListener listener = ConnectionListener.listen(anyPort)) {
      int buffer = ReceiveBufferNative.shrink(bytes);
      System.out.println("receive buffer: " + buffer + " bytes, " + senders + " senders");
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(1);
      for (int i = 1; i <= senders; i++) {
        children.add(startSender(i, listener.address().getPort(), seconds));
      }
      List<Connection> connections = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        MemoryRegion target = pd.allocMr(MESSAGE, LOCAL_WRITE, REMOTE_WRITE);
        ConnParam param = ConnParam.of(pd.createQp(QpInitAttr.rc(cq)), REMOTE_WRITE);
        connections.add(listener.getRequest(PATIENCE).accept(param.region(target)));
      }
      watch(context, children);
      connections.forEach(Connection::close);
    } finally {
      children.forEach(Process::destroyForcibly);
    }
  }

  private static Process startSender(int number, int port, int seconds) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            IncastProbe.class.getName(),
            "sender",
            Integer.toString(number),
            Integer.toString(port),
            Integer.toString(seconds))
        .inheritIO()
        .start();
  }

  /** Prints a line a second until the last sender has ended, and awaits the others. */
  private static void watch(Context context, List<Process> senders)
      throws IOException, InterruptedException {
    System.out.println("second   GB/s   packets  overflows  CNPs");
    long[] last = counts(context);
    long then = System.nanoTime();
    for (int second = 1; !senders.getLast().waitFor(1, TimeUnit.SECONDS); second++) {
      long[] counts = counts(context);
      long now = System.nanoTime();
      System.out.printf(
          "%6d %6.2f %9d %10d %5d%n",
          second,
          (double) (counts[0] - last[0]) / (now - then),
          counts[1] - last[1],
          counts[2] - last[2],
          counts[3] - last[3]);
      last = counts;
      then = now;
    }
    for (Process sender : senders) {
      if (sender.waitFor() != 0) {
        throw new IOException("a sender has failed");
      }
    }
  }

  private static long[] counts(Context context) {
    return COLUMNS.stream().mapToLong(context.counters()::get).toArray();
  }

  private static void send(int number, int port, int seconds) throws IOException {
    try (Context context = Devices.open(device(number))) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(OUTSTANDING);
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      MemoryRegion source = pd.allocMr(MESSAGE, LOCAL_WRITE);
      InetSocketAddress receiver = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      try (Connection connection = Connection.connect(receiver, ConnParam.of(qp))) {
        SendWr write =
            new SendWr()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(source.sge(MESSAGE, 0))
                .rkey(connection.region().rkey())
                .remoteAddr(connection.region().addr());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long sent = 0;
        for (int i = 0; i < OUTSTANDING; i++) {
          qp.postSend(write);
        }
        for (int outstanding = OUTSTANDING; outstanding > 0; sent++) {
          Completions.await(cq, PATIENCE);
          if (System.nanoTime() < end) {
            qp.postSend(write);
          } else {
            outstanding--;
          }
        }
        System.out.printf(
            "sender %d: %.2f GB/s, %d packets sent, %d again, %d CNPs, %d time-outs%n",
            number,
            sent * MESSAGE / (seconds * 1e9),
            context.counters().get(Counter.PACKETS_SENT),
            context.counters().get(Counter.RETRANSMITTED),
            context.counters().get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED),
            context.counters().get(Counter.TIMEOUTS));
      }
    }
  }

  private IncastProbe() {}
}
