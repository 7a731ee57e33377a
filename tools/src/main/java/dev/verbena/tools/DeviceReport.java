package dev.verbena.tools;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.TransportType;
import java.util.List;
import java.util.Locale;

/**
 * The lines that ibv_devinfo prints about a device, except board_id, which comes from a file of the
 * kernel and has no call in the Java API. The long form also says how the device was opened: its
 * link, faults and capture.
 */
final class DeviceReport {
  private static final List<FieldWriter.Flag> CAP_FLAGS =
      List.of(
          new FieldWriter.Flag(DeviceCap.RESIZE_MAX_WR, "RESIZE_MAX_WR"),
          new FieldWriter.Flag(DeviceCap.BAD_PKEY_CNTR, "BAD_PKEY_CNTR"),
          new FieldWriter.Flag(DeviceCap.BAD_QKEY_CNTR, "BAD_QKEY_CNTR"),
          new FieldWriter.Flag(DeviceCap.RAW_MULTI, "RAW_MULTI"),
          new FieldWriter.Flag(DeviceCap.AUTO_PATH_MIG, "AUTO_PATH_MIG"),
          new FieldWriter.Flag(DeviceCap.CHANGE_PHY_PORT, "CHANGE_PHY_PORT"),
          new FieldWriter.Flag(DeviceCap.UD_AV_PORT_ENFORCE, "UD_AV_PORT_ENFORCE"),
          new FieldWriter.Flag(DeviceCap.CURR_QP_STATE_MOD, "CURR_QP_STATE_MOD"),
          new FieldWriter.Flag(DeviceCap.SHUTDOWN_PORT, "SHUTDOWN_PORT"),
          new FieldWriter.Flag(DeviceCap.INIT_TYPE, "INIT_TYPE"),
          new FieldWriter.Flag(DeviceCap.PORT_ACTIVE_EVENT, "PORT_ACTIVE_EVENT"),
          new FieldWriter.Flag(DeviceCap.SYS_IMAGE_GUID, "SYS_IMAGE_GUID"),
          new FieldWriter.Flag(DeviceCap.RC_RNR_NAK_GEN, "RC_RNR_NAK_GEN"),
          new FieldWriter.Flag(DeviceCap.SRQ_RESIZE, "SRQ_RESIZE"),
          new FieldWriter.Flag(DeviceCap.N_NOTIFY_CQ, "N_NOTIFY_CQ"),
          new FieldWriter.Flag(DeviceCap.MEM_WINDOW, "MEM_WINDOW"),
          new FieldWriter.Flag(DeviceCap.UD_IP_CSUM, "UD_IP_CSUM"),
          new FieldWriter.Flag(DeviceCap.XRC, "XRC"),
          new FieldWriter.Flag(DeviceCap.MEM_MGT_EXTENSIONS, "MEM_MGT_EXTENSIONS"),
          new FieldWriter.Flag(DeviceCap.MEM_WINDOW_TYPE_2A, "MEM_WINDOW_TYPE_2A"),
          new FieldWriter.Flag(DeviceCap.MEM_WINDOW_TYPE_2B, "MEM_WINDOW_TYPE_2B"),
          new FieldWriter.Flag(DeviceCap.RC_IP_CSUM, "RC_IP_CSUM"),
          new FieldWriter.Flag(DeviceCap.RAW_IP_CSUM, "RAW_IP_CSUM"),
          new FieldWriter.Flag(DeviceCap.MANAGED_FLOW_STEERING, "MANAGED_FLOW_STEERING"));

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
      new ExtensionReport(fields).print(extended);
      fields.device("num_comp_vectors", context.numCompVectors());
      fields.device("device_spec", context.device().spec());
      if (!context.links().isEmpty()) {
        fields.device("links", context.links());
      }
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
    fields.flags(CAP_FLAGS, Integer.toUnsignedLong(attr.deviceCapFlags()));
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
