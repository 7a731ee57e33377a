package dev.verbena.soft.device;

import dev.verbena.soft.device.open.CountersReader;
import dev.verbena.verbs.spi.DeviceMonitor;
import dev.verbena.verbs.spi.DeviceReport;
import java.time.Duration;
import java.util.List;

/** What the open software devices of this user's processes have counted; of all users' for root. */
public final class SoftMonitor implements DeviceMonitor {
  /** For ServiceLoader. */
  public SoftMonitor() {}

  @Override
  public List<DeviceReport> look(Duration timeout) throws InterruptedException {
    return CountersReader.look(timeout);
  }
}
