package dev.verbena.verbs;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds one {@link RdmaDevice} for each device, and the end port of each open context, for as long
 * as they are in use.
 */
final class EndPorts {
  private static final Map<Device, WeakReference<RdmaDevice>> DEVICES = new WeakHashMap<>();
  private static final Map<Context, EndPort> BY_CONTEXT = new WeakHashMap<>();

  /** The end port that the context was opened for; port 1 if it was not opened for one. */
  static EndPort of(Context context) {
    synchronized (BY_CONTEXT) {
      EndPort known = BY_CONTEXT.get(context);
      if (known != null) {
        return known;
      }
    }
    return attach(context, null);
  }

  /**
   * Records the end port of a context, and makes the context available for queries of the device.
   *
   * @param port null for the device's first
   */
  static EndPort attach(Context context, @Nullable EndPort port) {
    RdmaDevice device = port != null ? port.device() : device(context.device());
    if (device.source() instanceof VerbsNode node && node.attach(context)) {
      device.opened();
    }
    EndPort attached = port != null ? port : device.endPort(1);
    synchronized (BY_CONTEXT) {
      EndPort earlier = BY_CONTEXT.putIfAbsent(context, attached);
      return earlier != null ? earlier : attached;
    }
  }

  /** Returns the known device, or else a new one. */
  static RdmaDevice device(Device device) {
    RdmaDevice fresh = new RdmaDevice(device.name(), new VerbsNode(device));
    synchronized (DEVICES) {
      WeakReference<RdmaDevice> reference = DEVICES.get(device);
      RdmaDevice earlier = reference == null ? null : reference.get();
      if (earlier != null) {
        return earlier;
      }
      // The key must be the object that the value references: the entry would vanish with any
      // other.
      DEVICES.remove(device);
      DEVICES.put(device, new WeakReference<>(fresh));
      return fresh;
    }
  }

  /** The devices that are referenced or open. */
  static List<RdmaDevice> known() {
    List<RdmaDevice> all = new ArrayList<>();
    synchronized (DEVICES) {
      for (WeakReference<RdmaDevice> reference : DEVICES.values()) {
        RdmaDevice device = reference.get();
        if (device != null) {
          all.add(device);
        }
      }
    }
    return all;
  }

  private EndPorts() {}
}
