package dev.verbena.soft.device;

import dev.verbena.soft.device.open.Links;
import dev.verbena.soft.device.open.OpenDevice;
import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.device.qp.XrcShares;
import dev.verbena.soft.device.spec.NodeSpec;
import dev.verbena.soft.device.spec.SoftSpec;
import dev.verbena.soft.device.spec.SoftSubnet;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.spi.ManagementAgent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open devices of this process: one for each address, shared by its contexts. */
final class OpenDevices {
  /** Where soft0 looks for a free address: 127.0.0.1 to this one, then ::1. */
  private static final int LAST_LOOPBACK = 31;

  private static final String IPV4 = "127.0.0.1 to 127.0.0." + LAST_LOOPBACK;

  private static final String FUNCTION = "openDevice";

  /**
   * A device that is open.
   *
   * @param text the specification that first opened it
   * @param xrcShares the XRC domains that its contexts share
   */
  private record Present(DeviceSpec text, OpenDevice device, XrcShares xrcShares) {}

  private final Surroundings surroundings;
  private final Logger log;
  private final SoftSubnet subnet = new SoftSubnet();
  private final Map<Gid, Present> byAddress = new LinkedHashMap<>();
  private @Nullable Present first;
  private @Nullable SubnetManager manager;

  /** No open devices. */
  OpenDevices(Surroundings surroundings) {
    this(surroundings, System.getLogger(OpenDevices.class.getName()));
  }

  /** No open devices, with a log for unexpected conditions. */
  OpenDevices(Surroundings surroundings, Logger log) {
    this.surroundings = surroundings;
    this.log = log;
  }

  /** Opens a context on the device that the specification names, and the device if necessary. */
  synchronized SoftContext open(DeviceSpec given) {
    SoftSpec spec = SoftSpec.parse(given);
    DeviceSpec text = spec.pinned(given);
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
            FUNCTION, Errno.EBUSY, "'" + text + "' is open in this process with " + differences);
      }
    }
    Present used = present == null ? openNew(text, spec) : present;
    OpenDevice open = used.device();
    SoftDevice device = new SoftDevice(this, text, spec, open.gid());
    SoftContext context = new SoftContext(this, open, device, used.xrcShares());
    open.add(context.asyncEvents().weakly());
    return context;
  }

  /** The context with these events has been closed; closes the device with its last context. */
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

  /** Lets the manager's node join before the first other node does, if there is an agent for it. */
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

  /** Lets the manager's node leave after the last other node has left. */
  private void relieve() {
    SubnetManager present = manager;
    if (present != null && nodes().isEmpty()) {
      manager = null;
      present.close();
    }
  }

  /** The nodes of the subnet opened by programs. */
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

  /**
   * The address of soft0: the current one if it is open, otherwise the one that it would get now.
   */
  synchronized Gid firstAddress() {
    if (first != null) {
      return first.device().gid();
    }
    List<Gid> candidates = loopbacks();
    return candidates.stream()
        .filter(candidate -> !byAddress.containsKey(candidate))
        .filter(candidate -> !Links.isTaken(candidate))
        .findFirst()
        .orElse(candidates.getFirst());
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
    VerbsException reason = null;
    for (Gid candidate : loopbacks()) {
      if (byAddress.containsKey(candidate)) {
        continue;
      }
      try {
        OpenDevice opened = open(candidate, spec);
        if (!candidate.isIpv4Mapped()) {
          log.log(
              Level.WARNING,
              "soft0 has the address "
                  + candidate
                  + ", which devices on IPv4 addresses do not reach: "
                  + (reason == null ? IPV4 + " have devices of this process" : reason.detail()));
        }
        return opened;
      } catch (VerbsException e) {
        if (e.errno() != Errno.EADDRINUSE && e.errno() != Errno.EADDRNOTAVAIL) {
          throw e;
        }
        reason = reason == null ? e : reason;
      }
    }
    throw noneFree(reason);
  }

  private OpenDevice open(Gid address, SoftSpec spec) {
    return new OpenDevice(address, spec, subnet, surroundings, Rehearsal::once);
  }

  private static VerbsException noneFree(@Nullable VerbsException reason) {
    String why = "none of " + IPV4 + " and ::1 is free";
    return reason == null
        ? new VerbsException(
            FUNCTION, Errno.EADDRINUSE, why + ": all have devices of this process; use soft:new")
        : new VerbsException(
            FUNCTION, reason.errno(), why + ". The first: " + reason.detail(), reason);
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
