package dev.verbena.verbs.spi;

import java.time.Duration;
import java.util.List;

/**
 * Tells what the open devices of all processes of this user have counted, and of all users if this
 * is root. Implementations are found by {@link java.util.ServiceLoader}; they have a public
 * constructor without parameters, or a static provider method.
 */
public interface DeviceMonitor {
  /**
   * Asks all devices, and waits for their answers.
   *
   * @param timeout how long to wait for those that do not answer; a device answers within about a
   *     second
   * @return the devices in the order of their processes and names
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  List<DeviceReport> look(Duration timeout) throws InterruptedException;
}
