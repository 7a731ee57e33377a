package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import org.junit.jupiter.api.Test;

class FlowLabelTest {

  @Test
  void ofMoreThanTwentyBitsTheLowOnesAreSent() {
    AhAttr peer = AhAttr.to(Gid.parse("fd00::1"));
    try (Context context = Devices.open("soft_fd00__f194?link=packet")) {
      SoftPort port = ((SoftContext) context).port();
      assertThat(port.route(peer.withFlowLabel(~0)).flowLabel()).isEqualTo(0xf_ffff);
      assertThat(port.route(peer.withFlowLabel(0x712_3456)).flowLabel()).isEqualTo(0x2_3456);
    }
  }

  @Test
  void anAddressHandleTakesAnyAndTellsWhatItWasGiven() {
    try (Context context = Devices.open("soft_fd00__95?link=packet");
        ProtectionDomain pd = context.allocPd()) {
      AhAttr all = AhAttr.to(context.queryGid(1, 0)).withFlowLabel(~0);
      assertThat(pd.createAh(all).attr()).isEqualTo(all);
    }
  }
}
