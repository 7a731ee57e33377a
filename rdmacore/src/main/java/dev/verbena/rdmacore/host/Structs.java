package dev.verbena.rdmacore.host;

import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvGlobalRoute;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.Rate;
import org.jspecify.annotations.Nullable;

/** Converts values that are parts of several structs. */
public final class Structs {
  public static Gid gid(long address) {
    return new Gid(Host.getNetworkLong(address), Host.getNetworkLong(address + Long.BYTES));
  }

  public static void setGid(long address, Gid gid) {
    Host.setNetworkLong(address, gid.subnetPrefix());
    Host.setNetworkLong(address + Long.BYTES, gid.interfaceId());
  }

  /** Reads a struct ibv_ah_attr. */
  public static AhAttr ahAttr(long address) {
    long grh = address + IbvAhAttr.GRH;
    return new AhAttr(
        Host.getByte(address + IbvAhAttr.IS_GLOBAL) != 0,
        gid(grh + IbvGlobalRoute.DGID),
        Host.getByte(grh + IbvGlobalRoute.SGID_INDEX),
        Host.getInt(grh + IbvGlobalRoute.FLOW_LABEL),
        Host.getByte(grh + IbvGlobalRoute.HOP_LIMIT),
        Host.getByte(grh + IbvGlobalRoute.TRAFFIC_CLASS),
        Host.getShort(address + IbvAhAttr.DLID),
        Host.getByte(address + IbvAhAttr.SL),
        Host.getByte(address + IbvAhAttr.SRC_PATH_BITS),
        Rate.of(Host.getByte(address + IbvAhAttr.STATIC_RATE)),
        Host.getByte(address + IbvAhAttr.PORT_NUM));
  }

  /**
   * Which value does not fit in the bits that the struct has for it, as "sgid_index=256 is not in
   * ..."; null if all do.
   */
  public static @Nullable String unfit(AhAttr attr) {
    return FieldBits.first(
        FieldBits.unfit("sgid_index", attr.sgidIndex()),
        FieldBits.unfit("hop_limit", attr.hopLimit()),
        FieldBits.unfit("traffic_class", attr.trafficClass()),
        FieldBits.unfit("dlid", attr.dlid(), Short.SIZE),
        FieldBits.unfit("sl", attr.sl()),
        FieldBits.unfit("src_path_bits", attr.srcPathBits()),
        FieldBits.unfit("port_num", attr.portNum()));
  }

  /** Writes a struct ibv_ah_attr. */
  public static void setAhAttr(long address, AhAttr attr) {
    long grh = address + IbvAhAttr.GRH;
    setGid(grh + IbvGlobalRoute.DGID, attr.dgid());
    Host.setInt(grh + IbvGlobalRoute.FLOW_LABEL, attr.flowLabel());
    Host.setByte(grh + IbvGlobalRoute.SGID_INDEX, attr.sgidIndex());
    Host.setByte(grh + IbvGlobalRoute.HOP_LIMIT, attr.hopLimit());
    Host.setByte(grh + IbvGlobalRoute.TRAFFIC_CLASS, attr.trafficClass());
    Host.setShort(address + IbvAhAttr.DLID, attr.dlid());
    Host.setByte(address + IbvAhAttr.SL, attr.sl());
    Host.setByte(address + IbvAhAttr.SRC_PATH_BITS, attr.srcPathBits());
    Host.setByte(address + IbvAhAttr.STATIC_RATE, attr.staticRate().number());
    Host.setByte(address + IbvAhAttr.IS_GLOBAL, attr.isGlobal() ? 1 : 0);
    Host.setByte(address + IbvAhAttr.PORT_NUM, attr.portNum());
  }

  /** Reads a struct ibv_qp_cap. */
  public static QpCap cap(long address) {
    return new QpCap(
        Host.getInt(address + IbvQpCap.MAX_SEND_WR),
        Host.getInt(address + IbvQpCap.MAX_RECV_WR),
        Host.getInt(address + IbvQpCap.MAX_SEND_SGE),
        Host.getInt(address + IbvQpCap.MAX_RECV_SGE),
        Host.getInt(address + IbvQpCap.MAX_INLINE_DATA));
  }

  /** Writes a struct ibv_qp_cap. */
  public static void setCap(long address, QpCap cap) {
    Host.setInt(address + IbvQpCap.MAX_SEND_WR, cap.maxSendWr());
    Host.setInt(address + IbvQpCap.MAX_RECV_WR, cap.maxRecvWr());
    Host.setInt(address + IbvQpCap.MAX_SEND_SGE, cap.maxSendSge());
    Host.setInt(address + IbvQpCap.MAX_RECV_SGE, cap.maxRecvSge());
    Host.setInt(address + IbvQpCap.MAX_INLINE_DATA, cap.maxInlineData());
  }

  private Structs() {}
}
