package dev.verbena.tools;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortAttr;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** The lines that ibv_devinfo prints about a port. */
final class PortReport {
  private static final Map<Integer, String> WIDTHS =
      Map.of(1, "1X", 2, "4X", 4, "8X", 8, "12X", 16, "2X");

  private static final Map<Integer, String> SPEEDS =
      Map.of(
          1, "2.5 Gbps",
          2, "5.0 Gbps",
          4, "10.0 Gbps",
          8, "10.0 Gbps",
          16, "14.0 Gbps",
          32, "25.0 Gbps",
          64, "50.0 Gbps",
          128, "100.0 Gbps",
          256, "200.0 Gbps");

  private static final Map<Integer, String> VIRTUAL_LANES =
      Map.of(1, "1", 2, "2", 3, "4", 4, "8", 5, "15");

  private static final Map<Integer, String> PHYSICAL_STATES =
      Map.of(
          1,
          "SLEEP",
          2,
          "POLLING",
          3,
          "DISABLED",
          4,
          "PORT_CONFIGURATION TRAINING",
          Iba.LINK_UP,
          "LINK_UP",
          6,
          "LINK_ERROR_RECOVERY",
          7,
          "PHY TEST");

  private final Context context;
  private final FieldWriter fields;
  private final boolean verbose;

  PortReport(Context context, FieldWriter fields, boolean verbose) {
    this.context = context;
    this.fields = fields;
    this.verbose = verbose;
  }

  void print(int port) {
    PortAttr attr = context.queryPort(port);
    fields.line("\t\tport:\t" + port);
    fields.port("state", "PORT_%s (%d)".formatted(attr.state(), attr.state().number()));
    fields.port("max_mtu", mtu(attr.maxMtu()));
    fields.port("active_mtu", mtu(attr.activeMtu()));
    fields.port("sm_lid", attr.smLid());
    fields.port("port_lid", attr.lid());
    fields.port("port_lmc", "0x%02x".formatted(attr.lmc()));
    fields.port("link_layer", linkLayer(attr.linkLayer()));
    if (verbose) {
      limits(port, attr);
      for (GidEntry entry : context.queryGidTable()) {
        if (entry.portNum() == port) {
          fields.port("GID[%3d]".formatted(entry.gidIndex()), gid(entry));
        }
      }
    }
  }

  private void limits(int port, PortAttr attr) {
    fields.port("max_msg_sz", "0x%x".formatted(attr.maxMsgSz()));
    fields.port("port_cap_flags", "0x%08x".formatted(attr.portCapFlags()));
    // Further InfiniBand flags, for which the Java port attributes have no field.
    fields.port("port_cap_flags2", "0x0000");
    fields.port("max_vl_num", named(VIRTUAL_LANES, attr.maxVlNum()));
    fields.port("bad_pkey_cntr", "0x%x".formatted(attr.badPkeyCntr()));
    fields.port("qkey_viol_cntr", "0x%x".formatted(attr.qkeyViolCntr()));
    fields.port("sm_sl", attr.smSl());
    fields.port("pkey_tbl_len", attr.pkeyTblLen());
    fields.port("gid_tbl_len", attr.gidTblLen());
    fields.port("subnet_timeout", attr.subnetTimeout());
    fields.port("init_type_reply", attr.initTypeReply());
    fields.port("active_width", named(WIDTHS, attr.activeWidth()));
    fields.port("active_speed", named(SPEEDS, attr.activeSpeed()));
    fields.port(
        "effective_speed",
        String.format(Locale.ROOT, "%.1f Gbps", context.queryPortSpeed(port) / 10.0));
    fields.port("phys_state", named(PHYSICAL_STATES, attr.physState()));
  }

  private static String named(Map<Integer, String> names, int number) {
    return names.getOrDefault(number, "invalid value") + " (" + number + ")";
  }

  private static String mtu(Mtu mtu) {
    return mtu.bytes() + " (" + mtu.number() + ")";
  }

  private static String linkLayer(LinkLayer layer) {
    return switch (layer) {
      case UNSPECIFIED -> "Unspecified";
      case INFINIBAND -> "InfiniBand";
      case ETHERNET -> "Ethernet";
    };
  }

  /** A GID with its type: RoCE v2 as an IP address, others as 8 groups of 4 digits. */
  private static String gid(GidEntry entry) {
    if (entry.gidType() == GidType.ROCE_V2) {
      return entry.gid() + ", RoCE v2";
    }
    StringBuilder text = new StringBuilder();
    String digits = HexFormat.of().formatHex(entry.gid().toBytes());
    for (int at = 0; at < digits.length(); at += 4) {
      text.append(at == 0 ? "" : ":").append(digits, at, at + 4);
    }
    return entry.gidType() == GidType.ROCE_V1 ? text + ", RoCE v1" : text.toString();
  }
}
