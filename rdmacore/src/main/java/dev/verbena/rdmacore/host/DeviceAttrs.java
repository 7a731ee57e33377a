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
import dev.verbena.verbs.OdpCaps;
import dev.verbena.verbs.PacketPacingCaps;
import dev.verbena.verbs.PciAtomicCaps;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.RssCaps;

/** Converts what a library says of a device and its ports from and to structs of C. */
public final class DeviceAttrs {
  private static final int FW_VER_ROOM = 64;

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
        new OdpCaps(
            Host.getLong(in + IbvDeviceAttrEx.ODP_CAPS_GENERAL_CAPS),
            Host.getInt(in + IbvDeviceAttrEx.ODP_CAPS_PER_TRANSPORT_CAPS_RC_ODP_CAPS),
            Host.getInt(in + IbvDeviceAttrEx.ODP_CAPS_PER_TRANSPORT_CAPS_UC_ODP_CAPS),
            Host.getInt(in + IbvDeviceAttrEx.ODP_CAPS_PER_TRANSPORT_CAPS_UD_ODP_CAPS),
            Host.getInt(in + IbvDeviceAttrEx.XRC_ODP_CAPS)),
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
        new PacketPacingCaps(
            Integer.toUnsignedLong(
                Host.getInt(in + IbvDeviceAttrEx.PACKET_PACING_CAPS_QP_RATE_LIMIT_MIN)),
            Integer.toUnsignedLong(
                Host.getInt(in + IbvDeviceAttrEx.PACKET_PACING_CAPS_QP_RATE_LIMIT_MAX)),
            Host.getInt(in + IbvDeviceAttrEx.PACKET_PACING_CAPS_SUPPORTED_QPTS)),
        Host.getInt(in + IbvDeviceAttrEx.RAW_PACKET_CAPS),
        Host.getShort(in + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_COUNT),
        Host.getShort(in + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_PERIOD),
        Host.getLong(in + IbvDeviceAttrEx.MAX_DM_SIZE),
        new PciAtomicCaps(
            Host.getShort(in + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_FETCH_ADD),
            Host.getShort(in + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_SWAP),
            Host.getShort(in + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_COMPARE_SWAP)),
        Host.getInt(in + IbvDeviceAttrEx.PHYS_PORT_CNT_EX));
  }

  /** Reads a struct ibv_port_attr. */
  public static PortAttr port(long in) {
    int speedEx = Host.getInt(in + IbvPortAttr.activeSpeedEx());
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
        speedEx == 0 ? Host.getByte(in + IbvPortAttr.ACTIVE_SPEED) : speedEx,
        Host.getByte(in + IbvPortAttr.PHYS_STATE),
        LinkLayer.of(Host.getByte(in + IbvPortAttr.LINK_LAYER)),
        Host.getByte(in + IbvPortAttr.FLAGS),
        Host.getShort(in + IbvPortAttr.PORT_CAP_FLAGS2));
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

  /** Writes a struct ibv_device_attr. */
  public static void setDevice(long out, DeviceAttr attr) {
    Host.setString(out + IbvDeviceAttr.FW_VER, attr.fwVer(), FW_VER_ROOM);
    Host.setNetworkLong(out + IbvDeviceAttr.NODE_GUID, attr.nodeGuid());
    Host.setNetworkLong(out + IbvDeviceAttr.SYS_IMAGE_GUID, attr.sysImageGuid());
    Host.setLong(out + IbvDeviceAttr.MAX_MR_SIZE, attr.maxMrSize());
    Host.setLong(out + IbvDeviceAttr.PAGE_SIZE_CAP, attr.pageSizeCap());
    Host.setInt(out + IbvDeviceAttr.VENDOR_ID, attr.vendorId());
    Host.setInt(out + IbvDeviceAttr.VENDOR_PART_ID, attr.vendorPartId());
    Host.setInt(out + IbvDeviceAttr.HW_VER, attr.hwVer());
    Host.setInt(out + IbvDeviceAttr.MAX_QP, attr.maxQp());
    Host.setInt(out + IbvDeviceAttr.MAX_QP_WR, attr.maxQpWr());
    Host.setInt(out + IbvDeviceAttr.DEVICE_CAP_FLAGS, attr.deviceCapFlags());
    Host.setInt(out + IbvDeviceAttr.MAX_SGE, attr.maxSge());
    Host.setInt(out + IbvDeviceAttr.MAX_SGE_RD, attr.maxSgeRd());
    Host.setInt(out + IbvDeviceAttr.MAX_CQ, attr.maxCq());
    Host.setInt(out + IbvDeviceAttr.MAX_CQE, attr.maxCqe());
    Host.setInt(out + IbvDeviceAttr.MAX_MR, attr.maxMr());
    Host.setInt(out + IbvDeviceAttr.MAX_PD, attr.maxPd());
    Host.setInt(out + IbvDeviceAttr.MAX_QP_RD_ATOM, attr.maxQpRdAtom());
    Host.setInt(out + IbvDeviceAttr.MAX_EE_RD_ATOM, attr.maxEeRdAtom());
    Host.setInt(out + IbvDeviceAttr.MAX_RES_RD_ATOM, attr.maxResRdAtom());
    Host.setInt(out + IbvDeviceAttr.MAX_QP_INIT_RD_ATOM, attr.maxQpInitRdAtom());
    Host.setInt(out + IbvDeviceAttr.MAX_EE_INIT_RD_ATOM, attr.maxEeInitRdAtom());
    Host.setInt(out + IbvDeviceAttr.ATOMIC_CAP, attr.atomicCap().number());
    Host.setInt(out + IbvDeviceAttr.MAX_EE, attr.maxEe());
    Host.setInt(out + IbvDeviceAttr.MAX_RDD, attr.maxRdd());
    Host.setInt(out + IbvDeviceAttr.MAX_MW, attr.maxMw());
    Host.setInt(out + IbvDeviceAttr.MAX_RAW_IPV6_QP, attr.maxRawIpv6Qp());
    Host.setInt(out + IbvDeviceAttr.MAX_RAW_ETHY_QP, attr.maxRawEthyQp());
    Host.setInt(out + IbvDeviceAttr.MAX_MCAST_GRP, attr.maxMcastGrp());
    Host.setInt(out + IbvDeviceAttr.MAX_MCAST_QP_ATTACH, attr.maxMcastQpAttach());
    Host.setInt(out + IbvDeviceAttr.MAX_TOTAL_MCAST_QP_ATTACH, attr.maxTotalMcastQpAttach());
    Host.setInt(out + IbvDeviceAttr.MAX_AH, attr.maxAh());
    Host.setInt(out + IbvDeviceAttr.MAX_FMR, attr.maxFmr());
    Host.setInt(out + IbvDeviceAttr.MAX_MAP_PER_FMR, attr.maxMapPerFmr());
    Host.setInt(out + IbvDeviceAttr.MAX_SRQ, attr.maxSrq());
    Host.setInt(out + IbvDeviceAttr.MAX_SRQ_WR, attr.maxSrqWr());
    Host.setInt(out + IbvDeviceAttr.MAX_SRQ_SGE, attr.maxSrqSge());
    Host.setShort(out + IbvDeviceAttr.MAX_PKEYS, attr.maxPkeys());
    Host.setByte(out + IbvDeviceAttr.LOCAL_CA_ACK_DELAY, attr.localCaAckDelay());
    Host.setByte(out + IbvDeviceAttr.PHYS_PORT_CNT, attr.physPortCnt());
  }

  /** Writes what a {@link DeviceAttrEx} has of a struct ibv_device_attr_ex. */
  public static void setDeviceEx(long out, DeviceAttrEx ex) {
    setDevice(out + IbvDeviceAttrEx.ORIG_ATTR, ex.origAttr());
    OdpCaps odp = ex.odpCaps();
    Host.setLong(out + IbvDeviceAttrEx.ODP_CAPS_GENERAL_CAPS, odp.generalCaps());
    Host.setInt(out + IbvDeviceAttrEx.ODP_CAPS_PER_TRANSPORT_CAPS_RC_ODP_CAPS, odp.rcOdpCaps());
    Host.setInt(out + IbvDeviceAttrEx.ODP_CAPS_PER_TRANSPORT_CAPS_UC_ODP_CAPS, odp.ucOdpCaps());
    Host.setInt(out + IbvDeviceAttrEx.ODP_CAPS_PER_TRANSPORT_CAPS_UD_ODP_CAPS, odp.udOdpCaps());
    Host.setInt(out + IbvDeviceAttrEx.XRC_ODP_CAPS, odp.xrcOdpCaps());
    Host.setLong(out + IbvDeviceAttrEx.COMPLETION_TIMESTAMP_MASK, ex.completionTimestampMask());
    Host.setLong(out + IbvDeviceAttrEx.HCA_CORE_CLOCK, ex.hcaCoreClock());
    Host.setLong(out + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX, ex.deviceCapFlagsEx());
    Host.setInt(out + IbvDeviceAttrEx.TSO_CAPS_MAX_TSO, ex.maxTso());
    Host.setInt(out + IbvDeviceAttrEx.TSO_CAPS_SUPPORTED_QPTS, ex.tsoSupportedQpts());
    RssCaps rss = ex.rssCaps();
    Host.setInt(out + IbvDeviceAttrEx.RSS_CAPS_SUPPORTED_QPTS, rss.supportedQpts());
    Host.setInt(
        out + IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES, rss.maxRwqIndirectionTables());
    Host.setInt(
        out + IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE,
        rss.maxRwqIndirectionTableSize());
    Host.setLong(out + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FIELDS_MASK, rss.rxHashFieldsMask());
    Host.setByte(out + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FUNCTION, rss.rxHashFunction());
    Host.setInt(out + IbvDeviceAttrEx.MAX_WQ_TYPE_RQ, ex.maxWqTypeRq());
    PacketPacingCaps pacing = ex.packetPacingCaps();
    Host.setInt(
        out + IbvDeviceAttrEx.PACKET_PACING_CAPS_QP_RATE_LIMIT_MIN, (int) pacing.qpRateLimitMin());
    Host.setInt(
        out + IbvDeviceAttrEx.PACKET_PACING_CAPS_QP_RATE_LIMIT_MAX, (int) pacing.qpRateLimitMax());
    Host.setInt(out + IbvDeviceAttrEx.PACKET_PACING_CAPS_SUPPORTED_QPTS, pacing.supportedQpts());
    Host.setInt(out + IbvDeviceAttrEx.RAW_PACKET_CAPS, ex.rawPacketCaps());
    Host.setShort(out + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_COUNT, ex.maxCqModerationCount());
    Host.setShort(out + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_PERIOD, ex.maxCqModerationPeriod());
    Host.setLong(out + IbvDeviceAttrEx.MAX_DM_SIZE, ex.maxDmSize());
    PciAtomicCaps atomics = ex.pciAtomicCaps();
    Host.setShort(out + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_FETCH_ADD, atomics.fetchAdd());
    Host.setShort(out + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_SWAP, atomics.swap());
    Host.setShort(out + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_COMPARE_SWAP, atomics.compareSwap());
    Host.setInt(out + IbvDeviceAttrEx.PHYS_PORT_CNT_EX, ex.physPortCntEx());
  }

  /** Writes a struct ibv_port_attr. */
  public static void setPort(long out, PortAttr attr) {
    Host.setInt(out + IbvPortAttr.STATE, attr.state().number());
    Host.setInt(out + IbvPortAttr.MAX_MTU, attr.maxMtu().number());
    Host.setInt(out + IbvPortAttr.ACTIVE_MTU, attr.activeMtu().number());
    Host.setInt(out + IbvPortAttr.GID_TBL_LEN, attr.gidTblLen());
    Host.setInt(out + IbvPortAttr.PORT_CAP_FLAGS, attr.portCapFlags());
    Host.setInt(out + IbvPortAttr.MAX_MSG_SZ, (int) attr.maxMsgSz());
    Host.setInt(out + IbvPortAttr.BAD_PKEY_CNTR, attr.badPkeyCntr());
    Host.setInt(out + IbvPortAttr.QKEY_VIOL_CNTR, attr.qkeyViolCntr());
    Host.setShort(out + IbvPortAttr.PKEY_TBL_LEN, attr.pkeyTblLen());
    Host.setShort(out + IbvPortAttr.LID, attr.lid());
    Host.setShort(out + IbvPortAttr.SM_LID, attr.smLid());
    Host.setByte(out + IbvPortAttr.LMC, attr.lmc());
    Host.setByte(out + IbvPortAttr.MAX_VL_NUM, attr.maxVlNum());
    Host.setByte(out + IbvPortAttr.SM_SL, attr.smSl());
    Host.setByte(out + IbvPortAttr.SUBNET_TIMEOUT, attr.subnetTimeout());
    Host.setByte(out + IbvPortAttr.INIT_TYPE_REPLY, attr.initTypeReply());
    Host.setByte(out + IbvPortAttr.ACTIVE_WIDTH, attr.activeWidth());
    Host.setByte(out + IbvPortAttr.ACTIVE_SPEED, attr.activeSpeed());
    Host.setByte(out + IbvPortAttr.PHYS_STATE, attr.physState());
    Host.setByte(out + IbvPortAttr.LINK_LAYER, attr.linkLayer().number());
    Host.setByte(out + IbvPortAttr.FLAGS, attr.flags());
    Host.setShort(out + IbvPortAttr.PORT_CAP_FLAGS2, attr.portCapFlags2());
  }

  /** Writes a struct ibv_gid_entry. */
  public static void setGidEntry(long out, GidEntry entry) {
    Structs.setGid(out + IbvGidEntry.GID, entry.gid());
    Host.setInt(out + IbvGidEntry.GID_INDEX, entry.gidIndex());
    Host.setInt(out + IbvGidEntry.PORT_NUM, entry.portNum());
    Host.setInt(out + IbvGidEntry.GID_TYPE, entry.gidType().number());
    Host.setInt(out + IbvGidEntry.NDEV_IFINDEX, entry.ndevIfindex());
  }

  private DeviceAttrs() {}
}
