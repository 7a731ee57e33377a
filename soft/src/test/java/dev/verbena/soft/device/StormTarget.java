package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.RocePorts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A device over UDP, and a plain socket that sends it datagrams, as its peer or as a stranger. Its
 * queue pair has receives posted and requests under way. Valid packets may change one half of its
 * memory, but no packet may change the other half, whose key is not in use.
 */
final class StormTarget implements AutoCloseable {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final int ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
  private static final long DEADLINE_NANOS = 10_000_000_000L;

  private static final int PEER_QPN = 0x1234;
  private static final int PEER_PSN = 0x00ff_fff0;
  private static final int HALF = 4096;

  /** The largest size of the headers in bytes; their bytes are changed one at a time. */
  static final int HEADERS = 44;

  /** Datagrams in flight with changes after the headers; any socket buffer has room for these. */
  private static final int MOST_IN_FLIGHT = 32;

  private static final int BTH = 12;
  private static final int RKEY = 20;

  private final Context context;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final ProtectionDomain pd;
  private final MemoryRegion mr;
  private final byte[] secret;
  private final DatagramSocket socket;
  private final DatagramPacket datagram;
  private final QpEndpoint peer;
  private final WorkCompletion wc = new WorkCompletion();
  private long sent;
  private int revivals;

  private StormTarget(
      Context context, InetAddress device, InetAddress peerAddress, DatagramSocket socket) {
    this.context = context;
    this.socket = socket;
    datagram = new DatagramPacket(new byte[0], 0, device, RocePorts.UDP_PORT);
    peer = new QpEndpoint(PEER_QPN, PEER_PSN, Gid.of(peerAddress), 0, Mtu.MTU_1024);
    pd = context.allocPd();
    cq = context.createCq(256);
    qp = pd.createQp(QpInitAttr.rc(cq));
    mr = pd.allocMr(2 * HALF, Access.LOCAL_WRITE, ACCESS);
    byte[] pattern = new byte[2 * HALF];
    new Random(1).nextBytes(pattern);
    mr.memory().copyFrom(MemorySegment.ofArray(pattern));
    secret = secret();
    arm();
  }

  /**
   * Opens one.
   *
   * @param options of the device, each with a leading ampersand
   * @param fromPeer whether the datagrams come from the address of the connected peer
   */
  static StormTarget open(String options, boolean fromPeer) throws IOException {
    String device = nextAddress();
    InetAddress peerAddress = InetAddress.getByName(nextAddress());
    InetAddress from = fromPeer ? peerAddress : InetAddress.getByName(nextAddress());
    DatagramSocket socket = new DatagramSocket(RocePorts.UDP_PORT, from);
    Context context = null;
    try {
      context = Devices.open("soft:" + device + "?link=udp" + options);
      return new StormTarget(context, InetAddress.getByName(device), peerAddress, socket);
    } catch (RuntimeException | Error failure) {
      if (context != null) {
        context.close();
      }
      socket.close();
      throw failure;
    }
  }

  private static String nextAddress() {
    return "127.202." + (ProcessHandle.current().pid() & 0xff) + "." + NEXT.incrementAndGet();
  }

  /**
   * A sample addressed to the queue pair, with the PSN that it expects. If the sample names memory,
   * it names the half that must not change, by a key in which every byte is wrong.
   */
  byte[] aimed(byte[] sample) {
    byte[] bytes = sample.clone();
    ByteBuffer numbers = ByteBuffer.wrap(bytes);
    int opcode = bytes[0];
    boolean response = opcode >= 0x0d && opcode <= 0x12;
    int psn = response ? qp.endpoint().psn() : PEER_PSN;
    numbers.putInt(4, (numbers.getInt(4) & 0xff00_0000) | qp.qpNum());
    numbers.putInt(8, (numbers.getInt(8) & 0xff00_0000) | psn);
    switch (opcode) {
      case 0x06, 0x0a, 0x0b, 0x0c, 0x13, 0x14 ->
          numbers.putLong(BTH, mr.addr() + HALF).putInt(RKEY, ~mr.rkey());
      default -> {}
    }
    return bytes;
  }

  /** Sends a datagram, and returns once the device has processed it. */
  void arrives(byte[] bytes) throws IOException {
    arrives(bytes, 0);
  }

