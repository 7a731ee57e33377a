package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvMwBind;
import dev.verbena.rdmacore.layout.IbvParentDomainInitAttr;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.IbvTdInitAttr;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests regions, windows, address handles and their domains. */
final class MemoryVerbsTest {
  private static final int LENGTH = 64;
  private static final int QKEY = 0x11111111;
  private static final CLibraryNative LIBC = CLibraryNative.libc();

  private final Program program = new Program();
  private final long context = program.context();

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void aRegionSaysWhereItIsAndHasKeys() {
    long memory = program.memory(LENGTH);
    long mr =
        program.made(
            Verbs.call("ibv_reg_mr", program.pd(), memory, LENGTH, Access.LOCAL_WRITE),
            "ibv_dereg_mr");
    assertThat(Host.getLong(mr + IbvMr.ADDR)).isEqualTo(memory);
    assertThat(Host.getLong(mr + IbvMr.LENGTH)).isEqualTo(LENGTH);
    assertThat(Host.getLong(mr + IbvMr.PD)).isEqualTo(program.pd());
    assertThat(Host.getLong(mr + IbvMr.CONTEXT)).isEqualTo(context);
    assertThat(Program.lkey(mr)).isNotZero();
  }

  @Test
  void memoryThatIsNotThereIsEfault() {
    long gone = LIBC.call("mmap", 0, 8192, 3, 0x22, -1, 0);
    LIBC.call("munmap", gone, 8192);
    assertThat(Verbs.call("ibv_reg_mr", program.pd(), gone, 8192, Access.LOCAL_WRITE)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EFAULT);
  }

  @Test
  void memoryThatCannotBeWrittenIsEfaultOnlyForWriting() {
    long readable = LIBC.call("mmap", 0, 4096, 1, 0x22, -1, 0);
    assertThat(Verbs.call("ibv_reg_mr", program.pd(), readable, 4096, Access.LOCAL_WRITE)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EFAULT);
    program.made(Verbs.call("ibv_reg_mr", program.pd(), readable, 4096, 0), "ibv_dereg_mr");
  }

