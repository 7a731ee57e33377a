package dev.verbena.soft.device.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.device.Pair;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.Test;

/** The send queue in error, and back (S1.6.2). */
final class SqeTest {
  private final WorkCompletion wc = new WorkCompletion();

  private static void publish(QpRuntime runtime, long id, int lkey) {
    SendWqe wqe = runtime.sends().claim(0);
    wqe.begin(id, SendOperation.of(WrOpcode.SEND), 0, true);
    if (lkey != 0) {
      wqe.data.add(lkey, 0, 8);
    }
    runtime.sends().publish(1);
  }

  @Test
  @Proves({"S4.3/SQE-RTS", "S4.5/SQE"})
  void aRequestFromBeforeTheRestartFailsEvenIfItsDoorbellComesBehindIt() {
    try (Pair pair = Pair.open(1, FaultSpec.NONE, /* loopback= */ true)) {
      CompletionQueue cq = pair.left().createCq(8);
      QueuePair qp = pair.left().allocPd().createQp(QpInitAttr.uc(cq));
      QpRuntime runtime = ((SoftQueuePair) qp).runtime();
      qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0));
      qp.modify(
          new QpAttr()
              .qpState(QpState.RTR)
              .ahAttr(AhAttr.to(qp.endpoint().gid()))
              .pathMtu(Mtu.MTU_1024)
              .destQpNum(qp.qpNum())
              .rqPsn(1));
      qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(1));
      publish(runtime, 1, 0x7777_0000);
      runtime.machines.sendDoorbell();
      assertThat(cq.poll(wc)).isTrue();
      assertThat(wc.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
      assertThat(runtime.status().state).isEqualTo(QpState.SQE);

      publish(runtime, 2, 0);
      qp.modify(new QpAttr().qpState(QpState.RTS));
      publish(runtime, 3, 0);
      runtime.machines.sendDoorbell();
      assertThat(cq.poll(wc)).isTrue();
      assertThat(wc.wrId()).isEqualTo(2);
      assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(cq.poll(wc)).isTrue();
      assertThat(wc.wrId()).isEqualTo(3);
      assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
    }
  }
}
