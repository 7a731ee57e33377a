package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the attributes with which a queue pair is created. */
class QpInitAttrTest {
  @Test
  void sendOperationsNotGivenDifferFromGivenAndEmpty() {
    QpInitAttr attr = new QpInitAttr(QpType.RC);
    assertThat(attr.hasSendOps()).isFalse();
    assertThat(attr.sendOps()).isZero();

    assertThat(attr.sendOps(new int[0]).hasSendOps()).isTrue();
    assertThat(attr.sendOps()).isZero();
  }

  @Test
  void sendOperationsAreOredAndReplaceEarlierOnes() {
    QpInitAttr attr = new QpInitAttr(QpType.RC).sendOps(SendOps.SEND, SendOps.RDMA_READ);
    assertThat(attr.sendOps()).isEqualTo(SendOps.SEND | SendOps.RDMA_READ);
    assertThat(attr.sendOps(SendOps.TSO).sendOps()).isEqualTo(SendOps.TSO);
  }

  @Test
  void sizesAreSetOneByOneOrAtOnce() {
    QpCap cap = new QpCap(1, 2, 3, 4, 5);
    QpInitAttr oneByOne =
        new QpInitAttr(QpType.UD)
            .maxSendWr(1)
            .maxRecvWr(2)
            .maxSendSge(3)
            .maxRecvSge(4)
            .maxInlineData(5);
    assertThat(oneByOne.cap()).isEqualTo(cap);
    assertThat(new QpInitAttr(QpType.UD).cap(cap).cap()).isEqualTo(cap);
    assertThat(new QpInitAttr(QpType.UD).cap()).isEqualTo(new QpCap(128, 128, 4, 4, 64));
  }

  @Test
  void shortFormsUseOneCompletionQueueForBothDirections() {
    CompletionQueue cq = Stubs.of(CompletionQueue.class);
    assertThat(QpInitAttr.rc(cq).qpType()).isEqualTo(QpType.RC);
    assertThat(QpInitAttr.uc(cq).qpType()).isEqualTo(QpType.UC);
    assertThat(QpInitAttr.ud(cq).qpType()).isEqualTo(QpType.UD);
    for (QpInitAttr attr : new QpInitAttr[] {QpInitAttr.rc(cq), QpInitAttr.uc(cq)}) {
      assertThat(attr.sendCq()).isSameAs(cq);
      assertThat(attr.recvCq()).isSameAs(cq);
      assertThat(attr.srq()).isNull();
      assertThat(attr.sqSigAll()).isFalse();
      assertThat(attr.hasSendOps()).isFalse();
    }
  }

  @Test
  void itsTextTellsTypeAndSizesAndWhatElseWasAskedFor() {
    QpInitAttr attr = new QpInitAttr(QpType.RC).maxSendWr(7);
    assertThat(attr)
        .hasToString(
            "qp_init_attr[RC, max_send_wr=7, max_recv_wr=128, max_send_sge=4, max_recv_sge=4,"
                + " max_inline_data=64]");
    assertThat(attr.sqSigAll(true).sendOps(0).toString())
        .endsWith("=64, sq_sig_all, send_ops=nothing]");
    assertThat(attr.sendOps(SendOps.SEND, SendOps.TSO, 1 << 20).toString())
        .endsWith(", send_ops=SEND|TSO|0x100000]");
  }
}
