package dev.verbena.rdmacore.host;

import dev.verbena.rdmacore.layout.IbvDeviceAttr;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.rdmacore.layout.IbvGidEntry;
import dev.verbena.rdmacore.layout.IbvPortAttr;
import dev.verbena.verbs.AtomicCap;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.RssCaps;

/** Reads what a library says of a device and its ports. */
public final class DeviceAttrs {
  /** Reads a struct ibv_device_attr. */
  public static DeviceAttr device(long in) {
    return new DeviceAttr(
        Host.getString(in + IbvDeviceAttr.FW_VER),
        Host.getNetworkLong(in + IbvDeviceAttr.NODE_GUID),
        Host.getNetworkLong(in + IbvDeviceAttr.SYS_IMAGE_GUID),
        Host.getLong(in + IbvDeviceAttr.MAX_MR_SIZE),
        Host.getLong(in + IbvDeviceAttr.PAGE_SIZE_CAP),
        Host.getInt(in + IbvDeviceAttr.VENDOR_ID),
        Host.getInt(in + IbvDeviceAttr.VENDOR_PART_ID),
        Host.getInt(in + IbvDeviceAttr.HW_VER),
        Host.getInt(in + IbvDeviceAttr.MAX_QP),
        Host.getInt(in + IbvDeviceAttr.MAX_QP_WR),
        Host.getInt(in + IbvDeviceAttr.DEVICE_CAP_FLAGS),
        Host.getInt(in + IbvDeviceAttr.MAX_SGE),
        Host.getInt(in + IbvDeviceAttr.MAX_SGE_RD),
        Host.getInt(in + IbvDeviceAttr.MAX_CQ),
        Host.getInt(in + IbvDeviceAttr.MAX_CQE),
        Host.getInt(in + IbvDeviceAttr.MAX_MR),
        Host.getInt(in + IbvDeviceAttr.MAX_PD),
        Host.getInt(in + IbvDeviceAttr.MAX_QP_RD_ATOM),
        Host.getInt(in + IbvDeviceAttr.MAX_EE_RD_ATOM),
        Host.getInt(in + IbvDeviceAttr.MAX_RES_RD_ATOM),
        Host.getInt(in + IbvDeviceAttr.MAX_QP_INIT_RD_ATOM),
        Host.getInt(in + IbvDeviceAttr.MAX_EE_INIT_RD_ATOM),
        AtomicCap.of(Host.getInt(in + IbvDeviceAttr.ATOMIC_CAP)),
        Host.getInt(in + IbvDeviceAttr.MAX_EE),
        Host.getInt(in + IbvDeviceAttr.MAX_RDD),
        Host.getInt(in + IbvDeviceAttr.MAX_MW),
        Host.getInt(in + IbvDeviceAttr.MAX_RAW_IPV6_QP),
        Host.getInt(in + IbvDeviceAttr.MAX_RAW_ETHY_QP),
        Host.getInt(in + IbvDeviceAttr.MAX_MCAST_GRP),
        Host.getInt(in + IbvDeviceAttr.MAX_MCAST_QP_ATTACH),
        Host.getInt(in + IbvDeviceAttr.MAX_TOTAL_MCAST_QP_ATTACH),
        Host.getInt(in + IbvDeviceAttr.MAX_AH),
        Host.getInt(in + IbvDeviceAttr.MAX_FMR),
        Host.getInt(in + IbvDeviceAttr.MAX_MAP_PER_FMR),
        Host.getInt(in + IbvDeviceAttr.MAX_SRQ),
        Host.getInt(in + IbvDeviceAttr.MAX_SRQ_WR),
        Host.getInt(in + IbvDeviceAttr.MAX_SRQ_SGE),
        Host.getShort(in + IbvDeviceAttr.MAX_PKEYS),
        Host.getByte(in + IbvDeviceAttr.LOCAL_CA_ACK_DELAY),
        Host.getByte(in + IbvDeviceAttr.PHYS_PORT_CNT));
  }

