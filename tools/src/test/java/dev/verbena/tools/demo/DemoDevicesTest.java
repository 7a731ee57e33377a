package dev.verbena.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.DeviceSpec;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemoDevicesTest {
  @Test
  void bothEndsGetTheOptionsAndUdp() {
    DemoDevices devices = of("soft0?faults=drop:0.1,seed:3");

    assertThat(devices.client().toString()).isEqualTo("soft0?faults=drop:0.1,seed:3&link=udp");
    assertThat(devices.server()).isEqualTo(devices.client());
  }

  @Test
  void eachEndCapturesToItsOwnFile() {
    DemoDevices devices = of("soft0?capture=/tmp/a.b/demo.pcapng");

    assertThat(devices.client().options()).containsEntry("capture", "/tmp/a.b/demo.pcapng");
    assertThat(devices.server().options()).containsEntry("capture", "/tmp/a.b/demo-server.pcapng");
  }

  @Test
  void oneAddressForTwoProcessesIsRefusedWithTheWayOut() {
    assertThatThrownBy(() -> of("soft:127.0.0.9?icrc=off"))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("--server-device")
        .hasMessageContaining("--device=soft0?icrc=off");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:new", "ib:a"})
  void aDeviceThatOtherProcessesDoNotReachByUdpIsNamedAsTheUserWroteIt(String spec) {
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> of(spec),
            () -> DemoDevices.of(DeviceSpec.named("soft0"), DeviceSpec.parse(spec)))) {
      assertThatThrownBy(use)
          .isInstanceOf(ToolException.class)
          .hasMessageStartingWith("device '" + spec + "' cannot be used: the two ends are two")
          .hasMessageEndingWith("which need soft0 or soft:ADDRESS");
    }
  }

  @Test
  void anAdapterIsTakenAsItIsForBothEndsOrOne() {
    assertThat(of("rxe0")).isEqualTo(devices("rxe0", "rxe0"));
    assertThat(DemoDevices.of(DeviceSpec.named("rxe1"), DeviceSpec.named("rxe2")))
        .isEqualTo(devices("rxe1", "rxe2"));
  }

  @Test
  void anAdapterShowsNoPacketsToDraw() {
    assertThatThrownBy(() -> of("rxe0").clientCapture(Path.of("demo.pcapng")))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("--svg")
        .hasMessageContaining("'rxe0' is none");
  }

  @Test
  void theNameOfAnAddressIsOneAddressToo() {
    assertThatThrownBy(() -> of("soft_127_0_0_9"))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("--server-device");
  }

  @Test
  void anAddressForEachIsTaken() {
    DemoDevices devices =
        DemoDevices.of(DeviceSpec.soft("127.0.0.9"), DeviceSpec.soft("127.0.0.10"));

    assertThat(devices.server().address()).isEqualTo("127.0.0.10");
  }

  @Test
  void aLinkInsideOneProcessIsRefused() {
    assertThatThrownBy(() -> of("soft0?link=packet"))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("link=udp");
  }

  private static DemoDevices devices(String client, String server) {
    return new DemoDevices(DeviceSpec.named(client), DeviceSpec.named(server));
  }

  private static DemoDevices of(String spec) {
    return DemoDevices.of(DeviceSpec.parse(spec), null);
  }
}
