package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvFlow;
import dev.verbena.rdmacore.layout.IbvFlowSpecEth;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ibv_create_flow and ibv_destroy_flow. */
final class FlowVerbsTest {
  private static final int FRAME = 64;

  private final Program program = new Program();
  private final FlowMemory memory = new FlowMemory();
  private final long cq = program.cq(16);
  private final long qp = program.qp(QpType.RAW_PACKET, cq);

  @AfterEach
  void end() {
    memory.close();
    program.close();
  }

  @Test
  void aRuleIsMadeAndRemoved() {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20);

    long flow = createFlow();

    assertThat(flow).isNotZero();
    assertThat(Host.getLong(flow + IbvFlow.CONTEXT)).isEqualTo(program.context());
    assertThat(destroyFlow(flow)).isZero();
  }

  @Test
  void theRuleInForceDecidesWhatArrives() {
    long mr = program.mr(2 * FRAME, Program.LOCAL_WRITE);
    for (long i = 0; i < FRAME; i++) {
      Host.setByte(Program.addr(mr) + i, (int) (2 + i));
    }
    toRts();
    memory.rule(FlowAttrType.SNIFFER.number());
    long flow = createFlow();
    assertThat(flow).isNotZero();
    long bad = program.memory(Long.BYTES);
    assertThat(program.postRecv(qp, program.recvWr(1, program.sge(mr, FRAME, FRAME)), bad))
        .isZero();

    send(mr);

    long first = program.completion(cq);
    long second = program.completion(cq);
    long received = Host.getLong(first + IbvWc.WR_ID) == 1 ? first : second;
    assertThat(Host.getInt(received + IbvWc.BYTE_LEN)).isEqualTo(FRAME);
    assertThat(Host.getByte(Program.addr(mr) + 2 * FRAME - 1)).isEqualTo(FRAME + 1);
    assertThat(destroyFlow(flow)).isZero();
  }

  @Test
  void whatIsWrongWithARuleIsEinvalAndNoObject() {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20).specSize(12);
    assertThat(createFlow()).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void whatTheDeviceDoesNotHaveIsEopnotsupp() {
    memory.rule(0).spec(IbvFlowSpecIpv4.LAYOUT, 0x130);
    assertThat(createFlow()).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void onlyRawPacketQueuePairsAreSteeredTo() {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20);
    long connected = program.qp(QpType.RC, cq);
    assertThat(createFlow(connected)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  private void toRts() {
    long attr = program.struct(IbvQpAttr.LAYOUT);
    Host.setByte(attr + IbvQpAttr.PORT_NUM, 1);
    for (QpState state : new QpState[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
      Host.setInt(attr + IbvQpAttr.QP_STATE, state.number());
      int mask = QpAttrMask.STATE | (state == QpState.INIT ? QpAttrMask.PORT : 0);
      assertThat(program.modify(qp, attr, mask)).isZero();
    }
  }

  private void send(long mr) {
    long wr =
        program.sendWr(2, WrOpcode.SEND.number(), SendFlags.SIGNALED, program.sge(mr, 0, FRAME));
    assertThat(program.postSend(qp, wr, program.memory(Long.BYTES))).isZero();
  }

  private long createFlow() {
    return createFlow(qp);
  }

  private long createFlow(long target) {
    return Verbs.operation(
        program.context(), VerbsContext.IBV_CREATE_FLOW, target, memory.address());
  }

  private int destroyFlow(long flow) {
    return (int) Verbs.operation(program.context(), VerbsContext.IBV_DESTROY_FLOW, flow);
  }
}
