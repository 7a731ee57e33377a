package dev.verbena.interop;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Sends TCP streams by TSO, and frames whose checksums the device fills, from one end of a pair of
 * virtual interfaces to a device on the other end. {@code interop/frames} captures the frames and
 * compares them with the files of this program, which have each stream's bytes and are named by its
 * number.
 */
public final class FrameStreams {
  private static final int MEMORY = 1 << 20;
  private static final int RECEIVE = 2048;
  private static final int RECEIVES = 400;
  private static final int[] LENGTHS = {1, 99, 1000, 1001, 12_345, 60_000};
  private static final int[] SEGMENTS = {1000, 1399};
  private static final int FIN_PSH_ACK = 0x19;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final PrintStream out;
  private final Path folder;
  private final Station left;
  private final Station right;
  private int streams;
  private int frames;

  private FrameStreams(PrintStream out, Path folder, Station left, Station right) {
    this.out = out;
    this.folder = folder;
    this.left = left;
    this.right = right;
  }

  /**
   * Runs.
   *
   * @param args the interface that sends, the one at the other end, a folder for the streams
   */
  public static void main(String[] args) throws IOException {
    try (Context from = open("127.0.0.1", args[0]);
        Context to = open("127.0.0.2", args[1])) {
      new FrameStreams(System.out, Path.of(args[2]), Station.of(from), Station.of(to)).run();
    }
  }

  private static Context open(String address, String interfaceName) {
    return Devices.open(DeviceSpec.soft(address).link(LinkKind.PACKET).ether(interfaceName));
  }

  private void run() throws IOException {
    right.qp().createFlow(FlowAttr.normal(new FlowSpecEth().dstMac(right.mac())));
    for (int i = 0; i < RECEIVES; i++) {
      right.qp().postRecv(new RecvWr().wrId(i).sgList(right.mr().sge(RECEIVE, (long) i * RECEIVE)));
    }
    for (boolean ipv4 : new boolean[] {true, false}) {
      for (boolean tagged : new boolean[] {false, true}) {
        for (int mss : SEGMENTS) {
          for (int length : LENGTHS) {
            stream(ipv4, tagged, mss, length);
          }
        }
        for (int length : new int[] {0, 1, 31, 1400}) {
          datagram(ipv4, tagged, length);
        }
      }
    }
    out.println(streams + " streams, " + frames + " frames");
  }

  private void stream(boolean ipv4, boolean tagged, int mss, int length) throws IOException {
    byte[] data = new byte[length];
    new Random(streams).nextBytes(data);
    Files.write(folder.resolve(streams + ".bin"), data);
    MemorySegment.copy(data, 0, left.mr().memory(), ValueLayout.JAVA_BYTE, 0, length);
    byte[] tcp =
        ByteBuffer.allocate(20)
            .putShort((short) (10_000 + streams))
            .putShort((short) 20_000)
            .putInt(0xffff_f000)
            .putInt(1)
            .put((byte) 0x50)
            .put((byte) FIN_PSH_ACK)
            .putShort((short) 0x7fff)
            .putInt(0)
            .array();
    byte[] header = network(ipv4, tagged, 6, tcp);
    left.qp()
        .postSend(
            new SendWr()
                .opcode(WrOpcode.TSO)
                .sendFlags(SendFlags.SIGNALED)
                .tsoHdr(MemorySegment.ofArray(header))
                .mss(mss)
                .sgList(left.mr().sge(length, 0)));
    completion(left.cq());
    streams++;
    int expected = (length + mss - 1) / mss;
    for (int i = 0; i < expected; i++) {
      int payload = Math.min(mss, length - i * mss);
      received(Math.max(60, header.length + payload), ipv4);
    }
  }

  private void datagram(boolean ipv4, boolean tagged, int length) {
    byte[] udp =
        ByteBuffer.allocate(8 + length)
            .putShort((short) 30_000)
            .putShort((short) 30_001)
            .putShort((short) (8 + length))
            .array();
    byte[] frame = network(ipv4, tagged, 17, udp);
    MemorySegment.copy(frame, 0, left.mr().memory(), ValueLayout.JAVA_BYTE, 0, frame.length);
    left.qp()
        .postSend(
            new SendWr()
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED | SendFlags.IP_CSUM)
                .sgList(left.mr().sge(frame.length, 0)));
    completion(left.cq());
    received(Math.max(60, frame.length), ipv4);
  }

  private void received(int length, boolean ipv4) {
    WorkCompletion wc = completion(right.cq());
    int flags = ipv4 ? WcFlags.IP_CSUM_OK : 0;
    if (wc.byteLen() != length || wc.wcFlags() != flags) {
      throw new IllegalStateException(
          "frame " + frames + ": " + wc + ", expected " + length + " bytes and flags " + flags);
    }
    long slot = wc.wrId();
    right.qp().postRecv(new RecvWr().wrId(slot).sgList(right.mr().sge(RECEIVE, slot * RECEIVE)));
    frames++;
  }

  private byte[] network(boolean ipv4, boolean tagged, int protocol, byte[] upper) {
    ByteBuffer frame = ByteBuffer.allocate(58 + upper.length);
    frame.put(right.mac().toBytes()).put(left.mac().toBytes());
    if (tagged) {
      frame.putShort((short) 0x8100).putShort((short) 0x2007);
    }
    if (ipv4) {
      frame.putShort((short) 0x0800).putShort((short) 0x4500);
      frame.putShort((short) (20 + upper.length)).putShort((short) (streams * 100));
      frame.putShort((short) 0x4000).put((byte) 64).put((byte) protocol).putShort((short) 0);
      frame.putInt(0xc000_0201).putInt(0xc000_0202);
    } else {
      frame.putShort((short) 0x86dd).putInt(0x6000_0000);
      frame.putShort((short) upper.length).put((byte) protocol).put((byte) 64);
      frame.putLong(0x2001_0db8_0000_0000L).putLong(1);
      frame.putLong(0x2001_0db8_0000_0000L).putLong(2);
    }
    frame.put(upper).flip();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  private WorkCompletion completion(CompletionQueue cq) {
    WorkCompletion wc = new WorkCompletion();
    long start = System.nanoTime();
    while (!cq.poll(wc)) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException("no completion behind frame " + frames);
      }
      Thread.onSpinWait();
    }
    if (!wc.isSuccess()) {
      throw new IllegalStateException("failed behind frame " + frames + ": " + wc);
    }
    return wc;
  }

  /** A RAW_PACKET queue pair in RTS, with its objects. */
  private record Station(MacAddress mac, CompletionQueue cq, MemoryRegion mr, QueuePair qp) {
    static Station of(Context context) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(2 * RECEIVES);
      QueuePair qp =
          pd.createQp(
              new QpInitAttr(QpType.RAW_PACKET)
                  .sendCq(cq)
                  .recvCq(cq)
                  .maxRecvWr(RECEIVES)
                  .maxTsoHeader(128)
                  .sendOps(SendOps.SEND | SendOps.TSO));
      qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1));
      qp.modify(new QpAttr().qpState(QpState.RTR));
      qp.modify(new QpAttr().qpState(QpState.RTS));
      MemoryRegion mr = pd.allocMr(MEMORY, Access.LOCAL_WRITE);
      return new Station(context.queryMac(1), cq, mr, qp);
    }
  }
}
