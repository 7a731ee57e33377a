package dev.verbena.tools.perf;

import dev.verbena.tools.kit.LocalPort;
import dev.verbena.tools.kit.PeerOptions;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.Report;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpType;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** One end of a measurement, from opening the device to closing it. */
final class PerfSession {
  private static final int PAGE = 4096;
  private static final int CACHE_LINE = 64;

  private final Verb verb;
  private final EndOptions options;
  private final RunOptions run;
  private final PrintWriter out;
  private final PrintWriter err;

  /** The measurement, which runs once both ends are connected. */
  interface Test {
    void run(PerfEnd end, PerfChannel channel, Report report, int largest)
        throws IOException, InterruptedException;
  }

  /**
   * The description of a test, for the user, before it begins.
   *
   * @param command the command that measures
   * @param latency whether it measures latency; otherwise bandwidth
   * @param lanes queue pairs
   * @param sends entries of their send queues
   * @param settings further settings, after those that all tests have
   */
  record Plan(
      String command, boolean latency, int lanes, int sends, Map<String, Object> settings) {}

  PerfSession(Verb verb, EndOptions options, RunOptions run, PrintWriter out, PrintWriter err) {
    this.verb = verb;
    this.options = options;
    this.run = run;
    this.out = out;
    this.err = err;
  }

  /** Opens the device, connects to the peer, measures, and destroys everything. */
  void play(Plan plan, Test test) throws IOException, InterruptedException {
    PeerOptions peer = options.peer();
    try (Context context = Devices.open(peer.device())) {
      LocalPort port =
          new LocalPort(context, peer.ibPort(), options.gidIndex(), options.serviceLevel());
      Mtu mtu = options.mtu(context.queryPort(port.number()).activeMtu());
      port.gid();
      try (PerfChannel channel =
          new PerfChannel(peer.meet(run.json() ? err : out), peer.isClient())) {
        measure(port, mtu, channel, plan, test);
      }
    }
  }

  private void measure(LocalPort port, Mtu wanted, PerfChannel channel, Plan plan, Test test)
      throws IOException, InterruptedException {
    channel.exchangeVersions();
    int walk = channel.exchangeMost(PAGE, "its page size");
    channel.exchangeMost(CACHE_LINE, "the size of its cache lines");
    Mtu mtu = channel.exchangeMtu(wanted);
    int largest = largest(mtu);
    PerfEnd end =
        new PerfEnd(
            port.context(),
            port,
            verb,
            options,
            new PerfEnd.Sizes(
                plan.lanes(),
                plan.sends(),
                verb == Verb.SEND ? options.rxDepth() : 0,
                Math.max(walk, run.all() ? largest : run.size())));
    Report report = new Report(out, run.json());
    report.begin(
        plan.command(),
        verbTitle() + (plan.latency() ? " Latency Test" : " BW Test"),
        settings(port, mtu, plan));
    connect(end, port, mtu, channel, report, plan);
    channel.beVeryPatient();
    test.run(end, channel, report, largest);
    report.end(port.context().counters());
    channel.part();
    end.release();
  }

  private String verbTitle() {
    return verb == Verb.ATOMIC ? verb.title() + " " + options.atomic() : verb.title();
  }

  private Map<String, Object> settings(LocalPort port, Mtu mtu, Plan plan) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("Role", options.peer().isClient() ? "client" : "server");
    settings.put("Device", port.context().device().name());
    settings.put("Number of qps", plan.lanes());
    settings.put("Connection type", options.service().name());
    settings.put("Using SRQ", options.sharesReceives());
    settings.put("Events", options.events());
    settings.put("TX depth", plan.sends());
    if (verb == Verb.SEND) {
      settings.put("RX depth", options.rxDepth());
    }
    settings.putAll(plan.settings());
    settings.put("Mtu", mtu.bytes());
    settings.put("GID index", port.gidIndex());
    settings.put("Max inline data", options.inline());
    return settings;
  }

  /** The largest message that can be measured; rejects a larger one. */
  private int largest(Mtu mtu) {
    if (options.service() != QpType.UD) {
      return RunOptions.LARGEST;
    }
    if (!run.all() && run.size() > mtu.bytes()) {
      throw ToolException.failure(
          "--size=%d is larger than the path MTU of %d bytes, the limit for a datagram"
              .formatted(run.size(), mtu.bytes()));
    }
    return mtu.bytes();
  }

  /** Exchanges queue pair data with the peer, in the steps of the C programs. */
  private void connect(
      PerfEnd end, LocalPort port, Mtu mtu, PerfChannel channel, Report report, Plan plan)
      throws IOException {
    if (plan.latency() && verb != Verb.SEND) {
      channel.exchangeKeys(end.lanes().getFirst().local());
    }
    PerfKey[] remote = new PerfKey[end.lanes().size()];
    for (int i = 0; i < remote.length; i++) {
      remote[i] = channel.exchangeKeys(end.lanes().get(i).local());
    }
    for (int i = 0; i < remote.length; i++) {
      end.lanes().get(i).connect(remote[i], end.pd(), port, mtu, options.qpTimeout());
      report.text(end.lanes().get(i).local().lines("local", verb));
    }
    if (verb == Verb.SEND) {
      channel.exchangeKeys(end.lanes().getFirst().local());
    }
    for (Lane lane : end.lanes()) {
      report.text(channel.exchangeKeys(lane.local()).lines("remote", verb));
    }
    if (verb != Verb.SEND) {
      channel.exchangeKeys(end.lanes().getFirst().local());
    }
  }
}
