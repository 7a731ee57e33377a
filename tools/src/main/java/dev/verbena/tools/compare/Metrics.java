package dev.verbena.tools.compare;

import static dev.verbena.tools.compare.Subject.floor;
import static dev.verbena.tools.compare.Subject.ours;
import static dev.verbena.tools.compare.Subject.peer;

import dev.verbena.tools.compare.Subject.Trial;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The comparisons, with our bounds. */
final class Metrics {
  private static final int KIB_64 = 1 << 16;
  private static final int MIB = 1 << 20;
  private static final double MIB_PER_GB = MIB / 1e9;
  private static final double NO_MUST = Double.NaN;
  private static final int SMALL = 8;
  private static final int PAGE = 4096;
  private static final int RATE_SIZE = 64;

  /** Bytes of each datagram of a WRITE after the first, at a path MTU of 4096. */
  private static final int PACKET = 4112;

  private static final String UDP = "soft0?link=udp";
  private static final String SHM = "soft0?link=shm";

  /** Two queue pairs are a pair: 10,000 in one process. */
  private static final int PAIRS = 5_000;

  private static final int IN_TURN = 16;
  private static final double MOST_MEMORY = 16_384;
  private static final double MOST_SETUP = 10;

  private static final String HAND_OFF = "hand-off";
  private static final String COPY = "copy";
  private static final String PROCESSOR = "processor";
  private static final String SOCKETS = "bare UDP";
  private static final String NIO_TCP = "NIO TCP";
  private static final String NIO_UDP = "NIO UDP";
  private static final String RAW_UDP = "raw UDP GSO/GRO";
  private static final String JAVA_TOOL = "Java tool";

  private final Trials trials;

  Metrics(Trials trials) {
    this.trials = trials;
  }

  /** All rows, in their order. */
  List<Metric> all() {
    List<Metric> all = new ArrayList<>();
    loopback(all);
    sharedMemory(all);
    udpLatency(all);
    udpBandwidth(all);
    atomics(all);
    manyQueuePairs(all);
    programs(all);
    return all;
  }

  private void loopback(List<Metric> all) {
    all.add(
        new Metric(
            "loopback-write-lat",
            "loopback, two threads, WRITE 8 B ping-pong on memory, one way",
            "ns",
            false,
            List.of(
                ours(trials.probe("loopback-latency", SMALL)),
                floor(HAND_OFF, trials.probe("hand-off", SMALL)),
                Peers.ucxPosixPut()),
            List.of(Bound.atMost(3, 1.5, HAND_OFF), Bound.atMost(NO_MUST, 1, Peers.UCX_POSIX))));
    for (int bytes : new int[] {KIB_64, MIB}) {
      all.add(loopbackBulk("write", bytes));
      all.add(loopbackBulk("read", bytes));
    }
    all.add(
        new Metric(
            "loopback-write-rate",
            "loopback, WRITE 8 B, lists of 32, one signaled",
            "M/s",
            true,
            List.of(ours(trials.probe("loopback-list", SMALL)), AeronPrograms.ipcRate(SMALL)),
            List.of(Bound.atLeast(15, 30))));
  }

  private Metric loopbackBulk(String verb, int bytes) {
    return new Metric(
        "loopback-" + verb + "-" + size(bytes),
        "loopback, " + verb.toUpperCase(Locale.ROOT) + " " + size(bytes),
        "GB/s",
        true,
        List.of(
            ours(trials.probe("loopback-" + verb, bytes)),
            floor(COPY, trials.probe("copy", bytes)),
            Peers.ucxBandwidth(
                Peers.UCX_POSIX, "posix", verb.equals("read") ? "ucp_get" : "ucp_put_bw", bytes)),
        List.of(Bound.atLeast(0.95, 0.95, COPY), Bound.atLeast(NO_MUST, 1, Peers.UCX_POSIX)));
  }

  private void sharedMemory(List<Metric> all) {
    all.add(
        new Metric(
            "shm-write-lat",
            "shared memory, two processes, WRITE 8 B ping-pong on memory, one way",
            "ns",
            false,
            List.of(
                ours(trials.linkLatency(SHM)),
                floor(HAND_OFF, trials.probe("hand-off", SMALL)),
                Peers.ucxPosixPut(),
                AeronPrograms.ipcLatency(),
                Peers.libfabric("shm", "shm", "rdm", 3_000_000, 1e3)),
            List.of(Bound.atMost(5, 2, HAND_OFF))));
    all.add(
        new Metric(
            "shm-write-1MiB",
            "shared memory, two processes, WRITE 1 MiB",
            "GB/s",
            true,
            List.of(
                ours(link(SHM, WrOpcode.RDMA_WRITE, MIB)),
                floor(COPY, trials.probe("copy", MIB)),
                Peers.ucxBandwidth(Peers.UCX_POSIX, "posix", "ucp_put_bw", MIB),
                AeronPrograms.ipcBandwidth(MIB)),
            List.of(Bound.atLeast(0.8, 0.8, COPY), Bound.atLeast(NO_MUST, 1, Peers.UCX_POSIX))));
  }

