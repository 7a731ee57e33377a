package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.SideChannel;
import dev.verbena.tools.kit.SideChannelServer;
import dev.verbena.tools.kit.SizeOption;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.pingpong.end.PingpongBuffer;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.tools.pingpong.end.PingpongOptions;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena xsrq-pingpong}: ibv_xsrq_pingpong, to whose C program it talks. */
@Command(
    name = "xsrq-pingpong",
    description = {
      "Exchange messages over extended reliable connections (XRC) of one server and several"
          + " clients, into shared receive queues that requests name. Works with libibverbs'"
          + " ibv_xsrq_pingpong, as client and as server."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample, in three terminals:%n",
    footer = {
      "  verbena xsrq-pingpong -c 2",
      "  verbena xsrq-pingpong 127.0.0.1",
      "  verbena xsrq-pingpong 127.0.0.1"
    })
public final class XsrqPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 4096;

  private final PrintWriter out;
  private final ProgressReporter reporter;

  @Mixin private final PingpongOptions options = new PingpongOptions();
  @Mixin private final SizeOption size = new SizeOption(DEFAULT_SIZE);
  @Mixin private final PathMtuOption pathMtu = new PathMtuOption();

  @Option(
      names = {"-c", "--clients"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "Clients that the server waits for (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = {"-n", "--num_tests"},
      paramLabel = "COUNT",
      defaultValue = "5",
      description =
          "Messages to and from each client (default: ${DEFAULT-VALUE}). Must be the same at all"
              + " ends.")
  private int tests;

  @Option(
      names = "--chk",
      description =
          "Check received data, which the C tool cannot. Give it to all ends; each client checks,"
              + " and fails if data is wrong.")
  private boolean check;

  @Mixin private final OdpOption odp = new OdpOption();

  /** Creates the command, which writes results to {@code out}. */
  public XsrqPingpongCommand(PrintWriter out, ProgressReporter reporter) {
    this.out = out;
    this.reporter = reporter;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    size.check(1, Integer.MAX_VALUE);
    odp.check();
    Mtu mtu = pathMtu.value();
    Ranges.check("--clients", clients, 1, 1 << 16);
    Ranges.check("--num_tests", tests, 1, 1 << 15);
    int peers = options.isClient() ? 1 : clients;
    try (PingpongEnd end = PingpongEnd.open(options, size.bytes(), peers)) {
      run(end, mtu, peers);
      end.release();
    }
    out.println("success");
    return 0;
  }

  private void run(PingpongEnd end, Mtu mtu, int count) throws IOException, InterruptedException {
    XrcDomain xrcd = end.context().openXrcd(domain());
    CompletionQueue sendCq = end.context().createCq(count);
    SharedReceiveQueue srq = end.pd().createSrq(SrqInitAttr.xrc(xrcd, end.cq(), count, 1));
    Messages messages = new Messages(end.region(), 0);
    PingpongBuffer buffer = new PingpongBuffer(messages.message());
    // The first message is the server's, and what a client sends is what it has received.
    if (check && !options.isClient()) {
      buffer.mark();
    }
    List<XrcPeer> peers = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        peers.add(new XrcPeer(recvQp(end, xrcd), sendQp(end, sendCq, count)));
      }
      XrcLoop loop = new XrcLoop(peers, srq, sendCq, end.cq(), messages, tests, options.patience());
      loop.prepare();
      meet(end, mtu, srq.srqNum(), peers);
      try (Progress progress = reporter.begin(what(), (long) count * tests)) {
        loop.run(options.isClient(), progress);
      }
      part(peers);
      peers.forEach(XrcPeer::destroy);
    } finally {
      for (XrcPeer peer : peers) {
        peer.close();
      }
    }
    srq.destroy();
    xrcd.close();
    sendCq.destroy();
    if (check && options.isClient() && !buffer.invalidPages().isEmpty()) {
      throw ToolException.failure("invalid data in pages " + buffer.invalidPages());
    }
  }

  private String what() {
    return "exchange of %d bytes".formatted(size.bytes());
  }

  /** The domain that all processes of a host would share; a private one if there is no file. */
  private static XrcdInitAttr domain() {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "xrc_domain");
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      return XrcdInitAttr.of(file);
    } catch (IOException e) {
      return XrcdInitAttr.anonymous();
    }
    return XrcdInitAttr.of(file);
  }

  private static QueuePair recvQp(PingpongEnd end, XrcDomain xrcd) {
    QueuePair qp = end.context().createQpEx(QpInitAttr.xrcRecv(xrcd));
    qp.modify(end.port().toInit().qpAccessFlags(Access.REMOTE_WRITE | Access.REMOTE_READ));
    return qp;
  }

  private QueuePair sendQp(PingpongEnd end, CompletionQueue sendCq, int count) {
    QueuePair qp =
        end.pd()
            .createQp(
                QpInitAttr.xrcSend(sendCq).maxSendWr(count * tests).maxSendSge(1).maxInlineData(0));
    qp.modify(end.port().toInit().qpAccessFlags(0));
    return qp;
  }

  /**
   * Exchanges addresses: the client speaks first, and each end connects as soon as it has the
   * other's address.
   */
  private void meet(PingpongEnd end, Mtu mtu, int srqn, List<XrcPeer> peers) throws IOException {
    @Nullable String host = options.peer().host();
    if (host != null) {
      XrcPeer server = peers.getFirst();
      server.channel(SideChannel.connect(host, options.peer().port(), options.patience()));
      server.tell(end, srqn, out);
      server.hear(out);
      server.connect(end, mtu);
      return;
    }
    try (SideChannelServer listener = options.peer().listen(peers.size(), out)) {
      for (XrcPeer client : peers) {
        client.channel(listener.accept(options.patience()));
        client.hear(out);
        client.tell(end, srqn, out);
        client.connect(end, mtu);
      }
    }
  }

  /**
   * Waits until all ends have everything: a receiving queue pair must exist until its peer has the
   * acknowledgement of its last message.
   */
  private void part(List<XrcPeer> peers) throws IOException {
    if (options.isClient()) {
      peers.getFirst().sendEnd();
      peers.getFirst().awaitEnd();
      return;
    }
    for (XrcPeer client : peers) {
      client.awaitEnd();
    }
    for (XrcPeer client : peers) {
      client.sendEnd();
    }
  }
}
