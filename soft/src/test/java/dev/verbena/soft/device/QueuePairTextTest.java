package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import org.junit.jupiter.api.Test;

class QueuePairTextTest {
  @Test
  void aQueuePairSaysInOneLineWhatItIsAndWhoIsItsPeer() {
    try (Context context = Devices.open("soft:10.9.1.61?link=packet")) {
      QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(context.createCq(1)));
      String number = Integer.toHexString(qp.qpNum());
      assertThat(qp).hasToString("QP 0x" + number + " RC RESET");
      qp.connect(qp.endpoint(), 0);
      assertThat(qp).hasToString("QP 0x" + number + " RC RTS → 10.9.1.61 qpn 0x" + number);
    }
  }
}