  private void udpLatency(List<Metric> all) {
    Subject sockets = floor(SOCKETS, trials.sockets(SocketProbe.UDP_LATENCY, SMALL));
    all.add(
        new Metric(
            "udp-send-lat",
            "UDP, two processes, SEND 8 B ping-pong, polling the completion queue, one way",
            "us",
            false,
            List.of(
                ours(trials.tool(UDP, "typical_us", 1, "send-lat", "-s", "8")),
                sockets,
                peer(NIO_TCP, trials.sockets(SocketProbe.TCP_LATENCY, SMALL)),
                Peers.ucxTcp("ucp_put_lat"),
                Peers.libfabric("tcp", "tcp", "msg", 100_000, 1),
                Peers.libfabric("rxd", "udp;ofi_rxd", "rdm", 100_000, 1),
                Peers.qperfLatency("tcp"),
                Peers.qperfLatency("udp"),
                AeronPrograms.udpLatency()),
            List.of(
                Bound.atMost(1.6, 1.3, SOCKETS),
                Bound.atMost(NO_MUST, 1, NIO_TCP),
                Bound.atMost(NO_MUST, 1, Peers.UCX_TCP))));
    all.add(
        new Metric(
            "udp-write-lat",
            "UDP, two processes, WRITE 8 B ping-pong, polling memory, one way",
            "us",
            false,
            List.of(ours(trials.tool(UDP, "typical_us", 1, "write-lat", "-s", "8")), sockets),
            List.of(Bound.atMost(4, 2, SOCKETS))));
  }

  private void udpBandwidth(List<Metric> all) {
    for (int bytes : new int[] {KIB_64, MIB}) {
      all.add(
          new Metric(
              "udp-write-" + size(bytes),
              "UDP, two processes, WRITE " + size(bytes) + ", path MTU 4096",
              "GB/s",
              true,
              List.of(
                  ours(link(UDP, WrOpcode.RDMA_WRITE, bytes)),
                  Peers.iperf(),
                  floor(RAW_UDP, trials.sockets(SocketProbe.RAW_UDP, PACKET)),
                  peer(NIO_TCP, trials.sockets(SocketProbe.TCP_BANDWIDTH, bytes)),
                  Peers.ucxBandwidth(Peers.UCX_TCP, "tcp", "ucp_put_bw", bytes),
                  Peers.qperfBandwidth("tcp", bytes),
                  AeronPrograms.udpBandwidth(bytes)),
              List.of(
                  Bound.atLeast(0.70, 0.85, Peers.IPERF),
                  Bound.atLeast(0.55, 0.65, RAW_UDP),
                  Bound.atLeast(NO_MUST, 1, NIO_TCP),
                  Bound.atLeast(NO_MUST, 1, Peers.UCX_TCP))));
    }
    String write = "our WRITE";
    all.add(
        new Metric(
            "udp-read-1MiB",
            "UDP, two processes, READ 1 MiB",
            "GB/s",
            true,
            List.of(
                ours(link(UDP, WrOpcode.RDMA_READ, MIB)),
                floor(write, link(UDP, WrOpcode.RDMA_WRITE, MIB)),
                Peers.ucxBandwidth(Peers.UCX_TCP, "tcp", "ucp_get", MIB)),
            List.of(Bound.atLeast(0.8, 0.95, write))));
    all.add(
        new Metric(
            "udp-send-rate",
            "UDP, two processes, SEND 64 B, 4 queue pairs, lists of 64",
            "M/s",
            true,
            List.of(
                ours(trials.link(UDP, new LinkTraffic(WrOpcode.SEND, RATE_SIZE, 4, 64, 16), 1e-6)),
                floor(NIO_UDP, trials.sockets(SocketProbe.UDP_RATE, RATE_SIZE)),
                AeronPrograms.udpRate(RATE_SIZE)),
            List.of(Bound.atLeast(3, 3), Bound.atLeast(5, 12, NIO_UDP))));
  }

  private void atomics(List<Metric> all) {
    atomic(
        all,
        "fetch-add",
        "FETCH_AND_ADD",
        Peers.ucxPosixAtomic("ucp_fadd"),
        Peers.ucxTcp("ucp_fadd"));
    atomic(
        all,
        "cmp-swap",
        "CMP_AND_SWAP",
        Peers.ucxPosixAtomic("ucp_cswap"),
        Peers.ucxTcp("ucp_cswap"));
  }

