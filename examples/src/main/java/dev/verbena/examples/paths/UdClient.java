package dev.verbena.examples.paths;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.mad.MadTransactor;
import dev.verbena.mad.Mads;
import dev.verbena.mad.PathResolver;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.BufferPool;
import dev.verbena.verbs.vtools.Completions;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.PathRecord;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends datagrams to several destinations through one queue pair. Their paths share P_Key and
 * Q_Key, so any of them can set up the queue pair, and each can be used in work requests.
 */
public final class UdClient {
  private static final int DEPTH = 16;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Runs the example; its arguments are the devices or ports of the client and of the servers. */
  public static void main(String[] args) {
    String[] names = args.length == 0 ? new String[] {"soft0", "soft0", "soft0"} : args;
    run(names[0], List.of(names).subList(1, names.length), System.out);
  }

  static void run(String client, List<String> servers, PrintStream out) {
    List<UdServer> open = new ArrayList<>();
    try {
      servers.forEach(name -> open.add(new UdServer(Rdma.getEndPort(name))));
      List<CompletableFuture<Integer>> serving =
          open.stream()
              .map(server -> CompletableFuture.supplyAsync(() -> server.serve(1, TIMEOUT)))
              .toList();
      talk(Rdma.getEndPort(client), open, out);
      serving.forEach(CompletableFuture::join);
    } finally {
      open.forEach(UdServer::close);
    }
  }

  private static void talk(EndPort endPort, List<UdServer> servers, PrintStream out) {
    Attribute properties = new Attribute(PathRecord.FORMAT).set(PathRecord.PKEY, Iba.DEFAULT_PKEY);
    try (Context ctx = Rdma.getVerbs(endPort)) {
      List<IbPath> paths;
      try (MadTransactor mad = Mads.getGmpMad(endPort, ctx)) {
        paths =
            servers.stream()
                .map(server -> server.pathFrom(endPort))
                .map(path -> PathResolver.resolvePath(mad, path, true, properties))
                .toList();
      }
      ProtectionDomain pd = ctx.allocPd();
      CompletionQueue cq = ctx.createCq(2 * DEPTH, ctx.createCompChannel());
      QueuePair qp = pd.createQp(QpInitAttr.ud(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH));
      BufferPool pool = new BufferPool(pd, 2 * DEPTH, 256 + Grh.LENGTH);

      // Receives can be posted from INIT on; establish continues from there.
      qp.modifyToInit(paths.getLast());
      pool.postRecvs(qp, DEPTH);
      qp.establish(paths.getLast());

      for (IbPath path : paths) {
        int buffer = pool.pop();
        int length = pool.copyTo("Hello message!".getBytes(UTF_8), buffer);
        qp.postSend(pool.makeSendWr(buffer, length, path));
      }
      for (WorkCompletion wc : Completions.awaitAll(cq, 2 * paths.size(), TIMEOUT)) {
        if ((wc.wrId() & pool.recvFlag()) != 0) {
          int length = (int) wc.byteLen() - Grh.LENGTH;
          out.println(new String(pool.copyFrom(wc.wrId(), Grh.LENGTH, length), UTF_8));
        }
        pool.finishWcs(qp, wc);
      }
      paths.forEach(IbPath::dropCache);
    }
  }

  private UdClient() {}
}
