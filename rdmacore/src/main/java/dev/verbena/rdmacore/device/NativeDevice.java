package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Libibverbs;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvDevice;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.TransportType;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * A device of libibverbs.
 *
 * @param name its name there
 * @param guid node GUID
 * @param nodeType kind of node
 * @param transportType transport
 */
record NativeDevice(String name, long guid, NodeType nodeType, TransportType transportType)
    implements Device {
  private static final String OPEN = "openDevice";

  /** All devices of the library. */
  static List<Device> list() {
    try (DeviceList list = new DeviceList("getDeviceList")) {
      return list.devices().stream().<Device>map(NativeDevice::of).toList();
    }
  }

  private static NativeDevice of(long device) {
    return new NativeDevice(
        DeviceList.name(device),
        Long.reverseBytes(Functions.GET_DEVICE_GUID.call("getDeviceGuid", device).value()),
        NodeType.of(Host.getInt(device + IbvDevice.NODE_TYPE)),
        TransportType.of(Host.getInt(device + IbvDevice.TRANSPORT_TYPE)));
  }

  /**
   * Opens the device of this name.
   *
   * @throws VerbsException ENODEV if the library has none
   */
  static Context open(String name) {
    try (DeviceList list = new DeviceList(OPEN)) {
      long device = list.find(name);
      if (device == 0) {
        throw new VerbsException(
            OPEN,
            Errno.ENODEV,
            "there is no device '"
                + name
                + "'; "
                + Libibverbs.whyMissing(list.devices().stream().map(DeviceList::name).toList()));
      }
      String what = "to open " + name + Libibverbs.advice(DeviceList.fileName(device));
      long context = Functions.OPEN_DEVICE.call(OPEN, device).pointer(OPEN, what);
      return NativeContext.of(of(device), context);
    }
  }

  @Override
  public DeviceSpec spec() {
    DeviceSpec plain = DeviceSpec.named(name);
    return plain.isSoftware() ? DeviceSpec.parse(RdmacoreProvider.KIND + ":" + name) : plain;
  }

  @Override
  public Context open() {
    return open(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
