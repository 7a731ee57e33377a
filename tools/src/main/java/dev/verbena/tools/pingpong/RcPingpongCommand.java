package dev.verbena.tools.pingpong;

import dev.verbena.tools.ToolException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena rc-pingpong}: ibv_rc_pingpong, to whose C program it talks. */
@Command(
    name = "rc-pingpong",
    description = {
      "Exchange messages over a reliable connection. Speaks with libibverbs' ibv_rc_pingpong,"
          + " as client and as server."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample, in two terminals:%n",
    footer = {"  verbena rc-pingpong -c", "  verbena rc-pingpong -c 127.0.0.1"})
public final class RcPingpongCommand implements Callable<Integer> {
  private static final int TIMEOUT = 14;
  private static final int RETRIES = 7;
  private static final int MIN_RNR_TIMER = 12;

  private final PrintWriter out;

  @Mixin private final PingpongOptions options = new PingpongOptions();

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Bytes of a message (default: ${DEFAULT-VALUE}). Give both ends the same.")
  private int size;

  @Option(
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
  private int mtu;

  @Option(
      names = {"-N", "--new_send"},
      description = "Post sends with the extended API, wrStart to wrComplete.")
  private boolean extendedApi;

  @Option(
      names = {"-t", "--ts"},
      description = "Completion time stamps, where the device has them.")
  private boolean timestamps;

  @Mixin private final RefusedOptions refused = new RefusedOptions();

  /** Writes results to {@code out}. */
  public RcPingpongCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    refused.check();
    PingpongOptions.range("--size", size, 1, Integer.MAX_VALUE);
    Mtu pathMtu = pathMtu();
    if (timestamps) {
      throw new VerbsException(
          "rc-pingpong -t (--ts)", Errno.EOPNOTSUPP, "completion time stamps are not supported");
    }
    try (PingpongEnd end = PingpongEnd.open(options, size, options.rxDepth() + 1)) {
      QueuePair qp = createQp(end);
      run(end, qp, pathMtu);
      qp.destroy();
      end.release();
    }
    return 0;
  }

  private void run(PingpongEnd end, QueuePair qp, Mtu pathMtu)
      throws IOException, InterruptedException {
    MemoryRegion region = end.region();
    PingpongLoop loop =
        new PingpongLoop(
            options,
            end.cq(),
            extendedApi ? new RcExPoster(qp.toQpEx(), region) : new RcPoster(qp, region));
    boolean client = options.host() != null;
    PingpongBuffer buffer = new PingpongBuffer(region.memory());
    if (client && options.checksData()) {
      buffer.mark();
    }
    loop.prepare();
    Destination local = end.local(qp.qpNum(), qp.endpoint().psn());
    new Meeting(options, out).hold(local, remote -> connect(end, qp, pathMtu, local, remote));
    Traffic traffic = new Traffic(size, options.iters(), loop.run(client));
    out.println(traffic.bandwidthLine());
    out.println(traffic.latencyLine());
    if (!client && options.checksData()) {
      buffer.invalidPages().forEach(page -> out.println("invalid data in page " + page));
    }
    loop.acknowledgeEvents();
  }

  private QueuePair createQp(PingpongEnd end) {
    QpInitAttr attr =
        QpInitAttr.rc(end.cq())
            .maxSendWr(1)
            .maxRecvWr(options.rxDepth())
            .maxSendSge(1)
            .maxRecvSge(1)
            .maxInlineData(0);
    QueuePair qp =
        extendedApi ? end.pd().createQpEx(attr.sendOps(SendOps.SEND)) : end.pd().createQp(attr);
    qp.modify(
        new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(options.ibPort()).qpAccessFlags(0));
    return qp;
  }

  private static void connect(
      PingpongEnd end, QueuePair qp, Mtu pathMtu, Destination local, Destination remote) {
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(end.route(remote))
            .pathMtu(pathMtu)
            .destQpNum(remote.qpn())
            .rqPsn(remote.psn())
            .maxDestRdAtomic(1)
            .minRnrTimer(MIN_RNR_TIMER));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(TIMEOUT)
            .retryCnt(RETRIES)
            .rnrRetry(RETRIES)
            .sqPsn(local.psn())
            .maxRdAtomic(1));
  }

  private Mtu pathMtu() {
    try {
      return Mtu.ofBytes(mtu);
    } catch (VerbsException e) {
      throw ToolException.usage("--mtu=" + mtu + " is none of 256, 512, 1024, 2048, 4096");
    }
  }
}
