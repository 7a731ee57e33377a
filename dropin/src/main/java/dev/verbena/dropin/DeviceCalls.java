package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvDeviceAttr;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.rdmacore.layout.IbvGidEntry;
import dev.verbena.rdmacore.layout.IbvGrh;
import dev.verbena.rdmacore.layout.IbvPortAttr;
import dev.verbena.rdmacore.layout.IbvValuesEx;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.RssCaps;
import dev.verbena.verbs.ValuesEx;
import dev.verbena.verbs.ValuesMask;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls about devices, contexts and ports. */
final class DeviceCalls {
  private static final int FW_VER_ROOM = 64;

  /** IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP. */
  private static final int PCI_ATOMIC_8_BYTES = 2;

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
    if (Console.wants("VERBENA_REPORT")) {
      synchronized (REPORTS) {
        REPORTS.values().forEach(report -> Console.say(report.line()));
      }
    }
    return 0;
  }

  static Context context(long handle) {
    return Handles.get(handle, HandleKind.CONTEXT).context();
  }

  static long queryDevice(long handle, long out) {
    DeviceAttrEx ex = context(handle).queryDeviceEx();
    setDeviceAttr(out + IbvDeviceAttrEx.ORIG_ATTR, ex.origAttr());
    Host.setLong(out + IbvDeviceAttrEx.ODP_CAPS_GENERAL_CAPS, ex.odpGeneralCaps());
    Host.setLong(out + IbvDeviceAttrEx.COMPLETION_TIMESTAMP_MASK, ex.completionTimestampMask());
    Host.setLong(out + IbvDeviceAttrEx.HCA_CORE_CLOCK, ex.hcaCoreClock());
    Host.setLong(out + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX, ex.deviceCapFlagsEx() & ~CAPS_OF_JAVA);
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
    Host.setInt(out + IbvDeviceAttrEx.RAW_PACKET_CAPS, ex.rawPacketCaps());
    Host.setShort(out + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_COUNT, ex.maxCqModerationCount());
    Host.setShort(out + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_PERIOD, ex.maxCqModerationPeriod());
    Host.setLong(out + IbvDeviceAttrEx.MAX_DM_SIZE, ex.maxDmSize());
    // Programs check here whether atomics are atomic with respect to the processor's; ours are.
    Host.setShort(out + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_FETCH_ADD, PCI_ATOMIC_8_BYTES);
    Host.setShort(out + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_COMPARE_SWAP, PCI_ATOMIC_8_BYTES);
    Host.setInt(out + IbvDeviceAttrEx.PHYS_PORT_CNT_EX, ex.physPortCntEx());
    return 0;
  }

  private static void setDeviceAttr(long out, DeviceAttr attr) {
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

  static long queryPort(long handle, long portNum, long out) {
    PortAttr attr = context(handle).queryPort((int) portNum);
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
    setGidEntry(out, context(handle).queryGidEx((int) portNum, (int) index));
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
      setGidEntry(out + i * entrySize, entries.get(i));
    }
    return entries.size();
  }

  private static void setGidEntry(long out, GidEntry entry) {
    Structs.setGid(out + IbvGidEntry.GID, entry.gid());
    Host.setInt(out + IbvGidEntry.GID_INDEX, entry.gidIndex());
    Host.setInt(out + IbvGidEntry.PORT_NUM, entry.portNum());
    Host.setInt(out + IbvGidEntry.GID_TYPE, entry.gidType().number());
    Host.setInt(out + IbvGidEntry.NDEV_IFINDEX, entry.ndevIfindex());
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
