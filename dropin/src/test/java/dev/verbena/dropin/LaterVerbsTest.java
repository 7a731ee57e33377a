package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvParentDomainInitAttr;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests functions that releases of rdma-core after 44 have added, called as by programs with their
 * headers.
 */
final class LaterVerbsTest {
  private static final int PAGE = 4096;

  /** Size of struct ibv_mr_init_attr, and the bits of comp_mask. */
  private static final long ATTR_SIZE = 72;

  private static final long LENGTH = 0;
  private static final long ACCESS = 8;
  private static final long COMP_MASK = 16;
  private static final long IOVA = 24;
  private static final long ADDR = 32;
  private static final long BUF = 64;
  private static final int GIVES_IOVA = 1;
  private static final int GIVES_ADDR = 1 << 1;
  private static final int GIVES_FD = 1 << 2;
  private static final int GIVES_FD_OFFSET = 1 << 3;
  private static final int GIVES_DMAH = 1 << 4;
  private static final int GIVES_BUF = 1 << 5;

  private static final int ALLOW_CC_UNPROTECTED_ALLOC = 1 << 2;

  private final Program program = new Program();
  private final long pd = program.pd();
  private final long out = program.memory(Long.BYTES);

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void theRegionOfABufferIsMemoryThatPeersReach() {
    long addr = allocBuf(pd, 2 * PAGE);
    long buf = Host.getLong(out);
    assertThat(addr % PAGE).isZero();
    int access = Access.LOCAL_WRITE | Access.REMOTE_WRITE;
    long from = dereg(Verbs.call("ibv_reg_buf_mr", pd, buf, addr, PAGE, access));
    long to = dereg(Verbs.call("ibv_reg_buf_mr", pd, buf, addr + PAGE, PAGE, access));
    assertThat(Host.getLong(to + IbvMr.ADDR)).isEqualTo(addr + PAGE);
    assertThat(Host.getLong(to + IbvMr.LENGTH)).isEqualTo(PAGE);

    Host.setLong(addr, 0x1122334455667788L);
    write(from, addr + PAGE, Program.rkey(to));
    assertThat(Host.getLong(addr + PAGE)).isEqualTo(0x1122334455667788L);
  }

  @Test
  void aRegionIsWithinItsBufferAndOfTheDomainOfTheBuffer() {
    long addr = allocBuf(pd, PAGE);
    long buf = Host.getLong(out);
    long other = program.made(Verbs.call("ibv_alloc_pd", program.context()), "ibv_dealloc_pd");
    assertRefused(Errno.EINVAL, Verbs.call("ibv_reg_buf_mr", other, buf, addr, PAGE, 0));
    assertRefused(Errno.EINVAL, Verbs.call("ibv_reg_buf_mr", pd, buf, addr, PAGE + 1, 0));
    assertRefused(Errno.EINVAL, Verbs.call("ibv_reg_buf_mr", pd, buf, addr + 1, PAGE, 0));
    assertRefused(Errno.EINVAL, Verbs.call("ibv_reg_buf_mr", pd, buf, addr - 1, 2, 0));
    assertRefused(Errno.EINVAL, Verbs.call("ibv_reg_buf_mr", pd, buf, addr + 8, -1L, 0));
    dereg(Verbs.call("ibv_reg_buf_mr", pd, buf, addr + PAGE - 1, 1, 0));
  }

