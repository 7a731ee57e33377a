package dev.verbena.soft.device;

import dev.verbena.soft.device.spec.SoftSpec;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.TransportType;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A software device, open or not. */
final class SoftDevice implements Device {
  /** Far below the short time-out that {@code connect} sets, also both ways. */
  private static final Duration SHORT_DELAY = Duration.ofMillis(1);

  private final OpenDevices devices;
  private final DeviceSpec spec;
  private final SoftSpec understood;
  private final @Nullable Gid address;

  /**
   * @param understood the meaning of {@code spec}
   * @param address its address; null if unknown before it is opened
   */
  SoftDevice(OpenDevices devices, DeviceSpec spec, SoftSpec understood, @Nullable Gid address) {
    this.devices = devices;
    this.spec = spec;
    this.understood = understood;
    this.address = address;
  }

  @Override
  public String name() {
    return spec.name().equals(SoftSpec.FIRST) ? SoftSpec.FIRST : understood.deviceName(gid());
  }

  /**
   * {@inheritDoc}
   *
   * <p>For soft0 while it is not open: the GUID that it would get now.
   */
  @Override
  public long guid() {
    return understood.guid(gid());
  }

  private Gid gid() {
    return Objects.requireNonNullElseGet(address, devices::firstAddress);
  }

  @Override
  public NodeType nodeType() {
    return NodeType.CA;
  }

  @Override
  public TransportType transportType() {
    return TransportType.IB;
  }

  @Override
  public DeviceSpec spec() {
    return spec;
  }

  @Override
  public boolean losesPackets() {
    FaultSpec faults = understood.faults();
    boolean delays = faults.delay() > 0 && faults.delayTime().compareTo(SHORT_DELAY) > 0;
    return faults.losesPackets() && !delays;
  }

  @Override
  public Context open() {
    return devices.open(spec);
  }

  /** Devices with the same name are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SoftDevice device && device.name().equals(name());
  }

  @Override
  public int hashCode() {
    return name().hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
