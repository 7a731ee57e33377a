package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Discovery where there is no provider, as on this module's own class path. */
class DevicesTest {
  @Test
  void nothingIsListed() {
    assertThat(Devices.list()).isEmpty();
  }

  @Test
  void openingNamesTheDeviceAndWhatIsMissing() {
    assertThatThrownBy(() -> Devices.open("soft:10.77.0.1?link=udp"))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
        .hasMessage(
            "openDevice: no provider knows the device 'soft:10.77.0.1?link=udp'; no provider is on"
                + " the class path or module path (dev.verbena:verbena-soft is one) (ENODEV: No"
                + " such device)");
  }

  @Test
  void whoNamesAnAdapterLearnsWhichProviderHasThose() {
    assertThatThrownBy(() -> Devices.open("mlx5_0"))
        .hasMessageContaining("'mlx5_0'; no provider is on the class path or module path")
        .hasMessageContaining("(dev.verbena:verbena-rdmacore is one)");
  }

  /** A family of devices without any, which a fork affects like this. */
  private record Forking(ForkStatus isForkInitialized) implements VerbsProvider {
    @Override
    public List<Device> devices() {
      return List.of();
    }

    @Override
    public boolean accepts(DeviceSpec spec) {
      return false;
    }

    @Override
    public String describe() {
      return "nothing";
    }

    @Override
    public Context open(DeviceSpec spec) {
      throw new AssertionError(spec);
    }
  }

  @Test
  void theWorstThatAForkDoesToAnyDeviceIsTold() {
    Devices.forkInit();
    assertThat(Devices.isForkInitialized()).isEqualTo(ForkStatus.UNNEEDED);
    VerbsProvider unneeded = new Forking(ForkStatus.UNNEEDED);
    VerbsProvider enabled = new Forking(ForkStatus.ENABLED);
    VerbsProvider disabled = new Forking(ForkStatus.DISABLED);
    assertThat(Devices.worst(List.of(unneeded))).isEqualTo(ForkStatus.UNNEEDED);
    assertThat(Devices.worst(List.of(enabled, unneeded))).isEqualTo(ForkStatus.ENABLED);
    assertThat(Devices.worst(List.of(unneeded, disabled, enabled))).isEqualTo(ForkStatus.DISABLED);
  }

  @Test
  void whatIsNoSpecificationIsEinval() {
    assertThatThrownBy(() -> Devices.open("soft 0"))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }
}
