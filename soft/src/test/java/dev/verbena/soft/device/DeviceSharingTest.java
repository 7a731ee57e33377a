package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contexts, devices and addresses, on in-memory links. */
class DeviceSharingTest {

  @Test
  void theProviderIsFoundAndListsTheFirstDeviceWithoutOpeningIt() {
    List<Device> devices = new SoftProvider().devices();
    assertThat(devices).extracting(Device::name).startsWith("soft0");
    assertThat(devices.getFirst().guid()).isNotZero();
    assertThat(Devices.list()).extracting(Device::name).contains("soft0");
  }

  @Test
  void openingAnAddressTwiceSharesTheDeviceButNotTheContext() {
    String spec = "soft:10.9.1.1?link=packet";
    try (Context first = Devices.open(spec);
        Context second = Devices.open(spec)) {
      assertThat(first).isNotSameAs(second);
      assertThat(engineOf(first)).isSameAs(engineOf(second));
      assertThat(first.device().name()).isEqualTo("soft_10_9_1_1");
      assertThat(first.queryGid(1, 0)).isEqualTo(Gid.parse("10.9.1.1"));
    }
  }

  @Test
  void theNameOfAnOpenDeviceOpensIt() {
    try (Context first = Devices.open("soft:10.9.1.4?link=packet");
        Context second = Devices.open(first.device().name() + "?link=packet");
        Context other = Devices.open("soft_fd00__94?link=packet")) {
      assertThat(engineOf(first)).isSameAs(engineOf(second));
      assertThat(second.device()).isEqualTo(first.device()).hasSameHashCodeAs(first.device());
      assertThat(other.queryGid(1, 0)).isEqualTo(Gid.parse("fd00::94"));
      assertThat(other.device()).isNotEqualTo(first.device());
    }
  }

  @Test
  void theDeviceEndsWithItsLastContext() {
    String spec = "soft:10.9.1.2?link=packet";
    Context first = Devices.open(spec);
    Context second = Devices.open(spec);
    Object engine = engineOf(first);
    first.close();
    assertThat(engineOf(second)).isSameAs(engine);
    second.close();
    try (Context third = Devices.open(spec)) {
      assertThat(engineOf(third)).isNotSameAs(engine);
    }
  }

  @Test
  void aDeviceGivesTheVendorsNumberThatItWasOpenedWith() {
    DeviceSpec spec = DeviceSpec.parse("soft:10.9.1.5?link=packet").vendorPartId(4119);
    try (Context context = Devices.open(spec);
        Context usual = Devices.open("soft:10.9.1.6?link=packet")) {
      assertThat(context.queryDevice().vendorPartId()).isEqualTo(4119);
      assertThat(context.queryDeviceEx().origAttr().vendorPartId()).isEqualTo(4119);
      assertThat(usual.queryDevice().vendorPartId()).isEqualTo(0x5642);
    }
  }

  @Test
  void otherOptionsAreRefusedAndNamed() {
    try (Context first = Devices.open("soft:10.9.1.3?link=packet")) {
      assertThatThrownBy(() -> Devices.open("soft:10.9.1.3?link=packet&icrc=off"))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
          .hasMessageContaining("icrc is off, not on");
      assertThat(first.isClosed()).isFalse();
    }
  }

  @Test
  void theFirstDeviceTakesTheNextFreeAddressAndIsShared() {
    // A registry and in-memory addresses of its own: soft0 of the process is left alone.
    OpenDevices devices = new OpenDevices(Surroundings.real());
    DeviceSpec spec = DeviceSpec.parse("soft0?link=packet");
    DeviceSpec taken = DeviceSpec.parse("soft:127.0.0.1?link=packet");
    try (Context holder = devices.open(taken);
        Context first = devices.open(spec);
        Context again = devices.open(spec)) {
      assertThat(holder.queryGid(1, 0)).isEqualTo(Gid.parse("127.0.0.1"));
      assertThat(first.queryGid(1, 0)).isEqualTo(Gid.parse("127.0.0.2"));
      assertThat(engineOf(first)).isSameAs(engineOf(again));
      assertThat(first.device().name()).isEqualTo("soft0");
      assertThat(first.device().spec()).isEqualTo(spec);
    }
  }

  private static Object engineOf(Context context) {
    return ((SoftContext) context).engine();
  }
}