  @Test
  void aBufferHasNoDescriptorAndOneThatIsTooLargeIsNotThere() {
    allocBuf(pd, PAGE);
    assertThat(Verbs.callInt("ibv_export_buf_dmabuf_fd", Host.getLong(out))).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.ENODATA);
    assertThat(Verbs.call("ibv_alloc_buf", pd, Long.MAX_VALUE - PAGE, out)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.ENOMEM);
  }

  @Test
  void aDomainThatAllowsMemoryOfTheHostHasBuffersToo() {
    long attr = program.struct(IbvParentDomainInitAttr.LAYOUT);
    Host.setLong(attr + IbvParentDomainInitAttr.PD, pd);
    Host.setInt(attr + IbvParentDomainInitAttr.COMP_MASK, ALLOW_CC_UNPROTECTED_ALLOC);
    long context = program.context();
    long parent = Verbs.operation(context, VerbsContext.ALLOC_PARENT_DOMAIN, context, attr);
    program.made(parent, "ibv_dealloc_pd");
    long addr = allocBuf(parent, PAGE);
    dereg(Verbs.call("ibv_reg_buf_mr", parent, Host.getLong(out), addr, PAGE, 0));

    Host.setInt(attr + IbvParentDomainInitAttr.COMP_MASK, ALLOW_CC_UNPROTECTED_ALLOC << 1);
    assertRefused(
        Errno.EINVAL, Verbs.operation(context, VerbsContext.ALLOC_PARENT_DOMAIN, context, attr));
  }

  @Test
  void aRegionByAttributesIsAtItsAddressOrWhereTheProgramWantsIt() {
    long memory = program.memory(2 * Long.BYTES);
    long attr = attr(GIVES_ADDR, memory, Long.BYTES);
    Host.setInt(attr + ACCESS, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    long plain = dereg(Verbs.call("ibv_reg_mr_ex", pd, attr));
    assertThat(Host.getLong(plain + IbvMr.ADDR)).isEqualTo(memory);

    long iova = memory ^ 1L << 40;
    Host.setLong(attr + ADDR, memory + Long.BYTES);
    Host.setLong(attr + IOVA, iova + Long.BYTES);
    Host.setLong(attr + COMP_MASK, GIVES_ADDR | GIVES_IOVA);
    long moved = dereg(Verbs.call("ibv_reg_mr_ex", pd, attr));

    Host.setLong(memory, 5);
    write(plain, iova + Long.BYTES, Program.rkey(moved));
    assertThat(Host.getLong(memory + Long.BYTES)).isEqualTo(5);
  }

  @Test
  void attributesThatDoNotFitEachOtherAreEinval() {
    long addr = allocBuf(pd, PAGE);
    long buf = Host.getLong(out);
    for (int mask :
        new int[] {
          0,
          GIVES_IOVA,
          GIVES_BUF,
          GIVES_BUF | GIVES_ADDR | GIVES_FD,
          GIVES_BUF | GIVES_ADDR | GIVES_FD_OFFSET,
          GIVES_FD | GIVES_ADDR,
          GIVES_FD | GIVES_IOVA,
          GIVES_FD_OFFSET | GIVES_ADDR
        }) {
      long attr = attr(mask, addr, PAGE);
      Host.setLong(attr + BUF, buf);
      assertRefused(Errno.EINVAL, Verbs.call("ibv_reg_mr_ex", pd, attr));
    }
    long whole = attr(GIVES_BUF | GIVES_ADDR, addr, PAGE);
    Host.setLong(whole + BUF, buf);
    dereg(Verbs.call("ibv_reg_mr_ex", pd, whole));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        GIVES_ADDR | GIVES_DMAH,
        GIVES_FD | GIVES_FD_OFFSET | GIVES_IOVA,
        GIVES_ADDR | 1 << 6,
        GIVES_ADDR | 1L << 63
      })
  void memoryOfADeviceAndWhatIsYetToComeAreUnsupported(long mask) {
    long attr = attr(mask, program.memory(8), 8);
    assertRefused(Errno.EOPNOTSUPP, Verbs.call("ibv_reg_mr_ex", pd, attr));
  }

  @Test
  void whatNoSoftwareDeviceHasIsUnsupported() {
    long context = program.context();
    assertRefused(Errno.EOPNOTSUPP, Verbs.call("ibv_alloc_dmah", context, program.memory(16)));
    assertRefused(
        Errno.EOPNOTSUPP, Verbs.call("ibv_create_comp_cntr", context, program.memory(16)));
    long caps = program.memory(16);
    Host.setLong(caps + 8, -1);
    assertThat(Verbs.callInt("_ibv_query_comp_cntr_caps", context, caps, 16))
        .isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Host.getLong(caps + 8)).isZero();
  }

  private long attr(long mask, long addr, long length) {
    long attr = program.memory(ATTR_SIZE);
    Host.setLong(attr + LENGTH, length);
    Host.setLong(attr + COMP_MASK, mask);
    Host.setLong(attr + ADDR, addr);
    return attr;
  }

  /** The address of a buffer, whose handle is in {@link #out}. */
  private long allocBuf(long domain, long size) {
    long addr = Verbs.call("ibv_alloc_buf", domain, size, out);
    assertThat(addr).isNotZero();
    long buf = Host.getLong(out);
    program.atEnd(() -> Verbs.call("ibv_free_buf", buf));
    return addr;
  }

  private long dereg(long mr) {
    return program.made(mr, "ibv_dereg_mr");
  }

  /** Writes the first 8 bytes of a region. */
  private void write(long from, long addr, int rkey) {
    long cq = program.cq(16);
    long qp = program.qp(QpType.RC, cq);
    program.connect(qp, qp);
    int opcode = WrOpcode.RDMA_WRITE.number();
    long wr = program.sendWr(1, opcode, SendFlags.SIGNALED, program.sge(from, 0, Long.BYTES));
    Host.setLong(wr + IbvSendWr.WR_RDMA_REMOTE_ADDR, addr);
    Host.setInt(wr + IbvSendWr.WR_RDMA_RKEY, rkey);
    assertThat(program.postSend(qp, wr, program.memory(8))).isZero();
    program.succeeded(cq, 1);
  }

  private static void assertRefused(int errno, long result) {
    assertThat(result).isZero();
    assertThat(Verbs.errno()).isEqualTo(errno);
  }
}
