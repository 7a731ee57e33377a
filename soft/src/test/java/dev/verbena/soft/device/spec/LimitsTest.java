package dev.verbena.soft.device.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Reth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
  private final DeviceAttr attr = Limits.device(1, 2, LinkLayer.ETHERNET);

  @Test
  void noLimitIsBeyondWhatIsUnderneath() {
    assertThat(attr.maxQp()).isLessThanOrEqualTo(Engine.QP_NUMBERS);
    assertThat(attr.maxMr() + attr.maxMw()).isLessThanOrEqualTo(KeyTable.CAPACITY);
    assertThat(Limits.MAX_MESSAGE).isLessThanOrEqualTo(Reth.MAX_DMA_LENGTH);
  }

  @Test
  void whatDoesNotExistHasTheLimitZeroAndNoCapability() {
    int flags = attr.deviceCapFlags();
    assertThat(flags & (DeviceCap.AUTO_PATH_MIG | DeviceCap.RESIZE_MAX_WR)).isZero();
    assertThat(flags & DeviceCap.RC_RNR_NAK_GEN).isNotZero();
  }

  @Test
  void everyTypeOfQueuePairsButXrcRecvHasSendOperations() {
    for (QpType type : QpType.values()) {
      assertThat(SendOperation.sendOps(type) != 0)
          .as(type.name())
          .isEqualTo(Limits.hasType(type) && type != QpType.XRC_RECV);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "65508, MTU_4096",
    "4148, MTU_4096",
    "4147, MTU_2048",
    "1472, MTU_1024",
    "300, MTU_256"
  })
  void theActiveMtuIsTheLargestWhosePacketsFit(int maxDatagram, Mtu mtu) {
    assertThat(SoftPort.largestMtu(maxDatagram)).isEqualTo(mtu);
  }
}
