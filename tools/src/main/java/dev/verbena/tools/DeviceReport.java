package dev.verbena.tools;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.TransportType;
import java.util.List;
import java.util.Locale;

/** What ibv_devinfo prints about a device. */
final class DeviceReport {
  private record Flag(int bit, String name) {}

  private static final List<Flag> CAP_FLAGS =
      List.of(
          new Flag(DeviceCap.RESIZE_MAX_WR, "RESIZE_MAX_WR"),
          new Flag(DeviceCap.BAD_PKEY_CNTR, "BAD_PKEY_CNTR"),
          new Flag(DeviceCap.BAD_QKEY_CNTR, "BAD_QKEY_CNTR"),
          new Flag(DeviceCap.RAW_MULTI, "RAW_MULTI"),
          new Flag(DeviceCap.AUTO_PATH_MIG, "AUTO_PATH_MIG"),
          new Flag(DeviceCap.CHANGE_PHY_PORT, "CHANGE_PHY_PORT"),
          new Flag(DeviceCap.UD_AV_PORT_ENFORCE, "UD_AV_PORT_ENFORCE"),
          new Flag(DeviceCap.CURR_QP_STATE_MOD, "CURR_QP_STATE_MOD"),
          new Flag(DeviceCap.SHUTDOWN_PORT, "SHUTDOWN_PORT"),
          new Flag(DeviceCap.INIT_TYPE, "INIT_TYPE"),
          new Flag(DeviceCap.PORT_ACTIVE_EVENT, "PORT_ACTIVE_EVENT"),
          new Flag(DeviceCap.SYS_IMAGE_GUID, "SYS_IMAGE_GUID"),
          new Flag(DeviceCap.RC_RNR_NAK_GEN, "RC_RNR_NAK_GEN"),
          new Flag(DeviceCap.SRQ_RESIZE, "SRQ_RESIZE"),
          new Flag(DeviceCap.N_NOTIFY_CQ, "N_NOTIFY_CQ"),
          new Flag(DeviceCap.MEM_WINDOW, "MEM_WINDOW"),
          new Flag(DeviceCap.UD_IP_CSUM, "UD_IP_CSUM"),
          new Flag(DeviceCap.XRC, "XRC"),
          new Flag(DeviceCap.MEM_MGT_EXTENSIONS, "MEM_MGT_EXTENSIONS"),
          new Flag(DeviceCap.MEM_WINDOW_TYPE_2A, "MEM_WINDOW_TYPE_2A"),
          new Flag(DeviceCap.MEM_WINDOW_TYPE_2B, "MEM_WINDOW_TYPE_2B"),
          new Flag(DeviceCap.RC_IP_CSUM, "RC_IP_CSUM"),
          new Flag(DeviceCap.RAW_IP_CSUM, "RAW_IP_CSUM"),
          new Flag(DeviceCap.MANAGED_FLOW_STEERING, "MANAGED_FLOW_STEERING"));

  private final Context context;
  private final FieldWriter fields;
  private final boolean verbose;

  DeviceReport(Context context, FieldWriter fields, boolean verbose) {
    this.context = context;
    this.fields = fields;
    this.verbose = verbose;
  }

  /** Prints the device and one port, or all of them for 0. */
  void print(int onlyPort) {
    DeviceAttrEx extended = context.queryDeviceEx();
    DeviceAttr attr = extended.origAttr();
    if (onlyPort < 0 || onlyPort > attr.physPortCnt()) {
      throw ToolException.failure(
          "port %d does not exist: %s has the ports 1 to %d"
              .formatted(onlyPort, context.device().name(), attr.physPortCnt()));
    }
    identity(attr);
    if (verbose) {
      limits(attr);
      extensions(extended);
    }
    PortReport ports = new PortReport(context, fields, verbose);
    for (int port = 1; port <= attr.physPortCnt(); port++) {
      if (onlyPort == 0 || onlyPort == port) {
        ports.print(port);
      }
    }
    fields.line("");
  }

  private void identity(DeviceAttr attr) {
    Device device = context.device();
    fields.line("hca_id:\t" + device.name());
    TransportType transport = device.transportType();
    fields.device("transport", "%s (%d)".formatted(name(transport), transport.number()));
    fields.device("fw_ver", attr.fwVer());
    fields.device("node_guid", guid(attr.nodeGuid()));
    fields.device("sys_image_guid", guid(attr.sysImageGuid()));
    fields.device("vendor_id", "0x%04x".formatted(attr.vendorId()));
    fields.device("vendor_part_id", attr.vendorPartId());
    fields.device("hw_ver", "0x%X".formatted(attr.hwVer()));
    fields.device("phys_port_cnt", attr.physPortCnt());
  }

  private static String name(TransportType transport) {
    return switch (transport) {
      case IB -> "InfiniBand";
      case IWARP -> "iWARP";
      case USNIC -> "usNIC";
      case USNIC_UDP -> "usNIC UDP";
      case UNSPECIFIED -> "unspecified";
      case UNKNOWN -> "unknown";
    };
  }

