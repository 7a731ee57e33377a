package dev.verbena.soft.device;

import dev.verbena.soft.device.open.Identity;
import dev.verbena.soft.device.open.OpenDevice;
import dev.verbena.soft.device.open.SoftSpec;
import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.device.qp.XrcShares;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The devices of this process that are open: one per address, whose contexts share it. */
final class OpenDevices {
  /** Where soft0 looks for a free address: 127.0.0.1 to this one, then ::1. */
  private static final int LAST_LOOPBACK = 31;

  private static final String FUNCTION = "openDevice";

  /** A device that is open, and the XRC domains that its contexts share. */
  private record Present(OpenDevice device, XrcShares xrcShares) {}

  private final Surroundings surroundings;
  private final Map<Gid, Present> byAddress = new HashMap<>();
  private @Nullable Present first;

  /** None open. */
  OpenDevices(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Opens a context on the device that the specification names, and the device if need be. */
  synchronized SoftContext open(DeviceSpec text) {
    SoftSpec spec = SoftSpec.parse(text);
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
    Present used = present == null ? openNew(spec) : present;
    OpenDevice open = used.device();
    SoftDevice device = new SoftDevice(this, text, open.gid());
    SoftContext context = new SoftContext(this, open, device, used.xrcShares());
    open.add(context.asyncEvents());
    return context;
  }

  /** A context was closed: closes the device behind the last one. */
  synchronized void closed(OpenDevice device, SoftContext context) {
    if (device.remove(context.asyncEvents())) {
      byAddress.remove(device.gid());
      if (first != null && first.device() == device) {
        first = null;
      }
      device.close();
    }
  }

  /** The address of soft0: the present one if it is open, else the first that it will try. */
  synchronized Gid firstAddress() {
    return first != null ? first.device().gid() : loopbacks().getFirst();
  }

  private Present openNew(SoftSpec spec) {
    Gid address = spec.address();
    OpenDevice device = address == null ? openFirst(spec) : open(address, spec);
    XrcShares xrcShares = new XrcShares(device.engine(), Identity.name(device.gid()));
    Present present = new Present(device, xrcShares);
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
    return new OpenDevice(address, spec, surroundings, Rehearsal::once);
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
