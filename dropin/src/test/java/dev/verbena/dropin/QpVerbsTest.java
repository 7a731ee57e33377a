package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs: creation, attributes and destruction. */
final class QpVerbsTest {
  private static final int EVERYTHING = (1 << 21) - 1;

  private final Program program = new Program();
  private final long cq = program.cq(16);

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void theStructSaysWhatTheQueuePairIs() {
    long init = program.qpInit(QpType.UC, cq);
    Host.setLong(init + IbvQpInitAttr.QP_CONTEXT, 0x1234);

    long qp = program.qp(init);

    assertThat(Host.getLong(qp + IbvQp.CONTEXT)).isEqualTo(program.context());
    assertThat(Host.getLong(qp + IbvQp.QP_CONTEXT)).isEqualTo(0x1234);
    assertThat(Host.getLong(qp + IbvQp.PD)).isEqualTo(program.pd());
    assertThat(Host.getLong(qp + IbvQp.SEND_CQ)).isEqualTo(cq);
    assertThat(Host.getLong(qp + IbvQp.RECV_CQ)).isEqualTo(cq);
    assertThat(Host.getInt(qp + IbvQp.STATE)).isEqualTo(QpState.RESET.number());
    assertThat(Host.getInt(qp + IbvQp.QP_TYPE)).isEqualTo(QpType.UC.number());
    assertThat(Program.qpNum(qp)).isBetween(2, 0xffffff);
  }

  @Test
  void creationTellsTheCapacityThatItGave() {
    long init = program.qpInit(QpType.RC, cq);
    long qp = program.qp(init);
    StructAssert.assertSame(
        IbvQpCap.LAYOUT,
        init + IbvQpInitAttr.CAP,
        QpBinding.get(Host.getInt(qp + IbvQp.HANDLE)).queue().queryInit().cap());
  }

