package dev.verbena.tools;

import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.OdpCaps;
import dev.verbena.verbs.OdpGeneralCaps;
import dev.verbena.verbs.OdpTransportCaps;
import dev.verbena.verbs.PacketPacingCaps;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RawPacketCaps;
import dev.verbena.verbs.RssCaps;
import java.util.List;

/**
 * The lines that {@code ibv_devinfo -v} prints about the optional capabilities of a device, in its
 * order.
 */
final class ExtensionReport {
  private static final List<FieldWriter.Flag> RAW_PACKET_FLAGS =
      List.of(
          new FieldWriter.Flag(RawPacketCaps.CVLAN_STRIPPING, "C-VLAN stripping offload"),
          new FieldWriter.Flag(RawPacketCaps.SCATTER_FCS, "Scatter FCS offload"),
          new FieldWriter.Flag(RawPacketCaps.IP_CSUM, "IP csum offload"),
          new FieldWriter.Flag(RawPacketCaps.DELAY_DROP, "Delay drop"));

  /** The flags above the lower 32, which are printed with the limits. */
  private static final List<FieldWriter.Flag> CAP_FLAGS_EX =
      List.of(
          new FieldWriter.Flag(DeviceCapEx.FLUSH_GLOBAL, "FLUSH_GLOBAL"),
          new FieldWriter.Flag(DeviceCapEx.FLUSH_PERSISTENT, "FLUSH_PERSISTENT"),
          new FieldWriter.Flag(DeviceCapEx.ATOMIC_WRITE, "ATOMIC_WRITE"));

  private static final List<FieldWriter.Flag> ODP_FLAGS =
      List.of(
          new FieldWriter.Flag(OdpGeneralCaps.SUPPORT, "ODP_SUPPORT"),
          new FieldWriter.Flag(OdpGeneralCaps.SUPPORT_IMPLICIT, "ODP_SUPPORT_IMPLICIT"));

  private static final List<FieldWriter.Flag> ODP_TRANSPORT_FLAGS =
      List.of(
          new FieldWriter.Flag(OdpTransportCaps.SEND, "SUPPORT_SEND"),
          new FieldWriter.Flag(OdpTransportCaps.RECV, "SUPPORT_RECV"),
          new FieldWriter.Flag(OdpTransportCaps.WRITE, "SUPPORT_WRITE"),
          new FieldWriter.Flag(OdpTransportCaps.READ, "SUPPORT_READ"),
          new FieldWriter.Flag(OdpTransportCaps.ATOMIC, "SUPPORT_ATOMIC"),
          new FieldWriter.Flag(OdpTransportCaps.SRQ_RECV, "SUPPORT_SRQ"));

  private static final int CLASSIC_FLAGS = 32;

  private final FieldWriter fields;

  ExtensionReport(FieldWriter fields) {
    this.fields = fields;
  }

  void print(DeviceAttrEx attr) {
    onDemandPaging(attr.odpCaps());
    time(attr);
    if (attr.rawPacketCaps() != 0) {
      fields.group("raw packet caps");
      fields.flags(RAW_PACKET_FLAGS, attr.rawPacketCaps());
    }
    fields.device("device_cap_flags_ex", "0x%X".formatted(attr.deviceCapFlagsEx()));
    fields.flags(CAP_FLAGS_EX, attr.deviceCapFlagsEx() >>> CLASSIC_FLAGS << CLASSIC_FLAGS);
    segmentation(attr);
    hashes(attr.rssCaps());
    if (attr.maxWqTypeRq() != 0) {
      fields.device("max_wq_type_rq", attr.maxWqTypeRq());
    }
    pacing(attr.packetPacingCaps());
    // The Java attributes have no field for it.
    fields.line("\ttag matching not supported");
    if (attr.maxCqModerationCount() != 0) {
      fields.group("cq moderation caps");
      fields.member("max_cq_count", attr.maxCqModerationCount());
      fields.member("max_cq_period", attr.maxCqModerationPeriod() + " us");
    }
    if (attr.maxDmSize() != 0) {
      fields.device("maximum available device memory", attr.maxDmSize() + "Bytes");
    }
  }

  private void onDemandPaging(OdpCaps caps) {
    fields.group("general_odp_caps");
    fields.flags(ODP_FLAGS, caps.generalCaps());
    onDemandPaging("rc", caps.rcOdpCaps());
    onDemandPaging("uc", caps.ucOdpCaps());
    onDemandPaging("ud", caps.udOdpCaps());
    onDemandPaging("xrc", caps.xrcOdpCaps());
  }

  private void onDemandPaging(String transport, int caps) {
    fields.group(transport + "_odp_caps");
    if (caps == 0) {
      fields.more("NO SUPPORT");
    } else {
      fields.flags(ODP_TRANSPORT_FLAGS, Integer.toUnsignedLong(caps));
    }
  }

  private void time(DeviceAttrEx attr) {
    if (attr.completionTimestampMask() == 0) {
      fields.line("\tcompletion_timestamp_mask not supported");
    } else {
      fields.device(
          "completion timestamp_mask", "0x%016x".formatted(attr.completionTimestampMask()));
    }
    if (attr.hcaCoreClock() == 0) {
      fields.line("\tcore clock not supported");
    } else {
      fields.device("hca_core_clock", "%dkHZ".formatted(attr.hcaCoreClock()));
    }
  }

  private void segmentation(DeviceAttrEx attr) {
    fields.group("tso_caps");
    fields.member("max_tso", attr.maxTso());
    if (attr.maxTso() != 0) {
      queuePairTypes(attr.tsoSupportedQpts());
    }
  }

  private void hashes(RssCaps caps) {
    fields.group("rss_caps");
    fields.member("max_rwq_indirection_tables", caps.maxRwqIndirectionTables());
    fields.member("max_rwq_indirection_table_size", caps.maxRwqIndirectionTableSize());
    fields.member("rx_hash_function", "0x%x".formatted(caps.rxHashFunction()));
    fields.member("rx_hash_fields_mask", "0x%X".formatted(caps.rxHashFieldsMask()));
    if (caps.supportedQpts() != 0) {
      queuePairTypes(caps.supportedQpts());
    }
  }

  private void pacing(PacketPacingCaps caps) {
    fields.group("packet_pacing_caps");
    fields.member("qp_rate_limit_min", caps.qpRateLimitMin() + "kbps");
    fields.member("qp_rate_limit_max", caps.qpRateLimitMax() + "kbps");
    if (caps.qpRateLimitMax() != 0) {
      queuePairTypes(caps.supportedQpts());
    }
  }

  /** Prints queue pair types from a mask in which bit n stands for type number n. */
  private void queuePairTypes(int mask) {
    fields.innerGroup("supported_qp");
    for (QpType type : QpType.values()) {
      if (type.number() < Integer.SIZE && (mask & 1 << type.number()) != 0) {
        fields.more("SUPPORT_" + type);
      }
    }
  }
}