  /**
   * Sends a datagram; if its headers were changed, returns once the device has processed it.
   *
   * @param changedAt offset of the change
   */
  void arrives(byte[] bytes, int changedAt) throws IOException {
    datagram.setData(bytes);
    socket.send(datagram);
    sent++;
    if (changedAt < HEADERS || sent % MOST_IN_FLIGHT == 0) {
      settle();
    }
  }

  /** Waits until everything has arrived; makes the queue pair ready for more. */
  private void settle() {
    await(
        "the device to receive " + sent + " datagrams",
        () -> {
          drain();
          return count(Counter.PACKETS_RECEIVED) >= sent;
        });
    if (qp.query(QpAttrMask.STATE).qpState() != QpState.RTS) {
      revivals++;
      qp.modify(new QpAttr().qpState(QpState.RESET));
      drain();
      arm();
    }
  }

  private void arm() {
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(ACCESS));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(peer))
            .pathMtu(peer.mtu())
            .destQpNum(peer.qpNum())
            .rqPsn(peer.psn())
            .maxDestRdAtomic(4)
            .minRnrTimer(12));
    // The requests are never answered, and must not time out.
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(0)
            .retryCnt(7)
            .rnrRetry(7)
            .sqPsn(qp.endpoint().psn())
            .maxRdAtomic(4));
    qp.postRecv(new RecvWr().sgList(mr.sge(HALF / 2, 0)));
    post(qp, WrOpcode.SEND, mr, 0, null);
    post(qp, WrOpcode.RDMA_READ, mr, HALF / 2, mr);
    post(qp, WrOpcode.RDMA_WRITE, mr, 0, mr);
  }

  private static void post(
      QueuePair qp,
      WrOpcode opcode,
      MemoryRegion local,
      long offset,
      @Nullable MemoryRegion remote) {
    SendWr wr = new SendWr().opcode(opcode).sendFlags(SendFlags.SIGNALED);
    if (remote != null) {
      wr.rkey(remote.rkey()).remoteAddr(remote.addr());
    }
    qp.postSend(wr.sgList(local.sge(1000, offset)));
  }

  private void drain() {
    boolean more = cq.poll(wc);
    while (more) {
      more = cq.poll(wc);
    }
  }

  /** How often the queue pair had to be taken out of the error state. */
  int revivals() {
    return revivals;
  }

  /** Datagrams sent. */
  long sent() {
    return sent;
  }

  long count(Counter counter) {
    return context.counters().get(counter);
  }

  /** Checks that none of these counters is 0. */
  void assertCounted(Counter... counters) {
    settle();
    for (Counter counter : counters) {
      assertThat(count(counter)).as(counter.key()).isPositive();
    }
    assertThat(count(Counter.PACKETS_RECEIVED)).isEqualTo(sent);
  }

  /** Checks that the half of the memory that no valid packet names is unchanged. */
  void assertUnharmed() {
    settle();
    assertThat(Arrays.mismatch(secret(), secret)).as("first byte that changed").isEqualTo(-1);
  }

  private byte[] secret() {
    return mr.memory().asSlice(HALF, HALF).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Checks that another device can write to and read from a new queue pair, which no thread polls.
   */
  void assertServes() {
    try (Context other = Devices.open("soft:" + nextAddress() + "?link=udp")) {
      CompletionQueue otherCq = other.createCq(16);
      ProtectionDomain otherPd = other.allocPd();
      QueuePair client = otherPd.createQp(QpInitAttr.rc(otherCq));
      MemoryRegion clientMr = otherPd.allocMr(2000, Access.LOCAL_WRITE);
      clientMr.memory().asSlice(0, 1000).fill((byte) 7);
      QueuePair server = pd.createQp(QpInitAttr.rc(cq));
      MemoryRegion serverMr = pd.allocMr(1000, Access.LOCAL_WRITE, ACCESS);
      server.connect(client.endpoint(), ACCESS);
      client.connect(server.endpoint());

      post(client, WrOpcode.RDMA_WRITE, clientMr, 0, serverMr);
      post(client, WrOpcode.RDMA_READ, clientMr, 1000, serverMr);
      for (int i = 0; i < 2; i++) {
        await("a completion", () -> otherCq.poll(wc));
        assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
      }
      assertThat(serverMr.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
      assertThat(clientMr.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
      server.close();
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE_NANOS) {
        throw new AssertionError("waited in vain for " + what);
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    socket.close();
    context.close();
  }
}
