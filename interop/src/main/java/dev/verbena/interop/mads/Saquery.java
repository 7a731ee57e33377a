package dev.verbena.interop.mads;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.PathRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The reference client, run on a node of its own. */
final class Saquery {
  private static final int EXACT = 2 << 6;

  private final String node;

  /**
   * @param node of the simulated subnet
   */
  Saquery(String node) {
    this.node = node;
  }

  /** All path records, each in one line as {@link #line} writes it. */
  List<String> paths() throws IOException, InterruptedException {
    return records("PathRecord", "-p").stream().map(Saquery::line).toList();
  }

  /** The GIDs of the members of multicast groups, by the group's GID and LID: "MGID 0xC000 GID". */
  List<String> members() throws IOException, InterruptedException {
    // Without the key, OpenSM does not say which ports are members.
    return records("MCMemberRecord", "--smkey", "1", "-m").stream()
        .map(record -> record.get("MGID") + " " + record.get("Mlid") + " " + record.get("PortGid"))
        .toList();
  }

  private List<Map<String, String>> records(String kind, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("saquery"));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("SIM_HOST", node);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new CaseFailure(command + " failed: " + text);
    }
    List<Map<String, String>> records = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith(kind)) {
        records.add(new TreeMap<>());
      } else if (line.startsWith("\t")) {
        String[] nameAndValue = line.strip().split("[.]{2,}", 2);
        records.getLast().put(nameAndValue[0], nameAndValue[1]);
      } else {
        throw new CaseFailure(command + " prints '" + line + "'");
      }
    }
    return records;
  }

  private static String line(Map<String, String> record) {
    StringBuilder line = new StringBuilder();
    for (String name :
        List.of(
            "service_id",
            "dgid",
            "sgid",
            "dlid",
            "slid",
            "hop_flow_raw",
            "tclass",
            "num_path_revers",
            "pkey",
            "qos_class",
            "sl",
            "mtu",
            "rate",
            "pkt_life",
            "preference")) {
      line.append(name).append('=').append(value(record.getOrDefault(name, "?"))).append(' ');
    }
    return line.toString().strip();
  }

  /** Numbers and GIDs are printed in several ways. */
  private static String value(String text) {
    if (text.contains(":")) {
      return Gid.parse(text).toString();
    }
    return Long.toString(Long.decode(text.toLowerCase(Locale.ROOT)));
  }

  /** Whether a path agrees with one of {@link #paths()}. */
  static boolean agrees(IbPath path, String record) {
    String expected =
        "dgid=%s sgid=%s dlid=%d slid=%d hop_flow_raw=%d tclass=%d"
            .formatted(
                path.dgid(),
                path.sgid(),
                path.dlid(),
                path.slid(),
                (long) path.flowLabel() << 8 | path.hopLimit(),
                path.trafficClass());
    // MTU, rate and life time are exact: their selector is 2.
    String properties =
        "pkey=%d qos_class=0 sl=%d mtu=%d rate=%d pkt_life=%d"
            .formatted(
                path.pkey(),
                path.sl(),
                EXACT | path.mtu().number(),
                EXACT | path.rate().number(),
                EXACT | path.packetLifeTime());
    return record.contains(" " + expected + " ") && record.contains(" " + properties + " ");
  }

  /** A record in the form of {@link #paths()}. */
  static String line(Attribute path) {
    long hopFlowRaw =
        path.get(PathRecord.RAW_TRAFFIC) << 31
            | path.get(PathRecord.FLOW_LABEL) << 8
            | path.get(PathRecord.HOP_LIMIT);
    return "service_id=%d dgid=%s sgid=%s dlid=%d slid=%d hop_flow_raw=%d tclass=%d"
            .formatted(
                path.get(PathRecord.SERVICE_ID),
                Gid.ofBytes(path.getBytes(PathRecord.DGID)),
                Gid.ofBytes(path.getBytes(PathRecord.SGID)),
                path.get(PathRecord.DLID),
                path.get(PathRecord.SLID),
                hopFlowRaw,
                path.get(PathRecord.TCLASS))
        + " num_path_revers=%d pkey=%d qos_class=%d sl=%d mtu=%d rate=%d pkt_life=%d preference=%d"
            .formatted(
                path.get(PathRecord.REVERSIBLE) << 7 | path.get(PathRecord.NUMB_PATH),
                path.get(PathRecord.PKEY),
                path.get(PathRecord.QOS_CLASS),
                path.get(PathRecord.SL),
                path.get(PathRecord.MTU_SELECTOR) << 6 | path.get(PathRecord.MTU),
                path.get(PathRecord.RATE_SELECTOR) << 6 | path.get(PathRecord.RATE),
                path.get(PathRecord.PACKET_LIFE_TIME_SELECTOR) << 6
                    | path.get(PathRecord.PACKET_LIFE_TIME),
                path.get(PathRecord.PREFERENCE));
  }
}
