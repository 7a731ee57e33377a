package dev.verbena.tools;

import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCapEx;
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

  private static final int CLASSIC_FLAGS = 32;

  private final FieldWriter fields;

  ExtensionReport(FieldWriter fields) {
    this.fields = fields;
  }

  void print(DeviceAttrEx attr) {
    onDemandPaging(attr.odpGeneralCaps());
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
    whatNoDeviceHas();
    if (attr.maxCqModerationCount() != 0) {
      fields.group("cq moderation caps");
      fields.member("max_cq_count", attr.maxCqModerationCount());
      fields.member("max_cq_period", attr.maxCqModerationPeriod() + " us");
    }
    if (attr.maxDmSize() != 0) {
      fields.device("maximum available device memory", attr.maxDmSize() + "Bytes");
    }
  }

  private void onDemandPaging(long generalCaps) {
    if (generalCaps != 0) {
      fields.device("general_odp_caps", "0x%x".formatted(generalCaps));
      return;
    }
    fields.group("general_odp_caps");
    // The Java attributes have no bits for each transport; without the general bits none supports
    // it.
    for (String transport : List.of("rc", "uc", "ud", "xrc")) {
      fields.group(transport + "_odp_caps");
      fields.more("NO SUPPORT");
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

  /** Prints values for which the Java attributes have no field. */
  private void whatNoDeviceHas() {
    fields.group("packet_pacing_caps");
    fields.member("qp_rate_limit_min", "0kbps");
    fields.member("qp_rate_limit_max", "0kbps");
    fields.line("\ttag matching not supported");
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
