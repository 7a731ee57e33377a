package dev.verbena.soft.device;

import dev.verbena.soft.device.open.OpenDevice;
import dev.verbena.soft.device.open.SoftSpec;
import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.device.qp.XrcShares;
import dev.verbena.soft.device.subnet.NodeSpec;
import dev.verbena.soft.device.subnet.SoftSubnet;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.spi.ManagementAgent;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The devices of this process that are open: one per address, whose contexts share it. */
final class OpenDevices {
  /** Where soft0 looks for a free address: 127.0.0.1 to this one, then ::1. */
  private static final int LAST_LOOPBACK = 31;

  private static final String FUNCTION = "openDevice";

  /**
   * A device that is open.
   *
   * @param text by what it was opened first
   * @param xrcShares the XRC domains that its contexts share
   */
  private record Present(DeviceSpec text, OpenDevice device, XrcShares xrcShares) {}

  private final Surroundings surroundings;
  private final SoftSubnet subnet = new SoftSubnet();
  private final Map<Gid, Present> byAddress = new LinkedHashMap<>();
  private @Nullable Present first;
  private @Nullable SubnetManager manager;

  /** None open. */
  OpenDevices(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Opens a context on the device that the specification names, and the device if need be. */
  synchronized SoftContext open(DeviceSpec text) {
    SoftSpec spec = SoftSpec.parse(text);
    if (spec.node() == null) {
      return open(text, spec);
    }
    manage();
    try {
      return open(text, spec);
    } finally {
      relieve();
    }
  }

  private SoftContext open(DeviceSpec text, SoftSpec spec) {
    Present present = spec.address() == null ? first : byAddress.get(spec.address());
    if (present != null) {
      String differences = present.device().spec().differences(spec);
      if (!differences.isEmpty()) {
        throw new VerbsException(
            FUNCTION,
            Errno.EBUSY,
            "'" + text + "' is open in this process with other options: " + differences);
      }
    }
    Present used = present == null ? openNew(text, spec) : present;
    OpenDevice open = used.device();
    SoftDevice device = new SoftDevice(this, text, spec, open.gid());
    SoftContext context = new SoftContext(this, open, device, used.xrcShares());
    open.add(context.asyncEvents().weakly());
    return context;
  }

  /** The context with these events was closed: closes the device behind the last one. */
  synchronized void closed(OpenDevice device, Reference<AsyncEvents> context) {
    if (device.remove(context)) {
      byAddress.remove(device.gid());
      if (first != null && first.device() == device) {
        first = null;
      }
      device.close();
      relieve();
    }
  }

  /** Before the first node joins, the one of the manager does, if there is an agent for it. */
  private void manage() {
    if (manager == null) {
      ManagementAgent agent = SubnetManager.findAgent();
      if (agent != null) {
        SoftContext context =
            open(DeviceSpec.named(NodeSpec.MANAGER.deviceName()), SoftSpec.MANAGER);
        manager = SubnetManager.start(context, subnet, agent);
      }
    }
  }

  /** After the last node has left, the one of the manager does. */
  private void relieve() {
    SubnetManager present = manager;
    if (present != null && nodes().isEmpty()) {
      manager = null;
      present.close();
    }
  }

  /** The nodes of the subnet that programs have opened. */
  private List<Present> nodes() {
    return byAddress.values().stream()
        .filter(present -> present.device().node() != null)
        .filter(present -> !present.device().spec().equals(SoftSpec.MANAGER))
        .toList();
  }

  /** The devices that can be listed: soft0, and the nodes of the subnet that are open. */
  synchronized List<Device> list() {
    List<Device> devices = new ArrayList<>();
    DeviceSpec soft0 = DeviceSpec.named(SoftSpec.FIRST);
    devices.add(new SoftDevice(this, soft0, SoftSpec.parse(soft0), null));
    for (Present node : nodes()) {
      OpenDevice open = node.device();
      devices.add(new SoftDevice(this, node.text(), open.spec(), open.gid()));
    }
    return devices;
  }

  /** The address of soft0: the present one if it is open, else the first that it will try. */
  synchronized Gid firstAddress() {
    return first != null ? first.device().gid() : loopbacks().getFirst();
  }

  private Present openNew(DeviceSpec text, SoftSpec spec) {
    Gid address = spec.address();
    OpenDevice device = address == null ? openFirst(spec) : open(address, spec);
    XrcShares xrcShares = new XrcShares(device.engine());
    Present present = new Present(text, device, xrcShares);
    byAddress.put(device.gid(), present);
    if (address == null) {
      first = present;
    }
    return present;
  }

  private OpenDevice openFirst(SoftSpec spec) {
    VerbsException last = null;
    for (Gid candidate : loopbacks()) {
      if (byAddress.containsKey(candidate)) {
        continue;
      }
      try {
        return open(candidate, spec);
      } catch (VerbsException e) {
        if (e.errno() != Errno.EADDRINUSE && e.errno() != Errno.EADDRNOTAVAIL) {
          throw e;
        }
        last = e;
      }
    }
    throw noneFree(last);
  }

  private OpenDevice open(Gid address, SoftSpec spec) {
    return new OpenDevice(address, spec, subnet, surroundings, Rehearsal::once);
  }

  private static VerbsException noneFree(@Nullable VerbsException last) {
    String why =
        "none of 127.0.0.1 to 127.0.0."
            + LAST_LOOPBACK
            + " and ::1 is free at UDP port 4791. The kernel's rdma_rxe module holds that port on"
            + " all addresses: unload it, or name another address with soft:ADDRESS";
    return last == null
        ? new VerbsException(FUNCTION, Errno.EADDRINUSE, why)
        : new VerbsException(
            FUNCTION, last.errno(), why + ". Last error: " + last.getMessage(), last);
  }

  private static List<Gid> loopbacks() {
    List<Gid> all = new ArrayList<>();
    for (int host = 1; host <= LAST_LOOPBACK; host++) {
      all.add(Gid.parse("127.0.0." + host));
    }
    all.add(Gid.parse("::1"));
    return all;
  }
}