  /**
   * An atomic, one after the other. In shared memory, UCX has the processor do it.
   *
   * @param type of perftest
   */
  private void atomic(List<Metric> all, String name, String type, Subject posix, Subject tcp) {
    String title = ", " + type + " of 8 B, one after the other";
    String[] tool = {"atomic-lat", "-A", type};
    Bound bound = Bound.atMost(NO_MUST, 1, Peers.UCX_POSIX);
    all.add(
        new Metric(
            "loopback-" + name,
            "loopback" + title,
            "ns",
            false,
            List.of(
                ours(trials.probe("loopback-" + name, SMALL)),
                floor(PROCESSOR, trials.probe(name, SMALL)),
                posix),
            List.of(bound)));
    all.add(
        new Metric(
            "shm-" + name,
            "shared memory, two processes" + title,
            "ns",
            false,
            List.of(ours(trials.tool(SHM, "typical_us", 1e3, tool)), posix),
            List.of(bound)));
    all.add(
        new Metric(
            "udp-" + name,
            "UDP, two processes" + title,
            "us",
            false,
            List.of(ours(trials.tool(UDP, "typical_us", 1, tool)), tcp),
            List.of(Bound.atMost(NO_MUST, 1, Peers.UCX_TCP))));
  }

  /** Many queue pairs used in turn, compared with one with the same traffic. */
  private void manyQueuePairs(List<Metric> all) {
    String one = "1 QP";
    for (int bytes : new int[] {SMALL, PAGE}) {
      all.add(
          new Metric(
              "many-loopback-" + size(bytes),
              "loopback, WRITE " + size(bytes) + ", 10,000 queue pairs in turn, an operation",
              "ns",
              false,
              List.of(
                  ours(trials.many("many-write", PAIRS, bytes)),
                  floor(one, trials.many("many-write", 1, bytes))),
              List.of(bytes == PAGE ? Bound.atMost(1.3, 1.1, one) : Bound.atMost(3, 3, one))));
    }
    all.add(
        new Metric(
            "many-udp-64B",
            "UDP, two processes, WRITE 64 B, 10,000 queue pairs in turn",
            "M/s",
            true,
            List.of(ours(inTurn(2 * PAIRS)), floor(one, inTurn(1))),
            List.of(Bound.atLeast(1 / 1.3, 1 / 1.1, one))));
    all.add(
        new Metric(
            "many-setup",
            "loopback, creating and connecting 10,000 queue pairs",
            "s",
            false,
            List.of(ours(trials.many("many-setup", PAIRS, SMALL))),
            List.of(Bound.atMost(MOST_SETUP, MOST_SETUP))));
    all.add(
        new Metric(
            "many-memory",
            "memory of an idle queue pair with default queues",
            "B",
            false,
            List.of(ours(trials.many("many-memory", PAIRS, SMALL))),
            List.of(Bound.atMost(MOST_MEMORY, MOST_MEMORY))));
  }

  private Trial inTurn(int queuePairs) {
    return trials.link(
        UDP, new LinkTraffic(WrOpcode.RDMA_WRITE, RATE_SIZE, queuePairs, 1, IN_TURN), 1e-6);
  }

  /** C programs on the drop-in, compared with our tools. */
  private void programs(List<Metric> all) {
    int averages = 3;
    int average = 2;
    for (String verb : new String[] {"write", "read"}) {
      all.add(
          new Metric(
              "c-" + verb + "-bw",
              "ib_" + verb + "_bw of 64 KiB through verbena run",
              "GB/s",
              true,
              List.of(
                  ours(trials.program(averages, MIB_PER_GB, "ib_" + verb + "_bw", "-s", "65536")),
                  floor(JAVA_TOOL, tool(verb + "-bw", KIB_64))),
              List.of(Bound.atLeast(0.8, 0.95, JAVA_TOOL))));
    }
    for (String verb : new String[] {"send", "write"}) {
      all.add(
          new Metric(
              "c-" + verb + "-lat",
              "ib_" + verb + "_lat of 8 B through verbena run, average",
              "us",
              false,
              List.of(
                  ours(trials.program(average, 1, "ib_" + verb + "_lat", "-s", "8")),
                  floor(JAVA_TOOL, trials.tool(UDP, "average_us", 1, verb + "-lat", "-s", "8"))),
              List.of(Bound.atMost(1 / 0.8, 1 / 0.95, JAVA_TOOL))));
    }
  }

  /** Eight megabytes in flight, or 32 messages. */
  private Trial link(String device, WrOpcode opcode, int bytes) {
    int inFlight = Math.min(32, (8 << 20) / bytes);
    return trials.link(device, new LinkTraffic(opcode, bytes, 1, 1, inFlight), bytes / 1e9);
  }

  private Trial tool(String command, int bytes) {
    return trials.bandwidth(UDP, command, "-s", Integer.toString(bytes));
  }

  private static String size(int bytes) {
    if (bytes < 1024) {
      return bytes + "B";
    }
    return bytes == MIB ? "1MiB" : bytes / 1024 + "KiB";
  }
}
