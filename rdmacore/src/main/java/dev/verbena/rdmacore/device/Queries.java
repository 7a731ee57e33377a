package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.call.Operations;
import dev.verbena.rdmacore.host.DeviceAttrs;
import dev.verbena.rdmacore.host.FieldBits;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvDeviceAttr;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.rdmacore.layout.IbvGid;
import dev.verbena.rdmacore.layout.IbvGidEntry;
import dev.verbena.rdmacore.layout.IbvPortAttr;
import dev.verbena.rdmacore.layout.IbvValuesEx;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.ValuesEx;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a context answers about its device and ports. */
final class Queries {
  private static final int MOST_PORTS = 255;
  private static final int MAC_BYTES = 6;

  private final Handle handle;

  /**
   * @param handle of the context
   */
  Queries(Handle handle) {
    this.handle = handle;
  }

  int numCompVectors(String verb) {
    try (Handle.Use context = handle.use(verb)) {
      return Host.getInt(context.address() + IbvContext.NUM_COMP_VECTORS);
    }
  }

  DeviceAttr device(String verb) {
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = room(arena, IbvDeviceAttr.LAYOUT.size());
      Functions.QUERY_DEVICE.call(verb, context.address(), out).orThrow(verb, query());
      return DeviceAttrs.device(out);
    }
  }

  /** As the inline function: a driver without the extended query has the plain one. */
  DeviceAttrEx deviceEx(String verb) {
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long size = IbvDeviceAttrEx.LAYOUT.size();
      long out = room(arena, size);
      FunctionNative extended =
          new Operations(context.address())
              .extended("query_device_ex", VerbsContext.QUERY_DEVICE_EX);
      int status =
          extended.exists()
              ? extended.call(verb, context.address(), 0, out, size).status()
              : Errno.EOPNOTSUPP;
      if (status == Errno.EOPNOTSUPP || status == Errno.ENOSYS) {
        Functions.QUERY_DEVICE.call(verb, context.address(), out).orThrow(verb, query());
        int ports = Host.getByte(out + IbvDeviceAttr.PHYS_PORT_CNT);
        Host.setInt(out + IbvDeviceAttrEx.PHYS_PORT_CNT_EX, ports);
      } else if (status != 0) {
        throw new VerbsException(verb, status, "query_device_ex refuses " + query());
      }
      Offered.maskEx(out);
      return DeviceAttrs.deviceEx(out);
    }
  }

  PortAttr port(String verb, int portNum) {
    requirePort(verb, portNum);
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long size = IbvPortAttr.sizeWithSpeedEx();
      long out = room(arena, size);
      FunctionNative extended =
          new Operations(context.address()).extended("query_port", VerbsContext.QUERY_PORT);
      Answer answer =
          extended.exists()
              ? extended.call(verb, context.address(), portNum, out, size)
              : Functions.QUERY_PORT.call(verb, context.address(), portNum, out);
      answer.orThrow(
          verb, () -> "port " + portNum + ": the " + handle + " has ports 1 to " + ports());
      return DeviceAttrs.port(out);
    }
  }

  Gid gid(String verb, int portNum, int index) {
    requirePort(verb, portNum);
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = room(arena, IbvGid.LAYOUT.size());
      Functions.QUERY_GID
          .call(verb, context.address(), portNum, index, out)
          .orThrow(verb, entry("GID", portNum, index));
      return Structs.gid(out);
    }
  }

  GidEntry gidEntry(String verb, int portNum, int index) {
    requirePort(verb, portNum);
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long size = IbvGidEntry.LAYOUT.size();
      long out = room(arena, size);
      Functions.QUERY_GID_EX
          .call(verb, context.address(), portNum, index, out, 0, size)
          .orThrow(verb, entry("GID", portNum, index));
      return DeviceAttrs.gidEntry(out);
    }
  }

  List<GidEntry> gidTable(String verb) {
    int most = 0;
    for (int port = 1; port <= device(verb).physPortCnt(); port++) {
      most += port(verb, port).gidTblLen();
    }
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long size = IbvGidEntry.LAYOUT.size();
      long out = room(arena, Math.max(1, most) * size);
      Answer answer = Functions.QUERY_GID_TABLE.call(verb, context.address(), out, most, 0, size);
      if (answer.value() < 0) {
        answer.orThrow(verb, "to read the GID table of the " + handle + ", with room for " + most);
      }
      List<GidEntry> entries = new ArrayList<>();
      for (long i = 0; i < answer.value(); i++) {
        entries.add(DeviceAttrs.gidEntry(out + i * size));
      }
      return List.copyOf(entries);
    }
  }

  int pkey(String verb, int portNum, int index) {
    requirePort(verb, portNum);
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = room(arena, Long.BYTES);
      Answer answer = Functions.QUERY_PKEY.call(verb, context.address(), portNum, index, out);
      if (answer.status() == Errno.ENOENT) {
        // The library looks for a file of this number.
        throw new VerbsException(
            verb, Errno.EINVAL, "there is no " + entry("P_Key", portNum, index));
      }
      answer.orThrow(verb, entry("P_Key", portNum, index));
      return Host.getNetworkShort(out);
    }
  }

  int pkeyIndex(String verb, int portNum, int pkey) {
    int entries = port(verb, portNum).pkeyTblLen();
    for (int index = 0; index < entries; index++) {
      if (pkey(verb, portNum, index) == pkey) {
        return index;
      }
    }
    throw new VerbsException(
        verb,
        Errno.ENOENT,
        "P_Key 0x"
            + Integer.toHexString(pkey)
            + " is not among the "
            + entries
            + " of port "
            + portNum
            + " of the "
            + handle);
  }

  /** The library reads the sender from a completion and the GRH of its receive. */
  AhAttr sender(String verb, int portNum, WorkCompletion wc, @Nullable MemorySegment grh) {
    requirePort(verb, portNum);
    boolean hasGrh = (wc.wcFlags() & WcFlags.GRH) != 0;
    if (hasGrh && (grh == null || grh.byteSize() < Grh.LENGTH)) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          "a completion with the flag GRH has "
              + Grh.LENGTH
              + " bytes of it, here are "
              + (grh == null ? 0 : grh.byteSize()));
    }
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = room(arena, IbvWc.LAYOUT.size());
      Host.setInt(in + IbvWc.SRC_QP, wc.srcQp());
      Host.setInt(in + IbvWc.WC_FLAGS, wc.wcFlags());
      Host.setShort(in + IbvWc.SLID, FieldBits.requireFit(verb, "slid", wc.slid(), Short.SIZE));
      Host.setByte(in + IbvWc.SL, FieldBits.requireFit(verb, "sl", wc.sl(), Byte.SIZE));
      Host.setByte(
          in + IbvWc.DLID_PATH_BITS,
          FieldBits.requireFit(verb, "dlid_path_bits", wc.dlidPathBits(), Byte.SIZE));
      MemorySegment header = arena.allocate(Grh.LENGTH, Long.BYTES);
      if (hasGrh && grh != null) {
        copy(verb, grh, header);
      }
      long out = room(arena, IbvAhAttr.LAYOUT.size());
      Functions.INIT_AH_FROM_WC
          .call(verb, context.address(), portNum, in, header.address(), out)
          .orThrow(
              verb, "to name the sender of " + wc + " at port " + portNum + " of the " + handle);
      return Structs.ahAttr(out);
    }
  }

  private static void copy(String verb, MemorySegment grh, MemorySegment to) {
    try {
      MemorySegment.copy(grh, 0, to, 0, Grh.LENGTH);
    } catch (IllegalStateException | InternalError e) {
      throw new VerbsException(
          verb, Errno.EFAULT, "the memory of the GRH area is gone: closed, or a file cut short", e);
    } catch (WrongThreadException e) {
      throw new VerbsException(
          verb, Errno.EFAULT, "the GRH area belongs to another thread's confined arena", e);
    }
  }

  ValuesEx values(String verb, int mask) {
    try (Handle.Use context = handle.use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = room(arena, IbvValuesEx.LAYOUT.size());
      Host.setInt(out + IbvValuesEx.COMP_MASK, mask);
      new Operations(context.address())
          .extended("query_rt_values", VerbsContext.QUERY_RT_VALUES)
          .call(verb, context.address(), out)
          .orThrow(verb, "to read the values 0x" + Integer.toHexString(mask) + " of the " + handle);
      return new ValuesEx(
          Host.getInt(out + IbvValuesEx.COMP_MASK),
          Host.getLong(out + IbvValuesEx.RAW_CLOCK_TV_NSEC));
    }
  }

  /** That of the network interface which has the port's first GID with one. */
  MacAddress mac(String verb, int portNum) {
    port(verb, portNum);
    for (GidEntry entry : gidTable(verb)) {
      if (entry.portNum() == portNum && entry.ndevIfindex() != 0) {
        return mac(verb, entry);
      }
    }
    throw noMac(verb, "port " + portNum + " has no GID of a network interface");
  }

  private static MacAddress mac(String verb, GidEntry entry) {
    try {
      NetworkInterface network = NetworkInterface.getByIndex(entry.ndevIfindex());
      byte[] address = network == null ? null : network.getHardwareAddress();
      if (address == null || address.length != MAC_BYTES) {
        throw noMac(verb, "the network interface of " + entry + " has no Ethernet address");
      }
      return MacAddress.ofBytes(address);
    } catch (SocketException e) {
      throw new VerbsException(verb, Errno.EIO, "network interfaces cannot be read", e);
    }
  }

  private static VerbsException noMac(String verb, String detail) {
    return new VerbsException(verb, Errno.EOPNOTSUPP, detail);
  }

  /** The library takes 8 bits of it. */
  private void requirePort(String verb, int portNum) {
    if (portNum < 1 || portNum > MOST_PORTS) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          "port " + portNum + " does not exist: the " + handle + " has ports 1 to " + ports());
    }
  }

  private int ports() {
    return device("queryDevice").physPortCnt();
  }

  private String query() {
    return "to tell what the " + handle + " is and can do";
  }

  private String entry(String what, int portNum, int index) {
    return what + " index " + index + " of port " + portNum + " of the " + handle;
  }

  private static long room(Arena arena, long bytes) {
    return arena.allocate(bytes, Long.BYTES).address();
  }
}