  private void limits(DeviceAttr attr) {
    fields.device("max_mr_size", "0x%x".formatted(attr.maxMrSize()));
    fields.device("page_size_cap", "0x%x".formatted(attr.pageSizeCap()));
    fields.device("max_qp", attr.maxQp());
    fields.device("max_qp_wr", attr.maxQpWr());
    fields.device("device_cap_flags", "0x%08x".formatted(attr.deviceCapFlags()));
    capFlags(attr.deviceCapFlags());
    fields.device("max_sge", attr.maxSge());
    fields.device("max_sge_rd", attr.maxSgeRd());
    fields.device("max_cq", attr.maxCq());
    fields.device("max_cqe", attr.maxCqe());
    fields.device("max_mr", attr.maxMr());
    fields.device("max_pd", attr.maxPd());
    fields.device("max_qp_rd_atom", attr.maxQpRdAtom());
    fields.device("max_ee_rd_atom", attr.maxEeRdAtom());
    fields.device("max_res_rd_atom", attr.maxResRdAtom());
    fields.device("max_qp_init_rd_atom", attr.maxQpInitRdAtom());
    fields.device("max_ee_init_rd_atom", attr.maxEeInitRdAtom());
    fields.device(
        "atomic_cap", "ATOMIC_%s (%d)".formatted(attr.atomicCap(), attr.atomicCap().number()));
    fields.device("max_ee", attr.maxEe());
    fields.device("max_rdd", attr.maxRdd());
    fields.device("max_mw", attr.maxMw());
    fields.device("max_raw_ipv6_qp", attr.maxRawIpv6Qp());
    fields.device("max_raw_ethy_qp", attr.maxRawEthyQp());
    fields.device("max_mcast_grp", attr.maxMcastGrp());
    fields.device("max_mcast_qp_attach", attr.maxMcastQpAttach());
    fields.device("max_total_mcast_qp_attach", attr.maxTotalMcastQpAttach());
    fields.device("max_ah", attr.maxAh());
    fields.device("max_fmr", attr.maxFmr());
    if (attr.maxFmr() != 0) {
      fields.device("max_map_per_fmr", attr.maxMapPerFmr());
    }
    fields.device("max_srq", attr.maxSrq());
    if (attr.maxSrq() != 0) {
      fields.device("max_srq_wr", attr.maxSrqWr());
      fields.device("max_srq_sge", attr.maxSrqSge());
    }
    fields.device("max_pkeys", attr.maxPkeys());
    fields.device("local_ca_ack_delay", attr.localCaAckDelay());
  }

  private void capFlags(int flags) {
    int unknown = flags;
    for (Flag flag : CAP_FLAGS) {
      if ((flags & flag.bit()) != 0) {
        fields.more(flag.name());
        unknown &= ~flag.bit();
      }
    }
    if (unknown != 0) {
      fields.more(String.format(Locale.ROOT, "Unknown flags: 0x%X", unknown));
    }
  }

  private void extensions(DeviceAttrEx attr) {
    if (attr.odpGeneralCaps() == 0) {
      fields.line("\tgeneral_odp_caps:");
      fields.more("NO SUPPORT");
    } else {
      fields.device("general_odp_caps", "0x%x".formatted(attr.odpGeneralCaps()));
    }
    if (attr.completionTimestampMask() == 0) {
      fields.line("\tcompletion_timestamp_mask not supported");
    } else {
      fields.device(
          "completion_timestamp_mask", "0x%016x".formatted(attr.completionTimestampMask()));
    }
    if (attr.hcaCoreClock() == 0) {
      fields.line("\tcore clock not supported");
    } else {
      fields.device("hca_core_clock", "%dkHZ".formatted(attr.hcaCoreClock()));
    }
    fields.device("device_cap_flags_ex", "0x%X".formatted(attr.deviceCapFlagsEx()));
    if (attr.maxTso() != 0) {
      fields.device(
          "tso_caps",
          "max_tso %d, QP types 0x%x".formatted(attr.maxTso(), attr.tsoSupportedQpts()));
    }
    if (attr.maxCqModerationCount() != 0) {
      fields.device("max_cq_count", attr.maxCqModerationCount());
      fields.device("max_cq_period", "%d us".formatted(attr.maxCqModerationPeriod()));
    }
    if (attr.maxDmSize() != 0) {
      fields.device("max_dm_size", attr.maxDmSize());
    }
  }

  /** Four groups of four hexadecimal digits. */
  private static String guid(long value) {
    return String.format(
        Locale.ROOT,
        "%04x:%04x:%04x:%04x",
        value >>> 48,
        value >>> 32 & 0xffff,
        value >>> 16 & 0xffff,
        value & 0xffff);
  }
}
