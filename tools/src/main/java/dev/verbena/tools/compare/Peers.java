package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Subject.Trial;
import java.util.ArrayList;
import java.util.List;

/** Programs of others, if they are installed, each between two processes. */
final class Peers {
  static final String UCX_POSIX = "UCX posix";
  static final String UCX_TCP = "UCX tcp";
  static final String IPERF = "iperf3 cubic";

  private static final double BYTES_PER_MIB = 1 << 20;
  private static final String HERE = "127.0.0.1";

  /** Columns of fi_pingpong's last line, and of ucx_perftest's. */
  private static final int FABRIC_LATENCY = 6;

  private static final int UCX_TYPICAL = 1;
  private static final int UCX_AVERAGE = 3;
  private static final int UCX_BANDWIDTH = 5;

  /** UCX through shared memory, 8 bytes: the median latency of a test of puts, in ns. */
  static Subject ucxPosixPut() {
    return Subject.peer(UCX_POSIX, ucx("posix", "ucp_put_lat", 8, 1_000_000, UCX_TYPICAL, 1e3));
  }

  /** UCX through shared memory: the mean time of an atomic of 8 bytes, in ns. */
  static Subject ucxPosixAtomic(String test) {
    return Subject.peer(UCX_POSIX, ucx("posix", test, 8, 10_000_000, UCX_AVERAGE, 1e3));
  }

  /** UCX over TCP, 8 bytes: the median latency of a test, in µs. */
  static Subject ucxTcp(String test) {
    return Subject.peer(UCX_TCP, ucx("tcp", test, 8, 100_000, UCX_TYPICAL, 1));
  }

  /** UCX: the bandwidth of a test, in GB/s. */
  static Subject ucxBandwidth(String name, String transport, String test, int bytes) {
    int messages = (int) (4e9 / bytes); // a second or less, over TCP four
    return Subject.peer(
        name, ucx(transport, test, bytes, messages, UCX_BANDWIDTH, BYTES_PER_MIB / 1e9));
  }

  private static Trial ucx(
      String transport, String test, int bytes, int messages, int column, double factor) {
    return seconds -> {
      String at = Child.freePort();
      List<String> command =
          List.of(
              "ucx_perftest", "-f", "-p", at, "-t", test, "-s", "" + bytes, "-n", "" + messages);
      List<String> lines = pair(at, command, with(command, HERE), "UCX_TLS=" + transport);
      return Figure.of(factor * Printed.columns(lines.getLast())[column]);
    };
  }

  /** iperf3 with cubic: the receiver's rate, in GB/s. */
  static Subject iperf() {
    return Subject.peer(
        IPERF,
        seconds -> {
          String at = Child.freePort();
          List<String> client = List.of("iperf3", "-c", HERE, "-C", "cubic", "-J", "-p", at, "-t");
          List<String> lines =
              pair(at, List.of("iperf3", "-s", "-1", "-p", at), with(client, "" + seconds));
          String text = String.join(" ", lines);
          int sums = Math.max(0, text.indexOf("\"sum_received\""));
          return Figure.of(Printed.field(List.of(text.substring(sums)), "bits_per_second") / 8e9);
        });
  }

  /** qperf, which sleeps until data comes: µs one way. */
  static Subject qperfLatency(String transport) {
    return qperf(transport, "_lat", 8, "latency", 1e-3);
  }

  /** qperf: GB/s. */
  static Subject qperfBandwidth(String transport, int bytes) {
    return qperf(transport, "_bw", bytes, "bw", 1e-9);
  }

  private static Subject qperf(
      String transport, String test, int bytes, String field, double factor) {
    return Subject.peer(
        "qperf " + transport,
        seconds -> {
          String at = Child.freePort();
          List<String> server = List.of("qperf", "-lp", at);
          List<String> client =
              with(server, "-t", "" + seconds, "-m", "" + bytes, "-uu", HERE, transport + test);
          return Figure.of(factor * Printed.assigned(pair(at, server, client), field));
        });
  }

  /** libfabric, spinning, 8 bytes: µs one way, the mean, times a factor. */
  static Subject libfabric(
      String name, String provider, String endpoint, int messages, double factor) {
    return Subject.peer(
        "libfabric " + name,
        seconds -> {
          String at = Child.freePort();
          List<String> options =
              List.of("-p", provider, "-e", endpoint, "-S", "8", "-I", "" + messages);
          List<String> server = with(List.of("fi_pingpong", "-B", at), options);
          List<String> client = with(with(List.of("fi_pingpong", "-P", at), options), HERE);
          String last = pair(at, server, client).getLast();
          return Figure.of(factor * Printed.columns(last)[FABRIC_LATENCY]);
        });
  }

  /** What the client prints. */
  private static List<String> pair(
      String port, List<String> server, List<String> client, String... environment)
      throws InterruptedException {
    try (Child serving = Child.start(server, environment)) {
      serving.awaitListening(port);
      try (Child asking = Child.start(client, environment)) {
        return asking.finish();
      }
    }
  }

  private static List<String> with(List<String> command, String... more) {
    return with(command, List.of(more));
  }

  private static List<String> with(List<String> command, List<String> more) {
    List<String> all = new ArrayList<>(command);
    all.addAll(more);
    return all;
  }

  private Peers() {}
}
