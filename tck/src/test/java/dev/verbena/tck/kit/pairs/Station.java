package dev.verbena.tck.kit.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/**
 * A device on the Ethernet segment of this process, with a RAW_PACKET queue pair in RTS. The first
 * half of its memory is for sends, the second for receives.
 *
 * @param end the queue pair and what belongs to it
 * @param mac the device's address
 */
public record Station(QpEnd end, MacAddress mac) implements AutoCloseable {
  /** The lock of tests that send or receive on the segment, which is one for the whole process. */
  public static final String SEGMENT = "the Ethernet segment of this process";

  public static final int MAX_TSO_HEADER = 128;

  /** Bytes of one half of the memory. */
  public static final int HALF = 512 << 10;

  private static final int SLOT = 16 << 10;

  /** A station without rules. */
  public static Station open() {
    Context context = Devices.open(TckLink.firstOnEthernet().device());
    return new Station(newEnd(context, context.allocPd()), TckLink.mac(context));
  }

  /** One more queue pair of the same device. */
  public Station another() {
    return new Station(newEnd(end.context(), end.pd()), mac);
  }

  private static QpEnd newEnd(Context context, ProtectionDomain pd) {
    CompletionQueue sendCq = context.createCq(256);
    CompletionQueue recvCq = context.createCq(256);
    QpInitAttr attr =
        new QpInitAttr(QpType.RAW_PACKET)
            .sendCq(sendCq)
            .recvCq(recvCq)
            .cap(new QpCap(64, 64, 4, 4, 128))
            .maxTsoHeader(MAX_TSO_HEADER)
            .sendOps(SendOps.SEND | SendOps.TSO);
    QpEnd end =
        new QpEnd(
            context,
            pd,
            sendCq,
            recvCq,
            pd.createQpEx(attr),
            pd.allocMr(2L * HALF, Access.LOCAL_WRITE));
    toRts(end.qp());
    return end;
  }

  /** Takes a RAW_PACKET queue pair from RESET to RTS. */
  public static void toRts(QueuePair qp) {
    qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1));
    qp.modify(new QpAttr().qpState(QpState.RTR));
    qp.modify(new QpAttr().qpState(QpState.RTS));
  }

  /** Adds a rule for frames to this device's address, and posts receives. */
  public Station listening(int receives) {
    flow(FlowAttr.normal(new FlowSpecEth().dstMac(mac)));
    post(receives);
    return this;
  }

  /** Adds a rule. */
  public Flow flow(FlowAttr attr) {
    return end.qp().createFlow(attr);
  }

  /** Posts this number of receives of 16 KiB, numbered from 0. */
  public Station post(int receives) {
    for (int i = 0; i < receives; i++) {
      end.postRecv(i, end.sge(HALF + i * (long) SLOT, SLOT));
    }
    return this;
  }

  /** A signaled SEND of these bytes, which are copied to the memory. */
  public SendWr frame(long wrId, byte[] bytes) {
    end.put(0, bytes);
    return SendWrs.send(wrId, end.sge(0, bytes.length));
  }

  /** Sends a frame, and waits until that is done. */
  public void send(byte[] bytes) {
    send(bytes, 0);
  }

  /** As {@link #send(byte[])} with more flags. */
  public void send(byte[] bytes, int flags) {
    end.qp().postSend(frame(7, bytes).sendFlags(SendFlags.SIGNALED | flags));
    assertThat(end.sent(7).opcode()).isEqualTo(WcOpcode.SEND);
  }

  /** A signaled TSO request of bytes of the first half of the memory. */
  public SendWr tso(long wrId, byte[] header, int mss, int length) {
    return new SendWr()
        .wrId(wrId)
        .opcode(WrOpcode.TSO)
        .sendFlags(SendFlags.SIGNALED)
        .tsoHdr(MemorySegment.ofArray(header))
        .mss(mss)
        .sgList(end.sge(0, length));
  }

  /** Waits for the frame of this receive, and returns its bytes. */
  public byte[] received(int wrId) {
    return bytes(end.received(wrId));
  }

  /** The bytes of the frame of a receive. */
  public byte[] bytes(WorkCompletion wc) {
    return end.bytes(HALF + wc.wrId() * SLOT, wc.byteLen());
  }

  @Override
  public void close() {
    end.context().close();
  }
}
