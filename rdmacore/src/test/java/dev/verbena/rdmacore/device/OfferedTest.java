package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.DeviceAttrs;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvDeviceAttr;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.RawPacketCaps;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

final class OfferedTest {
  private static final int SOME = 0x01010101;

  @Test
  void whatTheProviderLacksIsNotOfferedByADeviceThatHasEverything() {
    try (Arena arena = Arena.ofConfined()) {
      long attr = arena.allocate(IbvDeviceAttrEx.LAYOUT.size(), Long.BYTES).address();
      for (long at = 0; at < IbvDeviceAttrEx.LAYOUT.size(); at += Integer.BYTES) {
        Host.setInt(attr + at, SOME);
      }
      long orig = attr + IbvDeviceAttrEx.ORIG_ATTR;
      Host.setInt(orig + IbvDeviceAttr.DEVICE_CAP_FLAGS, -1);
      Host.setInt(orig + IbvDeviceAttr.ATOMIC_CAP, 1);
      Host.setInt(orig + IbvDeviceAttr.FW_VER, 0);
      Host.setLong(attr + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX, -1);
      Host.setInt(attr + IbvDeviceAttrEx.RAW_PACKET_CAPS, -1);
      Offered.maskEx(attr);
      DeviceAttrEx offered = DeviceAttrs.deviceEx(attr);
      assertThat(offered.maxDmSize()).as("offered").isNotZero();
      assertThat(offered.rawPacketCaps()).isEqualTo(~RawPacketCaps.DELAY_DROP);
      assertThat(offered.maxTso()).as("offered").isEqualTo(SOME);
      assertThat(offered.maxWqTypeRq()).as("offered").isEqualTo(SOME);
      assertThat(offered.origAttr().deviceCapFlags()).as("offered").isEqualTo(-1);
      assertThat(offered.deviceCapFlagsEx()).as("offered").isEqualTo(-1);
      assertThat(offered.completionTimestampMask()).as("offered").isNotZero();
      assertThat(offered.origAttr().maxMw()).as("offered").isEqualTo(SOME);
      assertThat(offered.hcaCoreClock()).as("offered").isNotZero();
      assertThat(offered.maxCqModerationCount()).as("offered").isEqualTo(SOME & 0xffff);
      assertThat(offered.origAttr().maxQp()).as("offered").isEqualTo(SOME);
      assertThat(offered.physPortCntEx()).as("offered").isEqualTo(SOME);
    }
  }
}
