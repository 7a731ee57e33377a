package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Libibverbs;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On a computer without adapters, with or without libibverbs. */
final class RdmacoreProviderTest {
  private final RdmacoreProvider provider = new RdmacoreProvider();

  @Test
  void listsNothingWhereTheKernelHasNoDevice() {
    assumeTrue(Libibverbs.kernelDevices().isEmpty(), "this computer has an adapter");
    assertThat(provider.devices()).isEmpty();
    assertThatThrownBy(() -> Devices.open("mlx5_0"))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
        .hasMessageContaining("rdmacore:NAME")
        .hasMessageContaining("the kernel has no RDMA device");
  }

  @Test
  void theLibraryIsAskedForADeviceThatIsCalledItsOwn() {
    assertThatThrownBy(() -> Devices.open("rdmacore:nobody"))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isIn(Errno.ENODEV, Errno.ENOSYS))
        .hasMessageMatching("(?s).*('nobody'|libibverbs).*");
  }

  @Test
  void aLibraryThatIsAnotherOneLacksTheFirstFunctionInItsVersion() throws Exception {
    assumeTrue(FunctionNative.ofLibc("dlvsym").exists(), "this C library has no versions");
    assertThat(StatusProgram.run(Map.of(), "-Ddev.verbena.rdmacore.library=libc.so.6"))
        .contains("libc.so.6 has no ibv_get_device_list@IBVERBS_1.1");
  }

  @Test
  void ofALibraryThatIsNamedAndMissingNoOtherCauseIsTold() throws Exception {
    assumeTrue(Libibverbs.kernelDevices().isEmpty(), "this computer has an adapter");
    assertThat(StatusProgram.run(Map.of(), "-Ddev.verbena.rdmacore.library=/no/libibverbs.so.1"))
        .containsPattern("rdmacore:NAME \\(libibverbs; .*/no/libibverbs.so.1")
        .doesNotContain("the kernel has", "/dev/infiniband");
  }

  @Test
  void takesNoNameThatOnlyASoftwareDeviceHas() {
    for (String name : new String[] {"soft0", "soft:127.0.0.1", "soft_127_0_0_1", "ib:a", "ib_a"}) {
      assertThat(provider.accepts(DeviceSpec.parse(name))).as(name).isFalse();
    }
    assertThat(provider.accepts(DeviceSpec.parse("rdmacore:soft0"))).isTrue();
  }

  @Test
  void needsANameAndTakesNoOptions() {
    for (String text : new String[] {"rdmacore", "rdmacore:rxe0?link=udp"}) {
      assertThatThrownBy(() -> provider.open(DeviceSpec.parse(text)))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
  }
}
