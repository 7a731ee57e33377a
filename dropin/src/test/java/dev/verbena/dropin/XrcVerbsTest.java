package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.IbvQpOpenAttr;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttrEx;
import dev.verbena.rdmacore.layout.IbvXrcdInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.XrcdFlags;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests XRC domains, their shared receive queues, and additional handles of queue pairs. */
final class XrcVerbsTest {
  private static final int QP_INIT_ATTR_XRCD = 1 << 1;
  private static final int QP_OPEN_ATTR = 1 | 1 << 1 | 1 << 3;
  private static final int XRCD_INIT_ATTR = 3;
  private static final int SRQ_INIT_ATTR = 1 | 1 << 1 | 1 << 2 | 1 << 3;

  private final Program program = new Program();
  private final long context = program.context();
  private final long cq = program.cq(16);
  private final long xrcd = openXrcd();

  @AfterEach
  void end() {
    program.close();
  }

  private long openXrcd() {
    long attr = program.struct(IbvXrcdInitAttr.LAYOUT);
    Host.setInt(attr + IbvXrcdInitAttr.COMP_MASK, XRCD_INIT_ATTR);
    Host.setInt(attr + IbvXrcdInitAttr.FD, -1);
    Host.setInt(attr + IbvXrcdInitAttr.OFLAGS, XrcdFlags.CREAT);
    long opened = Verbs.operation(context, VerbsContext.OPEN_XRCD, context, attr);
    assertThat(opened).isNotZero();
    program.atEnd(() -> assertThat(closeXrcd(opened)).isZero());
    return opened;
  }

  private int closeXrcd(long domain) {
    return (int) Verbs.operation(context, VerbsContext.CLOSE_XRCD, domain);
  }

  @Test
  void aDomainNeedsBothItsAttributes() {
    long attr = program.struct(IbvXrcdInitAttr.LAYOUT);
    Host.setInt(attr + IbvXrcdInitAttr.COMP_MASK, 1);
    assertThat(Verbs.operation(context, VerbsContext.OPEN_XRCD, context, attr)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void itsSharedQueueHasANumberAndKeepsTheDomainInUse() {
    long srq = createSrq();
    long number = program.memory(4);
    assertThat((int) Verbs.operation(context, VerbsContext.GET_SRQ_NUM, srq, number)).isZero();
    assertThat(Host.getInt(number)).isNotZero();
    assertThat(closeXrcd(xrcd)).isEqualTo(Errno.EBUSY);
  }

  @Test
  void aSharedQueueThatIsNotOfXrcHasNoNumber() {
    long init = program.struct(IbvSrqInitAttr.LAYOUT);
    Host.setInt(init + IbvSrqInitAttr.ATTR + IbvSrqAttr.MAX_WR, 4);
    long srq = program.made(Verbs.call("ibv_create_srq", program.pd(), init), "ibv_destroy_srq");
    long number = program.memory(4);
    assertThat((int) Verbs.operation(context, VerbsContext.GET_SRQ_NUM, srq, number))
        .isEqualTo(Errno.EOPNOTSUPP);
  }

  private long createSrq() {
    long init = program.struct(IbvSrqInitAttrEx.LAYOUT);
    Host.setInt(init + IbvSrqInitAttrEx.COMP_MASK, SRQ_INIT_ATTR);
    Host.setInt(init + IbvSrqInitAttrEx.SRQ_TYPE, SrqType.XRC.number());
    Host.setLong(init + IbvSrqInitAttrEx.PD, program.pd());
    Host.setLong(init + IbvSrqInitAttrEx.XRCD, xrcd);
    Host.setLong(init + IbvSrqInitAttrEx.CQ, cq);
    Host.setInt(init + IbvSrqInitAttrEx.ATTR + IbvSrqAttr.MAX_WR, 4);
    Host.setInt(init + IbvSrqInitAttrEx.ATTR + IbvSrqAttr.MAX_SGE, 1);
    return program.made(
        Verbs.operation(context, VerbsContext.CREATE_SRQ_EX, context, init), "ibv_destroy_srq");
  }

  @Test
  void aSharedQueueWithoutAProtectionDomainIsEinval() {
    long init = program.struct(IbvSrqInitAttrEx.LAYOUT);
    assertThat(Verbs.operation(context, VerbsContext.CREATE_SRQ_EX, context, init)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aQueuePairIsOpenedByItsNumber() {
    long init = program.struct(IbvQpInitAttrEx.LAYOUT);
    Host.setInt(init + IbvQpInitAttrEx.QP_TYPE, QpType.XRC_RECV.number());
    Host.setInt(init + IbvQpInitAttrEx.COMP_MASK, QP_INIT_ATTR_XRCD);
    Host.setLong(init + IbvQpInitAttrEx.XRCD, xrcd);
    long qp =
        program.made(
            Verbs.operation(context, VerbsContext.CREATE_QP_EX, context, init), "ibv_destroy_qp");

    long same = program.made(open(Program.qpNum(qp)), "ibv_destroy_qp");

    assertThat(same).isNotEqualTo(qp);
    assertThat(Program.qpNum(same)).isEqualTo(Program.qpNum(qp));
    assertThat(Host.getInt(same + IbvQp.QP_TYPE)).isEqualTo(QpType.XRC_RECV.number());
    assertThat(open(1)).isZero();
    assertThat(Verbs.errno()).isNotZero();
  }

  private long open(int qpNum) {
    long attr = program.struct(IbvQpOpenAttr.LAYOUT);
    Host.setInt(attr + IbvQpOpenAttr.COMP_MASK, QP_OPEN_ATTR);
    Host.setInt(attr + IbvQpOpenAttr.QP_NUM, qpNum);
    Host.setLong(attr + IbvQpOpenAttr.XRCD, xrcd);
    Host.setInt(attr + IbvQpOpenAttr.QP_TYPE, QpType.XRC_RECV.number());
    return Verbs.operation(context, VerbsContext.OPEN_QP, context, attr);
  }
}
