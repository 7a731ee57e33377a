package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.spi.MadAddress;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Converts the address in front of a datagram between a value and the kernel's form. */
final class UmadAddress {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt BIG_ENDIAN_INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int GID_LENGTH = 16;

  private UmadAddress() {}

  /** Writes all fields of the address, and nothing else. */
  static void write(MadAddress to, MemorySegment umad) {
    AhAttr route = to.route();
    umad.asSlice(IbUserMad.ADDR_QPN, IbUserMad.LAYOUT.size() - IbUserMad.ADDR_QPN).fill((byte) 0);
    umad.set(BIG_ENDIAN_INT, IbUserMad.ADDR_QPN, to.qpn());
    umad.set(BIG_ENDIAN_INT, IbUserMad.ADDR_QKEY, to.qkey());
    umad.set(BIG_ENDIAN_SHORT, IbUserMad.ADDR_LID, (short) route.dlid());
    umad.set(BYTE, IbUserMad.ADDR_SL, (byte) route.sl());
    umad.set(BYTE, IbUserMad.ADDR_PATH_BITS, (byte) route.srcPathBits());
    umad.set(SHORT, IbUserMad.ADDR_PKEY_INDEX, (short) to.pkeyIndex());
    if (route.isGlobal()) {
      umad.set(BYTE, IbUserMad.ADDR_GRH_PRESENT, (byte) 1);
      umad.set(BYTE, IbUserMad.ADDR_GID_INDEX, (byte) route.sgidIndex());
      umad.set(BYTE, IbUserMad.ADDR_HOP_LIMIT, (byte) route.hopLimit());
      umad.set(BYTE, IbUserMad.ADDR_TRAFFIC_CLASS, (byte) route.trafficClass());
      umad.set(BIG_ENDIAN_INT, IbUserMad.ADDR_FLOW_LABEL, route.flowLabel());
      MemorySegment.copy(route.dgid().toBytes(), 0, umad, BYTE, IbUserMad.ADDR_GID, GID_LENGTH);
    }
  }

  /** The sender of a datagram, and the route back. */
  static MadAddress read(MemorySegment umad, int portNum) {
    boolean isGlobal = umad.get(BYTE, IbUserMad.ADDR_GRH_PRESENT) != 0;
    byte[] gid = umad.asSlice(IbUserMad.ADDR_GID, GID_LENGTH).toArray(BYTE);
    AhAttr route =
        new AhAttr(
            isGlobal,
            isGlobal ? Gid.ofBytes(gid) : Gid.ZERO,
            unsigned(umad, IbUserMad.ADDR_GID_INDEX),
            umad.get(BIG_ENDIAN_INT, IbUserMad.ADDR_FLOW_LABEL),
            unsigned(umad, IbUserMad.ADDR_HOP_LIMIT),
            unsigned(umad, IbUserMad.ADDR_TRAFFIC_CLASS),
            Short.toUnsignedInt(umad.get(BIG_ENDIAN_SHORT, IbUserMad.ADDR_LID)),
            unsigned(umad, IbUserMad.ADDR_SL),
            unsigned(umad, IbUserMad.ADDR_PATH_BITS),
            Rate.MAX,
            portNum);
    int qpn = umad.get(BIG_ENDIAN_INT, IbUserMad.ADDR_QPN);
    // The kernel does not report the Q_Key of queue pair 1, which is fixed.
    int qkey = qpn == 1 ? Iba.DEFAULT_QP1_QKEY : umad.get(BIG_ENDIAN_INT, IbUserMad.ADDR_QKEY);
    int pkeyIndex = Short.toUnsignedInt(umad.get(SHORT, IbUserMad.ADDR_PKEY_INDEX));
    return new MadAddress(route, qpn, qkey, pkeyIndex);
  }

  private static int unsigned(MemorySegment umad, long offset) {
    return Byte.toUnsignedInt(umad.get(BYTE, offset));
  }
}
