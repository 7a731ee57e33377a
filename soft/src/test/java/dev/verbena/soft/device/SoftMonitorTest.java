package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.spi.DeviceMonitor;
import dev.verbena.verbs.spi.DeviceReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have no /dev/shm")
final class SoftMonitorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static List<DeviceReport> look(String device) throws InterruptedException {
    DeviceMonitor monitor = ServiceLoader.load(DeviceMonitor.class).findFirst().orElseThrow();
    long pid = ProcessHandle.current().pid();
    return monitor.look(PATIENCE).stream()
        .filter(report -> report.pid() == pid && report.device().equals(device))
        .toList();
  }

  @Test
  void anOpenDeviceAnswersAndAClosedOneIsGone() throws Exception {
    String name;
    try (Context context = Devices.open("soft:new")) {
      name = context.device().name();
      context.allocPd();
      List<DeviceReport> reports = look(name);
      assertThat(reports).hasSize(1);
      assertThat(reports.getFirst().answers()).isTrue();
      assertThat(reports.getFirst().objects()).isEqualTo(Map.of("context", 1L, "pd", 1L));
    }
    assertThat(look(name)).isEmpty();
  }

  @Test
  void aDeviceWhoseProgramPollsAllTheTimeAnswersToo() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Context context = Devices.open("soft:new");
        CompletionQueue cq = context.createCq(1)) {
      Thread poller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get()) {
                      cq.poll(1);
                    }
                  });
      try {
        assertThat(look(context.device().name()))
            .extracting(DeviceReport::answers)
            .containsExactly(true);
      } finally {
        over.set(true);
        poller.join();
      }
    }
  }
}
