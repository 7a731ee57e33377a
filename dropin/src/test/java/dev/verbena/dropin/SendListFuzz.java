package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAh;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;

/** Lists of struct ibv_send_wr; for bin/fuzz. */
public final class SendListFuzz extends ListFuzz {
  private final long qp;
  private final SendList list = new SendList();

  private SendListFuzz(long qp) {
    super(IbvSendWr.LAYOUT, IbvSendWr.NEXT);
    this.qp = qp;
  }

  /** See {@link ListFuzz}. */
  public static void fuzzerTestOneInput(byte[] data) {
    FuzzMemory memory = new FuzzMemory(data);
    new SendListFuzz(memory.oneIn(2) ? FuzzQueues.UD : FuzzQueues.RC).run(memory);
  }

  @Override
  void start() {
    FuzzQueues.start(qp);
    FuzzQueues.receive(qp);
  }

  @Override
  long post(long first, long bad) {
    return list.post(QpBinding.get(qp), first, bad);
  }

  @Override
  void fill(FuzzMemory memory, long wr) {
    int opcode = memory.oneIn(16) ? memory.nextInt() : memory.below(16);
    int flags = memory.oneIn(16) ? memory.nextInt() : memory.below(32);
    int elements = memory.count(FuzzQueues.MOST_SGE);
    Host.setLong(wr + IbvSendWr.WR_ID, memory.next());
    Host.setInt(wr + IbvSendWr.OPCODE, opcode);
    Host.setInt(wr + IbvSendWr.SEND_FLAGS, flags);
    Host.setInt(wr + IbvSendWr.NUM_SGE, elements);
    Host.setInt(wr + IbvSendWr.IMM_DATA, memory.nextInt());
    boolean inline = (flags & SendFlags.INLINE) != 0;
    Host.setLong(wr + IbvSendWr.SG_LIST, elements(memory, elements, inline));
    fillUnion(memory, wr, opcode);
  }

  private void fillUnion(FuzzMemory memory, long wr, int opcode) {
    if (QpBinding.get(qp).type() == QpType.UD) {
      Host.setLong(wr + IbvSendWr.WR_UD_AH, object(memory, IbvAh.LAYOUT.size(), IbvAh.HANDLE));
      int number = memory.nextInt();
      Host.setInt(wr + IbvSendWr.WR_UD_REMOTE_QPN, FuzzQueues.qpn(number));
      int qkey = memory.nextInt();
      Host.setInt(wr + IbvSendWr.WR_UD_REMOTE_QKEY, FuzzQueues.qkey(number, qkey));
    } else {
      FuzzRegions regions = FuzzQueues.REGIONS;
      long address = memory.nextLong();
      long operand = memory.nextLong();
      int key = memory.nextInt();
      Host.setLong(wr + IbvSendWr.WR_ATOMIC_COMPARE_ADD, operand);
      Host.setInt(wr + IbvSendWr.WR_ATOMIC_RKEY, regions.rkey(key));
      // What is an operand of an atomic has the key of other requests.
      int otherKey = (int) operand;
      Host.setInt(wr + IbvSendWr.WR_RDMA_RKEY, regions.rkey(otherKey));
      Host.setLong(
          wr + IbvSendWr.WR_ATOMIC_REMOTE_ADDR,
          regions.address(key, regions.address(otherKey, address)));
    }
    if (opcode == WrOpcode.TSO.number()) {
      int size = memory.below(FuzzQueues.MOST_TSO_HEADER + 4);
      long header = size > FuzzQueues.MOST_TSO_HEADER ? memory.wild() : memory.bytes(size);
      Host.setLong(wr + IbvSendWr.TSO_HDR, memory.oneIn(16) ? 0 : header);
      Host.setShort(wr + IbvSendWr.TSO_HDR_SZ, size);
      Host.setShort(wr + IbvSendWr.TSO_MSS, memory.next() | memory.next() << 8);
    } else if (opcode == WrOpcode.BIND_MW.number()) {
      Host.setLong(wr + IbvSendWr.BIND_MW_MW, object(memory, IbvMw.LAYOUT.size(), IbvMw.HANDLE));
      Host.setInt(wr + IbvSendWr.BIND_MW_RKEY, memory.nextInt());
      long mr = object(memory, IbvMr.LAYOUT.size(), IbvMr.HANDLE);
      Host.setLong(wr + IbvSendWr.BIND_MW_BIND_INFO_MR, mr);
      FuzzRegions regions = FuzzQueues.REGIONS;
      long address = memory.nextLong();
      long length = memory.nextLong();
      Host.setLong(wr + IbvSendWr.BIND_MW_BIND_INFO_ADDR, regions.address(length, address));
      Host.setLong(wr + IbvSendWr.BIND_MW_BIND_INFO_LENGTH, regions.length(length, length >>> 8));
      int access = memory.oneIn(4) ? memory.nextInt() : memory.below(32);
      Host.setInt(wr + IbvSendWr.BIND_MW_BIND_INFO_MW_ACCESS_FLAGS, access);
    }
  }

  /** The struct of an object, whose handle is that of some object or none, or null. */
  static long object(FuzzMemory memory, long size, long handleField) {
    if (memory.oneIn(8)) {
      return 0;
    }
    long struct = memory.zeros(size);
    Host.setInt(struct + handleField, FuzzQueues.handle(memory));
    return struct;
  }
}