  /** Reads a struct ibv_device_attr_ex. */
  public static DeviceAttrEx deviceEx(long in) {
    return new DeviceAttrEx(
        device(in + IbvDeviceAttrEx.ORIG_ATTR),
        Host.getLong(in + IbvDeviceAttrEx.ODP_CAPS_GENERAL_CAPS),
        Host.getLong(in + IbvDeviceAttrEx.COMPLETION_TIMESTAMP_MASK),
        Host.getLong(in + IbvDeviceAttrEx.HCA_CORE_CLOCK),
        Host.getLong(in + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX),
        Host.getInt(in + IbvDeviceAttrEx.TSO_CAPS_MAX_TSO),
        Host.getInt(in + IbvDeviceAttrEx.TSO_CAPS_SUPPORTED_QPTS),
        new RssCaps(
            Host.getInt(in + IbvDeviceAttrEx.RSS_CAPS_SUPPORTED_QPTS),
            Host.getInt(in + IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES),
            Host.getInt(in + IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE),
            Host.getLong(in + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FIELDS_MASK),
            Host.getByte(in + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FUNCTION)),
        Host.getInt(in + IbvDeviceAttrEx.MAX_WQ_TYPE_RQ),
        Host.getInt(in + IbvDeviceAttrEx.RAW_PACKET_CAPS),
        Host.getShort(in + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_COUNT),
        Host.getShort(in + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_PERIOD),
        Host.getLong(in + IbvDeviceAttrEx.MAX_DM_SIZE),
        Host.getInt(in + IbvDeviceAttrEx.PHYS_PORT_CNT_EX));
  }

  /** Reads a struct ibv_port_attr. */
  public static PortAttr port(long in) {
    return new PortAttr(
        PortState.of(Host.getInt(in + IbvPortAttr.STATE)),
        Mtu.of(Host.getInt(in + IbvPortAttr.MAX_MTU)),
        Mtu.of(Host.getInt(in + IbvPortAttr.ACTIVE_MTU)),
        Host.getInt(in + IbvPortAttr.GID_TBL_LEN),
        Host.getInt(in + IbvPortAttr.PORT_CAP_FLAGS),
        Integer.toUnsignedLong(Host.getInt(in + IbvPortAttr.MAX_MSG_SZ)),
        Host.getInt(in + IbvPortAttr.BAD_PKEY_CNTR),
        Host.getInt(in + IbvPortAttr.QKEY_VIOL_CNTR),
        Host.getShort(in + IbvPortAttr.PKEY_TBL_LEN),
        Host.getShort(in + IbvPortAttr.LID),
        Host.getShort(in + IbvPortAttr.SM_LID),
        Host.getByte(in + IbvPortAttr.LMC),
        Host.getByte(in + IbvPortAttr.MAX_VL_NUM),
        Host.getByte(in + IbvPortAttr.SM_SL),
        Host.getByte(in + IbvPortAttr.SUBNET_TIMEOUT),
        Host.getByte(in + IbvPortAttr.INIT_TYPE_REPLY),
        Host.getByte(in + IbvPortAttr.ACTIVE_WIDTH),
        Host.getByte(in + IbvPortAttr.ACTIVE_SPEED),
        Host.getByte(in + IbvPortAttr.PHYS_STATE),
        LinkLayer.of(Host.getByte(in + IbvPortAttr.LINK_LAYER)),
        Host.getByte(in + IbvPortAttr.FLAGS));
  }

  /** Reads a struct ibv_gid_entry. */
  public static GidEntry gidEntry(long in) {
    return new GidEntry(
        Structs.gid(in + IbvGidEntry.GID),
        Host.getInt(in + IbvGidEntry.GID_INDEX),
        Host.getInt(in + IbvGidEntry.PORT_NUM),
        GidType.of(Host.getInt(in + IbvGidEntry.GID_TYPE)),
        Host.getInt(in + IbvGidEntry.NDEV_IFINDEX));
  }

  private DeviceAttrs() {}
}
