package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.TransportType;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a device says about itself: S11.1, S11.3. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DeviceTest {
  private final Context context = Devices.open(TckLink.firstOnEthernet().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  @Proves("S11.1")
  void listedDevicesHaveDistinctShortNames() {
    List<Device> devices = Devices.list();
    assertThat(devices).isNotEmpty();
    assertThat(devices).extracting(Device::name).doesNotHaveDuplicates().contains("soft0");
    assertThat(devices)
        .allSatisfy(
            device -> {
              assertThat(device.name()).hasSizeBetween(1, 63);
              assertThat(device.nodeType()).isNotNull();
              assertThat(device.spec()).isNotNull();
            });
  }

  @Test
  @Proves("S11.1")
  void aListedDeviceCanBeOpenedLaterAndTwice() {
    Device soft0 =
        Devices.list().stream().filter(d -> d.name().equals("soft0")).findFirst().orElseThrow();
    Context first = soft0.open();
    try (Context second = soft0.open()) {
      assertThat(Devices.list()).isNotEmpty();
      assertThat(first).isNotSameAs(second);
      assertThat(first.queryDevice()).isEqualTo(second.queryDevice());
      first.close();
      first.close();
      second.allocPd().dealloc();
    } finally {
      first.close();
    }
  }

  @Test
  void anOpenDeviceNamesItselfAndCanBeOpenedAgainByItsSpecification() {
    Device device = context.device();
    assertThat(device.name()).hasSizeBetween(1, 63).startsWith("soft");
    assertThat(device.nodeType()).isEqualTo(NodeType.CA);
    assertThat(device.transportType()).isEqualTo(TransportType.IB);
    assertThat(device.guid()).isNotZero().isEqualTo(context.queryDevice().nodeGuid());
    try (Context again = Devices.open(device.spec())) {
      assertThat(again.device().guid()).isEqualTo(device.guid());
      assertThat(again.queryGid(1, 0)).isEqualTo(context.queryGid(1, 0));
    }
    try (Context again = device.open()) {
      assertThat(again.queryGid(1, 0)).isEqualTo(context.queryGid(1, 0));
    }
  }

  @Test
  void differentDevicesHaveDifferentGuids() {
    try (Context other = Devices.open(TckLink.firstOnEthernet().device())) {
      assertThat(other.device().guid()).isNotEqualTo(context.device().guid());
      assertThat(other.device().name()).isNotEqualTo(context.device().name());
    }
  }

  @Test
  @Proves("S11.2")
  void limitsAreThoseOfAUsableDevice() {
    DeviceAttr attr = context.queryDevice();
    assertThat(attr.nodeGuid()).isNotZero();
    assertThat(attr.sysImageGuid()).isNotZero();
    assertThat(attr.vendorId()).isNotZero();
    assertThat(attr.fwVer()).isNotNull();
    assertThat(attr.maxMrSize()).isGreaterThan(4096);
    assertThat(attr.pageSizeCap()).isGreaterThanOrEqualTo(4096);
    assertThat(
            List.of(
                attr.maxQp(),
                attr.maxQpWr(),
                attr.maxSge(),
                attr.maxCq(),
                attr.maxCqe(),
                attr.maxMr(),
                attr.maxPd(),
                attr.maxPkeys(),
                attr.maxQpRdAtom(),
                attr.maxQpInitRdAtom(),
                attr.physPortCnt()))
        .allMatch(limit -> limit > 0);
    assertThat(attr.maxSgeRd()).isNotNegative();
    assertThat(attr.deviceCapFlags() & DeviceCap.RC_RNR_NAK_GEN).isNotZero();
  }

  @Test
  @Proves("S11.3")
  void theExtendedQueryAgreesWithTheClassicOne() {
    DeviceAttrEx extended = context.queryDeviceEx();
    assertThat(extended.origAttr()).isEqualTo(context.queryDevice());
    assertThat(extended.physPortCntEx()).isEqualTo(context.queryDevice().physPortCnt());
    if (extended.completionTimestampMask() == 0) {
      assertThat(extended.hcaCoreClock()).isZero();
    } else {
      assertThat(extended.hcaCoreClock()).isPositive();
    }
    assertThat(extended.maxTso() == 0).isEqualTo(extended.tsoSupportedQpts() == 0);
    assertThat(extended.maxCqModerationCount() == 0)
        .isEqualTo(extended.maxCqModerationPeriod() == 0);
  }
}
