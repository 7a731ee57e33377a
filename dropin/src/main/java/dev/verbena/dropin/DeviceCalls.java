package dev.verbena.dropin;

import dev.verbena.dropin.object.ContextBinding;
import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.struct.Completions;
import dev.verbena.rdmacore.host.DeviceAttrs;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.rdmacore.layout.IbvGidEntry;
import dev.verbena.rdmacore.layout.IbvGrh;
import dev.verbena.rdmacore.layout.IbvValuesEx;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.ValuesEx;
import dev.verbena.verbs.ValuesMask;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls about devices, contexts and ports. */
final class DeviceCalls {

  /** The capabilities that a C program cannot have; {@link MemoryCalls} explains why. */
  private static final long CAPS_OF_JAVA = DeviceCapEx.FLUSH_PERSISTENT;

  /** The report of each address that was opened. */
  private static final Map<Gid, Report> REPORTS = new LinkedHashMap<>();

  static long openDevice(long spec, long name, long struct, long asyncFd, long guid) {
    Context context;
    try {
      context = Devices.open(DeviceSpec.parse(Host.getString(spec)));
    } catch (VerbsException e) {
      // A wrong specification is the user's error; the program would only show an errno.
      Console.say("%s: %s".formatted(Host.getString(name), e.getMessage()));
      throw e;
    }
    context.asyncEventSource().onReadiness(new EventFdNative((int) asyncFd));
    Host.setInt(struct + IbvContext.NUM_COMP_VECTORS, context.numCompVectors());
    Host.setLong(guid, context.device().guid());
    synchronized (REPORTS) {
      REPORTS.put(context.queryGid(1, 0), Report.of(context));
    }
    return Handles.add(context, new ContextBinding(context, struct));
  }

  static long closeDevice(long handle) {
    Context context = context(handle);
    context.asyncEventSource().onReadiness(null);
    context.close();
    Handles.removeAll(context);
    return 0;
  }

  /** A counter of this context's device, by its stable name. */
  static long counter(long handle, long name) {
    return context(handle).counters().get(Counter.of(Host.getString(name)));
  }

  /** The last call of the process. */
  static long report() {
    boolean json = "json".equals(System.getenv("VERBENA_REPORT"));
    if (json || Console.wants("VERBENA_REPORT")) {
      synchronized (REPORTS) {
        for (Report report : REPORTS.values()) {
          if (json) {
            System.err.println(report.json());
          } else {
            Console.say(report.line());
          }
        }
      }
    }
    return 0;
  }

  static Context context(long handle) {
    return Handles.get(handle, HandleKind.CONTEXT).context();
  }

  static long queryDevice(long handle, long out) {
    DeviceAttrEx ex = context(handle).queryDeviceEx();
    DeviceAttrs.setDeviceEx(out, ex);
    Host.setLong(out + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX, ex.deviceCapFlagsEx() & ~CAPS_OF_JAVA);
    return 0;
  }

  static long queryPort(long handle, long portNum, long out) {
    DeviceAttrs.setPort(out, context(handle).queryPort((int) portNum));
    return 0;
  }

  static long queryPortSpeed(long handle, long portNum) {
    return context(handle).queryPortSpeed((int) portNum);
  }

  static long queryRtValues(long handle, long values) {
    int mask = Host.getInt(values + IbvValuesEx.COMP_MASK);
    ValuesEx answer = context(handle).queryRtValuesEx(mask);
    if ((answer.compMask() & ValuesMask.RAW_CLOCK) != 0) {
      Host.setLong(values + IbvValuesEx.RAW_CLOCK_TV_SEC, 0);
      Host.setLong(values + IbvValuesEx.RAW_CLOCK_TV_NSEC, answer.rawClock());
    }
    Host.setInt(values + IbvValuesEx.COMP_MASK, answer.compMask());
    return 0;
  }

  static long queryGid(long handle, long portNum, long index, long out) {
    Structs.setGid(out, context(handle).queryGid((int) portNum, (int) index));
    return 0;
  }

  static long queryGidEx(long handle, long portNum, long index, long out) {
    DeviceAttrs.setGidEntry(out, context(handle).queryGidEx((int) portNum, (int) index));
    return 0;
  }

  static long queryGidTable(long handle, long out, long max, long entrySize) {
    if (entrySize < IbvGidEntry.LAYOUT.size()) {
      throw new VerbsException(
          "queryGidTable", Errno.EINVAL, "entries of " + entrySize + " bytes are too small");
    }
    List<GidEntry> entries = context(handle).queryGidTable();
    if (entries.size() > max) {
      throw new VerbsException(
          "queryGidTable",
          Errno.EINVAL,
          "%d entries, and room for %d".formatted(entries.size(), max));
    }
    for (int i = 0; i < entries.size(); i++) {
      DeviceAttrs.setGidEntry(out + i * entrySize, entries.get(i));
    }
    return entries.size();
  }

  static long queryPkey(long handle, long portNum, long index) {
    return context(handle).queryPkey((int) portNum, (int) index);
  }

  static long getPkeyIndex(long handle, long portNum, long pkey) {
    return context(handle).getPkeyIndex((int) portNum, (int) pkey);
  }

  static long initAhFromWc(long handle, long portNum, long wc, long grh, long out) {
    AhAttr attr =
        context(handle)
            .initAhFromWc(
                (int) portNum,
                Completions.sender(wc),
                grh == 0 ? null : HostNative.segment(grh, IbvGrh.LAYOUT.size()));
    Structs.setAhAttr(out, attr);
    return 0;
  }

  private DeviceCalls() {}
}
