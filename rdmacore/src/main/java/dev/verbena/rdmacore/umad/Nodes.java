package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.NodeSnapshot;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.Numbered;
import dev.verbena.verbs.PortSnapshot;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Reads the computer's nodes and their ports from libibumad. */
final class Nodes {
  private static final int MAX_NODES = 32;
  private static final int NAME_LENGTH = 20;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfInt BIG_ENDIAN_INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong BIG_ENDIAN_LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private Nodes() {}

  /** The names of all nodes. */
  static List<String> names() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = UmadNative.errorBuffer(arena);
      MemorySegment ca = arena.allocate(UmadCa.LAYOUT.size(), Long.BYTES);
      MemorySegment texts = arena.allocate((long) MAX_NODES * NAME_LENGTH);
      int count = UmadNative.getCasNames(error, texts, MAX_NODES);
      List<String> names = new ArrayList<>();
      for (int n = 0; n < count; n++) {
        String name = text(texts, (long) n * NAME_LENGTH, NAME_LENGTH);
        // If the library finds no node at all, it lists one that does not exist.
        if (UmadNative.getCa(error, arena.allocateFrom(name), ca) >= 0) {
          UmadNative.releaseCa(error, ca);
          names.add(name);
        }
      }
      return List.copyOf(names);
    }
  }

  /**
   * Reads a node.
   *
   * @param reader converts the struct umad_ca, which is valid during the call
   * @throws VerbsException if the library cannot read it
   */
  static <T> T read(String name, Function<MemorySegment, T> reader) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = UmadNative.errorBuffer(arena);
      MemorySegment ca = arena.allocate(UmadCa.LAYOUT.size(), Long.BYTES);
      int result = UmadNative.getCa(error, arena.allocateFrom(name), ca);
      if (result < 0) {
        throw new VerbsException("umad_get_ca", -result, "libibumad cannot read " + name);
      }
      try {
        return reader.apply(ca);
      } finally {
        UmadNative.releaseCa(error, ca);
      }
    }
  }

  /** The node in a struct umad_ca. */
  static NodeSnapshot node(MemorySegment ca) {
    return new NodeSnapshot(
        numbered(NodeType.values(), ca.get(INT, UmadCa.NODE_TYPE), NodeType.UNKNOWN),
        new Guid(ca.get(BIG_ENDIAN_LONG, UmadCa.NODE_GUID)),
        new Guid(ca.get(BIG_ENDIAN_LONG, UmadCa.SYSTEM_GUID)),
        "",
        text(ca, UmadCa.FW_VER, 20),
        text(ca, UmadCa.HW_VER, 20),
        "",
        text(ca, UmadCa.CA_TYPE, 40),
        ca.get(INT, UmadCa.NUMPORTS));
  }

  /**
   * A port of the node in a struct umad_ca. The library does not know its MTU, for which this
   * returns the one that every port supports, nor the subnet's timeout.
   *
   * @throws VerbsException ENODEV if there is no such port
   */
  static PortSnapshot port(MemorySegment ca, int portNum) {
    MemorySegment port = struct(ca, portNum);
    LinkLayer layer = linkLayer(text(port, UmadPort.LINK_LAYER, NAME_LENGTH));
    return new PortSnapshot(
        numbered(PortState.values(), port.get(INT, UmadPort.STATE), PortState.NOP),
        port.get(INT, UmadPort.PHYS_STATE),
        layer,
        port.get(INT, UmadPort.BASE_LID),
        port.get(INT, UmadPort.LMC),
        port.get(INT, UmadPort.SM_LID),
        port.get(INT, UmadPort.SM_SL),
        port.get(BIG_ENDIAN_INT, UmadPort.CAPMASK),
        0,
        Mtu.MTU_256,
        rate(port.get(INT, UmadPort.RATE)),
        List.of(
            new Gid(
                port.get(BIG_ENDIAN_LONG, UmadPort.GID_PREFIX),
                port.get(BIG_ENDIAN_LONG, UmadPort.PORT_GUID))),
        List.of(layer == LinkLayer.ETHERNET ? GidType.ROCE_V2 : GidType.IB),
        pkeys(port));
  }

  private static MemorySegment struct(MemorySegment ca, int portNum) {
    if (portNum >= 0 && portNum < UmadCa.MAX_PORTS) {
      long pointer = UmadCa.PORTS + portNum * ValueLayout.ADDRESS.byteSize();
      MemorySegment port = UmadNative.target(ca, pointer, UmadPort.LAYOUT.size());
      if (port.address() != 0) {
        return port;
      }
    }
    throw new VerbsException(
        "umad_get_ca",
        Errno.ENODEV,
        text(ca, UmadCa.CA_NAME, NAME_LENGTH) + " has no port " + portNum);
  }

  private static List<Integer> pkeys(MemorySegment port) {
    int size = port.get(INT, UmadPort.PKEYS_SIZE);
    MemorySegment table = UmadNative.target(port, UmadPort.PKEYS, (long) size * Short.BYTES);
    List<Integer> pkeys = new ArrayList<>(size);
    for (int n = 0; n < size; n++) {
      pkeys.add(Short.toUnsignedInt(table.getAtIndex(ValueLayout.JAVA_SHORT, n)));
    }
    return pkeys;
  }

  /** The constant with this number, or the one for unknown numbers. */
  private static <E extends Enum<E> & Numbered> E numbered(E[] constants, int number, E unknown) {
    return Arrays.stream(constants)
        .filter(constant -> constant.number() == number)
        .findFirst()
        .orElse(unknown);
  }

  /**
   * The library truncates the kernel's text to whole Gbit/s, and so does the name of our constant.
   */
  private static Rate rate(int gigabits) {
    return Arrays.stream(Rate.values())
        .filter(
            rate ->
                rate.name().equals("RATE_" + gigabits)
                    || rate.name().startsWith("RATE_" + gigabits + "_"))
        .findFirst()
        .orElse(Rate.MAX);
  }

  /** Old kernels have no such file: they supported InfiniBand only. */
  private static LinkLayer linkLayer(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "ib", "infiniband" -> LinkLayer.INFINIBAND;
      case "ethernet" -> LinkLayer.ETHERNET;
      default -> LinkLayer.UNSPECIFIED;
    };
  }

  /** Up to a zero byte, or all of the {@code length} bytes. */
  private static String text(MemorySegment struct, long offset, int length) {
    byte[] bytes = struct.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    int end = 0;
    while (end < length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