  @Test
  void rangesThatCannotBeAreRefused() {
    assertThat(Verbs.call("ibv_reg_mr", program.pd(), program.memory(8), 0, 0)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    for (long address : new long[] {-4096, 0}) {
      assertThat(Verbs.call("ibv_reg_mr", program.pd(), address, 8192, 0)).isZero();
      assertThat(Verbs.errno()).isEqualTo(Errno.EFAULT);
    }
  }

  @Test
  void remoteWritingNeedsLocalWriting() {
    long memory = program.memory(LENGTH);
    assertThat(Verbs.call("ibv_reg_mr", program.pd(), memory, LENGTH, Access.REMOTE_WRITE))
        .isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void theRightToFlushToPersistenceIsUnsupportedAsTheCapabilitiesSay() {
    int access = Access.LOCAL_WRITE | Access.FLUSH_PERSISTENT;
    long memory = program.memory(LENGTH);
    assertThat(Verbs.call("ibv_reg_mr", program.pd(), memory, LENGTH, access)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);

    long mr = program.mr(LENGTH, Access.LOCAL_WRITE);
    int refused = Verbs.callInt("ibv_rereg_mr", mr, ReregFlags.CHANGE_ACCESS, 0, 0, 0, access);
    assertThat(refused).isNotZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void aRegionMovesToOtherMemory() {
    long mr = program.mr(LENGTH, Access.LOCAL_WRITE);
    long other = program.memory(2 * LENGTH);
    int flags = ReregFlags.CHANGE_TRANSLATION;
    assertThat(Verbs.callInt("ibv_rereg_mr", mr, flags, 0, other, 2 * LENGTH, 0)).isZero();
    assertThat(Host.getLong(mr + IbvMr.ADDR)).isEqualTo(other);
    assertThat(Host.getLong(mr + IbvMr.LENGTH)).isEqualTo(2 * LENGTH);
    assertThat(Verbs.callInt("ibv_rereg_mr", mr, flags, 0, 0, 0, 0)).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void rightsThatAreNotToBeChangedAreNoneToBeGiven() {
    long mr = program.mr(LENGTH, Access.LOCAL_WRITE);
    long other = program.memory(LENGTH);
    int moves = ReregFlags.CHANGE_TRANSLATION;
    assertThat(Verbs.callInt("ibv_rereg_mr", mr, moves, 0, other, LENGTH, Access.LOCAL_WRITE))
        .isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(mr + IbvMr.ADDR)).isNotEqualTo(other);
    assertThat(Verbs.callInt("ibv_rereg_mr", mr, 1 << 3, 0, 0, 0, 0)).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    int rights = ReregFlags.CHANGE_ACCESS;
    assertThat(Verbs.callInt("ibv_rereg_mr", mr, rights, 0, 0, 0, Access.REMOTE_READ)).isZero();
  }

  @Test
  void otherAddressesOfARegionBeginAtTheSamePlaceWithinAPage() {
    long memory = program.memory(LENGTH);
    long elsewhere = memory ^ 1L << 40;
    long pd = program.pd();
    program.made(Verbs.call("ibv_reg_mr_iova", pd, memory, LENGTH, elsewhere, 0), "ibv_dereg_mr");
    for (String verb : new String[] {"ibv_reg_mr_iova", "ibv_reg_mr_iova2"}) {
      assertThat(Verbs.call(verb, pd, memory, LENGTH, elsewhere + 8, 0)).isZero();
      assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  void theNullRegionIsAllMemoryAndNone() {
    long mr = Verbs.operation(context, VerbsContext.ALLOC_NULL_MR, program.pd());
    assertThat(mr).isNotZero();
    assertThat(Program.lkey(mr)).isNotZero();
    assertThat(Verbs.callInt("ibv_dereg_mr", mr)).isZero();
  }

  @Test
  void aWindowOfTheFirstTypeIsBoundByAFunctionAndGetsAnotherKey() {
    long cq = program.cq(16);
    long qp = connected(cq);
    long mr = program.mr(LENGTH, Access.LOCAL_WRITE | Access.MW_BIND);
    long mw = allocMw(MwType.TYPE_1);
    int before = Host.getInt(mw + IbvMw.RKEY);
    long bind = program.struct(IbvMwBind.LAYOUT);
    Host.setLong(bind + IbvMwBind.WR_ID, 5);
    Host.setInt(bind + IbvMwBind.SEND_FLAGS, SendFlags.SIGNALED);
    Host.setLong(bind + IbvMwBind.BIND_INFO_MR, mr);
    Host.setLong(bind + IbvMwBind.BIND_INFO_ADDR, Program.addr(mr));
    Host.setLong(bind + IbvMwBind.BIND_INFO_LENGTH, LENGTH);
    Host.setInt(bind + IbvMwBind.BIND_INFO_MW_ACCESS_FLAGS, Access.REMOTE_WRITE);

    assertThat((int) Verbs.inline(context, IbvContext.OPS_BIND_MW, qp, mw, 0))
        .isEqualTo(Errno.EINVAL);
    assertThat((int) Verbs.inline(context, IbvContext.OPS_BIND_MW, qp, mw, bind)).isZero();

    program.succeeded(cq, 5);
    assertThat(Host.getInt(mw + IbvMw.RKEY)).isNotEqualTo(before);
    assertThat(Verbs.callInt("ibv_dereg_mr", mr)).isEqualTo(Errno.EBUSY);
    deallocMw(mw);
  }

  @Test
  void aWindowOfTheSecondTypeIsBoundByARequestToTheKeyThatTheProgramChose() {
    long cq = program.cq(16);
    long qp = connected(cq);
    long mr = program.mr(LENGTH, Access.LOCAL_WRITE | Access.MW_BIND);
    long mw = allocMw(MwType.TYPE_2);
    int key = Host.getInt(mw + IbvMw.RKEY) + 1;
    long wr = program.sendWr(6, WrOpcode.BIND_MW.number(), SendFlags.SIGNALED, 0);
    Host.setLong(wr + IbvSendWr.BIND_MW_MW, mw);
    Host.setInt(wr + IbvSendWr.BIND_MW_RKEY, key);
    Host.setLong(wr + IbvSendWr.BIND_MW_BIND_INFO_MR, mr);
    Host.setLong(wr + IbvSendWr.BIND_MW_BIND_INFO_ADDR, Program.addr(mr));
    Host.setLong(wr + IbvSendWr.BIND_MW_BIND_INFO_LENGTH, LENGTH);
    Host.setInt(wr + IbvSendWr.BIND_MW_BIND_INFO_MW_ACCESS_FLAGS, Access.REMOTE_WRITE);
    assertThat(program.postSend(qp, wr, program.memory(8))).isZero();
    program.succeeded(cq, 6);

    Host.setLong(Program.addr(mr), 0x1122334455667788L);
    long write =
        program.sendWr(7, WrOpcode.RDMA_WRITE.number(), SendFlags.SIGNALED, program.sge(mr, 0, 8));
    Host.setLong(write + IbvSendWr.WR_RDMA_REMOTE_ADDR, Program.addr(mr) + 8);
    Host.setInt(write + IbvSendWr.WR_RDMA_RKEY, key);
    assertThat(program.postSend(qp, write, program.memory(8))).isZero();
    program.succeeded(cq, 7);
    assertThat(Host.getLong(Program.addr(mr) + 8)).isEqualTo(0x1122334455667788L);
    deallocMw(mw);
  }

  private long connected(long cq) {
    long qp = program.qp(QpType.RC, cq);
    program.connect(qp, qp);
    return qp;
  }

  private long allocMw(MwType type) {
    long mw = Verbs.inline(context, IbvContext.OPS_ALLOC_MW, program.pd(), type.number());
    assertThat(mw).isNotZero();
    assertThat(Host.getInt(mw + IbvMw.TYPE)).isEqualTo(type.number());
    return mw;
  }

  private void deallocMw(long mw) {
    assertThat((int) Verbs.inline(context, IbvContext.OPS_DEALLOC_MW, mw)).isZero();
  }

  @Test
  void aParentDomainStandsForADomainAndAThread() {
    long tdAttr = program.struct(IbvTdInitAttr.LAYOUT);
    long td = Verbs.operation(context, VerbsContext.ALLOC_TD, context, tdAttr);
    assertThat(td).isNotZero();
    long attr = program.struct(IbvParentDomainInitAttr.LAYOUT);
    Host.setLong(attr + IbvParentDomainInitAttr.PD, program.pd());
    Host.setLong(attr + IbvParentDomainInitAttr.TD, td);
    long parent = Verbs.operation(context, VerbsContext.ALLOC_PARENT_DOMAIN, context, attr);
    assertThat(parent).isNotZero();
    assertThat(deallocTd(td)).isEqualTo(Errno.EBUSY);
    long memory = program.memory(LENGTH);
    long mr = Verbs.call("ibv_reg_mr", parent, memory, LENGTH, Access.LOCAL_WRITE);
    assertThat(mr).isNotZero();
    assertThat(Verbs.callInt("ibv_dereg_mr", mr)).isZero();
    assertThat(Verbs.callInt("ibv_dealloc_pd", parent)).isZero();
    assertThat(deallocTd(td)).isZero();
  }

  private int deallocTd(long td) {
    return (int) Verbs.operation(context, VerbsContext.DEALLOC_TD, td);
  }

  @Test
  void aParentDomainNeedsADomain() {
    long attr = program.struct(IbvParentDomainInitAttr.LAYOUT);
    assertThat(Verbs.operation(context, VerbsContext.ALLOC_PARENT_DOMAIN, context, attr)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void anAddressHandleIsMadeOfARoute() {
    long attr = program.struct(IbvAhAttr.LAYOUT);
    program.route(attr);
    program.made(Verbs.call("ibv_create_ah", program.pd(), attr), "ibv_destroy_ah");
    Host.setByte(attr + IbvAhAttr.PORT_NUM, 9);
    assertThat(Verbs.call("ibv_create_ah", program.pd(), attr)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void anAddressHandleIsMadeOfACompletionForTheWayBack() {
    long cq = program.cq(16);
    long ud = program.qp(QpType.UD, cq);
    program.udToRts(ud, QKEY);
    long attr = program.struct(IbvAhAttr.LAYOUT);
    program.route(attr);
    long ah = program.made(Verbs.call("ibv_create_ah", program.pd(), attr), "ibv_destroy_ah");
    long mr = program.mr(2 * LENGTH, Access.LOCAL_WRITE);
    long bad = program.memory(8);
    assertThat(program.postRecv(ud, program.recvWr(1, program.sge(mr, 0, LENGTH)), bad)).isZero();
    long send = program.sendWr(2, WrOpcode.SEND.number(), 0, program.sge(mr, LENGTH, 8));
    Host.setLong(send + IbvSendWr.WR_UD_AH, ah);
    Host.setInt(send + IbvSendWr.WR_UD_REMOTE_QPN, Program.qpNum(ud));
    Host.setInt(send + IbvSendWr.WR_UD_REMOTE_QKEY, QKEY);
    assertThat(program.postSend(ud, send, bad)).isZero();
    long wc = program.succeeded(cq, 1);
    long grh = Program.addr(mr);
    // Programs pass completions in which only the required fields are filled in.
    Host.setInt(wc + IbvWc.STATUS, -1);
    Host.setInt(wc + IbvWc.OPCODE, -1);

    long back = program.struct(IbvAhAttr.LAYOUT);
    assertThat(Verbs.callInt("ibv_init_ah_from_wc", context, 1, wc, grh, back)).isZero();
    assertThat(Structs.ahAttr(back).dgid()).isEqualTo(Structs.ahAttr(attr).dgid());
    program.made(Verbs.call("ibv_create_ah_from_wc", program.pd(), wc, grh, 1), "ibv_destroy_ah");
    assertThat(Verbs.callInt("ibv_init_ah_from_wc", context, 9, wc, grh, back)).isEqualTo(-1);
  }

  @Test
  void memoryOfAnotherDeviceIsUnsupported() {
    long memory = program.memory(LENGTH);
    assertThat(Verbs.call("ibv_reg_dmabuf_mr", program.pd(), 0, LENGTH, memory, 3, 0)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }
}
