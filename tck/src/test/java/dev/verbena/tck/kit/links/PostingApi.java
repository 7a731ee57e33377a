package dev.verbena.tck.kit.links;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/** The two ways to post send work requests. */
public enum PostingApi {
  /** ibv_post_send. */
  POST_SEND {
    @Override
    public void post(QueuePairEx qp, SendWr list) {
      qp.postSend(list);
    }
  },
  /** ibv_wr_*: the list in one batch. */
  WR {
    @Override
    public void post(QueuePairEx qp, SendWr list) {
      qp.wrStart();
      for (SendWr wr = list; wr != null; wr = wr.next()) {
        build(qp, wr);
      }
      qp.wrComplete();
    }
  };

  /** Posts a list of work requests. */
  public abstract void post(QueuePairEx qp, SendWr list);

  /** Builds one work request inside a batch. */
  public static void build(QueuePairEx qp, SendWr wr) {
    qp.wrId(wr.wrId()).wrFlags(wr.sendFlags() & ~SendFlags.INLINE);
    WrOpcode opcode = Objects.requireNonNull(wr.opcode());
    switch (opcode) {
      case SEND -> qp.wrSend();
      case SEND_WITH_IMM -> qp.wrSendImm(wr.immData());
      case RDMA_WRITE -> qp.wrRdmaWrite(wr.rkey(), wr.remoteAddr());
      case RDMA_WRITE_WITH_IMM -> qp.wrRdmaWriteImm(wr.rkey(), wr.remoteAddr(), wr.immData());
      case RDMA_READ -> qp.wrRdmaRead(wr.rkey(), wr.remoteAddr());
      case ATOMIC_CMP_AND_SWP ->
          qp.wrAtomicCmpSwp(wr.rkey(), wr.remoteAddr(), wr.compareAdd(), wr.swap());
      case ATOMIC_FETCH_AND_ADD -> qp.wrAtomicFetchAdd(wr.rkey(), wr.remoteAddr(), wr.compareAdd());
      case FLUSH ->
          qp.wrFlush(wr.rkey(), wr.remoteAddr(), wr.flushLength(), wr.flushType(), wr.flushLevel());
      case BIND_MW ->
          qp.wrBindMw(
              Objects.requireNonNull(wr.mw()),
              wr.bindRkey(),
              Objects.requireNonNull(wr.bindInfo()));
      case LOCAL_INV -> qp.wrLocalInv(wr.invalidateRkey());
      case SEND_WITH_INV -> qp.wrSendInv(wr.invalidateRkey());
      case TSO -> qp.wrSendTso(Objects.requireNonNull(wr.tsoHdr()), wr.mss());
      default -> throw new IllegalArgumentException("no test posts " + opcode + " this way");
    }
    AddressHandle ah = wr.ah();
    if (ah != null) {
      qp.wrSetUdAddr(ah, wr.remoteQpn(), wr.remoteQkey());
    }
    if (qp.qpType() == QpType.XRC_SEND && !isLocal(opcode)) {
      qp.wrSetXrcSrqn(wr.remoteSrqn());
    }
    if (opcode.uses(SendWrField.SG_LIST)) {
      setData(qp, wr);
    }
  }

  private static boolean isLocal(WrOpcode opcode) {
    return opcode == WrOpcode.BIND_MW || opcode == WrOpcode.LOCAL_INV;
  }

  private static MemorySegment inlineData(Sge sge) {
    return Objects.requireNonNull(sge.segment()).asSlice(sge.segmentOffset(), sge.length());
  }

  private static void setData(QueuePairEx qp, SendWr wr) {
    if ((wr.sendFlags() & SendFlags.INLINE) != 0) {
      qp.wrSetInlineDataList(
          Arrays.stream(wr.sgList(), 0, wr.numSge())
              .map(PostingApi::inlineData)
              .toArray(MemorySegment[]::new));
    } else {
      qp.wrSetSgeList(wr.numSge(), wr.sgList());
    }
  }
}