  @Test
  void aQueuePairThatCannotBeMadeIsNullAndErrno() {
    long init = program.qpInit(QpType.RC, cq);
    Host.setInt(init + IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_WR, 0x7fffffff);
    assertThat(Verbs.call("ibv_create_qp", program.pd(), init)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aTypeThatNobodyHasIsEinval() {
    long init = program.qpInit(QpType.RC, cq);
    Host.setInt(init + IbvQpInitAttr.QP_TYPE, 99);
    assertThat(Verbs.call("ibv_create_qp", program.pd(), init)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void whatCompMaskAsksForBeyondTheKnownIsUnsupported() {
    long init = program.struct(IbvQpInitAttrEx.LAYOUT);
    Host.setInt(init + IbvQpInitAttrEx.COMP_MASK, 1 << 7);
    assertThat(
            Verbs.operation(program.context(), VerbsContext.CREATE_QP_EX, program.context(), init))
        .isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }

  @ParameterizedTest
  @ValueSource(longs = {1 << 13, 1L << 32})
  void operationsThatTheStructHasNoFunctionForAreUnsupported(long sendOps) {
    long init = program.qpExInit(QpType.RC, cq, SendOps.SEND | sendOps);
    assertThat(
            Verbs.operation(program.context(), VerbsContext.CREATE_QP_EX, program.context(), init))
        .isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void onlyAQueuePairMadeForItHasTheExtendedApi() {
    long plain = program.qp(QpType.RC, cq);
    long extended = program.qpEx(QpType.RC, cq, 1);
    assertThat(Verbs.call("ibv_qp_to_qp_ex", plain)).isZero();
    assertThat(extended).isNotZero();
  }

  @Test
  void aConnectedQueuePairTellsWhatItWasGiven() {
    long a = program.qp(QpType.RC, cq);
    long b = program.qp(QpType.RC, cq);
    program.connect(a, b);
    long attr = program.struct(IbvQpAttr.LAYOUT);
    long init = program.struct(IbvQpInitAttr.LAYOUT);

    assertThat(Verbs.callInt("ibv_query_qp", a, attr, EVERYTHING, init)).isZero();

    assertThat(Host.getInt(attr + IbvQpAttr.QP_STATE)).isEqualTo(QpState.RTS.number());
    assertThat(Host.getInt(a + IbvQp.STATE)).isEqualTo(QpState.RTS.number());
    assertThat(Host.getInt(attr + IbvQpAttr.DEST_QP_NUM)).isEqualTo(Program.qpNum(b));
    assertThat(Host.getInt(attr + IbvQpAttr.PATH_MTU)).isEqualTo(Mtu.MTU_1024.number());
    assertThat(Host.getByte(attr + IbvQpAttr.TIMEOUT)).isEqualTo(14);
    assertThat(Host.getByte(attr + IbvQpAttr.MIN_RNR_TIMER)).isEqualTo(12);
    assertThat(Host.getInt(attr + IbvQpAttr.QP_ACCESS_FLAGS) & Program.ALL_REMOTE)
        .isEqualTo(Program.ALL_REMOTE);
    assertThat(Host.getLong(init + IbvQpInitAttr.SEND_CQ)).isEqualTo(cq);
    assertThat(Host.getInt(init + IbvQpInitAttr.QP_TYPE)).isEqualTo(QpType.RC.number());
    StructAssert.assertSame(
        IbvQpAttr.LAYOUT,
        attr,
        QpBinding.get(Host.getInt(a + IbvQp.HANDLE)).queue().query(EVERYTHING),
        "cap",
        "ah_attr",
        "alt_ah_attr");
  }

  @Test
  void whatAQueryAnsweredModifyTakes() {
    long a = program.qp(QpType.RC, cq);
    long b = program.qp(QpType.RC, cq);
    program.connect(a, a);
    long attr = program.struct(IbvQpAttr.LAYOUT);
    long init = program.struct(IbvQpInitAttr.LAYOUT);
    assertThat(Verbs.callInt("ibv_query_qp", a, attr, EVERYTHING, init)).isZero();

    step(b, attr, QpState.INIT, QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS);
    step(
        b,
        attr,
        QpState.RTR,
        QpAttrMask.AV
            | QpAttrMask.PATH_MTU
            | QpAttrMask.DEST_QPN
            | QpAttrMask.RQ_PSN
            | QpAttrMask.MAX_DEST_RD_ATOMIC
            | QpAttrMask.MIN_RNR_TIMER);

    long again = program.struct(IbvQpAttr.LAYOUT);
    assertThat(Verbs.callInt("ibv_query_qp", b, again, EVERYTHING, init)).isZero();
    assertThat(Structs.ahAttr(again + IbvQpAttr.AH_ATTR))
        .isEqualTo(Structs.ahAttr(attr + IbvQpAttr.AH_ATTR));
    assertThat(Host.getInt(again + IbvQpAttr.DEST_QP_NUM)).isEqualTo(Program.qpNum(a));
  }

  private void step(long qp, long attr, QpState state, int mask) {
    Host.setInt(attr + IbvQpAttr.QP_STATE, state.number());
    assertThat(program.modify(qp, attr, QpAttrMask.STATE | mask)).isZero();
    assertThat(Host.getInt(qp + IbvQp.STATE)).isEqualTo(state.number());
  }

  @Test
  void aStepThatIsNotAllowedIsEinvalAndChangesNothing() {
    long qp = program.qp(QpType.RC, cq);
    long attr = program.struct(IbvQpAttr.LAYOUT);
    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.RTS.number());
    assertThat(program.modify(qp, attr, QpAttrMask.STATE)).isEqualTo(Errno.EINVAL);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(Host.getInt(qp + IbvQp.STATE)).isEqualTo(QpState.RESET.number());
  }

  @Test
  void anythingInUseIsEbusyReturnedAndInErrno() {
    program.qp(QpType.RC, cq);
    assertThat(Verbs.callInt("ibv_destroy_cq", cq)).isEqualTo(Errno.EBUSY);
    assertThat(Verbs.errno()).isEqualTo(Errno.EBUSY);
    assertThat(Verbs.callInt("ibv_dealloc_pd", program.pd())).isEqualTo(Errno.EBUSY);
  }

  @Test
  void multicastGroupsAreJoinedOnceAndLeftOnce() {
    long ud = program.qp(QpType.UD, cq);
    long gid = program.memory(16);
    Host.setNetworkLong(gid, 0xff0e000000000000L);
    Host.setNetworkLong(gid + 8, 0x0000ffffe0000042L);
    assertThat(Verbs.callInt("ibv_attach_mcast", ud, gid, 0)).isZero();
    assertThat(Verbs.callInt("ibv_detach_mcast", ud, gid, 0)).isZero();
    assertThat(Verbs.callInt("ibv_detach_mcast", ud, gid, 0)).isEqualTo(Errno.EINVAL);
    long connected = program.qp(QpType.RC, cq);
    assertThat(Verbs.callInt("ibv_attach_mcast", connected, gid, 0)).isEqualTo(Errno.EINVAL);
  }

  @Test
  void noConnectionOptionsAreTakenOfAVendorNorOfNone() {
    long qp = program.qp(QpType.RC, cq);
    long ece = program.memory(12);
    assertThat(Verbs.callInt("ibv_set_ece", qp, ece)).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
    Host.setInt(ece, 0x15b3);
    assertThat(Verbs.callInt("ibv_set_ece", qp, ece)).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Verbs.callInt("ibv_query_ece", qp, ece)).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Host.getInt(ece)).isZero();
  }

  @Test
  void theOrderOfDataIsAnsweredByBitsNeverByAnError() {
    long qp = program.qp(QpType.RC, cq);
    assertThat(Verbs.callInt("ibv_query_qp_data_in_order", qp, 0, 0)).isBetween(0, 3);
    assertThat(Verbs.callInt("ibv_query_qp_data_in_order", qp, 0, -1)).isZero();
    assertThat(Verbs.callInt("ibv_query_qp_data_in_order", qp, 99, 0)).isZero();
  }
}
