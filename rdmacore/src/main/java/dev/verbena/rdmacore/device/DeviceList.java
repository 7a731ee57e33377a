package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvDevice;
import dev.verbena.verbs.Errno;
import java.util.ArrayList;
import java.util.List;

/** The devices of the library at one moment. */
final class DeviceList implements AutoCloseable {
  private final long list;
  private final List<Long> devices = new ArrayList<>();

  /**
   * @param verb who asks
   */
  DeviceList(String verb) {
    Answer answer = Functions.GET_DEVICE_LIST.call(verb, 0);
    // Without the kernel's modules the library has no list.
    list =
        answer.value() == 0 && answer.errno() == Errno.ENOSYS
            ? 0
            : answer.pointer(verb, "to list devices");
    if (list == 0) {
      return;
    }
    for (long each = list; Host.getLong(each) != 0; each += Long.BYTES) {
      devices.add(Host.getLong(each));
    }
  }

  /** The structs. */
  List<Long> devices() {
    return devices;
  }

  /** The struct of the device of this name, or 0. */
  long find(String name) {
    for (long device : devices) {
      if (name(device).equals(name)) {
        return device;
      }
    }
    return 0;
  }

  /** The name of a device. */
  static String name(long device) {
    return Host.getString(device + IbvDevice.NAME);
  }

  /** The name of its file in /dev/infiniband. */
  static String fileName(long device) {
    return Host.getString(device + IbvDevice.DEV_NAME);
  }

  @Override
  public void close() {
    if (list != 0) {
      Functions.FREE_DEVICE_LIST.call("freeDeviceList", list);
    }
  }
}
