package dev.verbena.examples.paths;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import java.io.PrintStream;

/**
 * Shows that a path has everything that a queue pair needs to get to RTS, and everything for an
 * address handle.
 */
public final class QpByPath {

  /** Runs the example; its argument is a device or a port. */
  public static void main(String[] args) {
    run(args.length == 0 ? "soft0" : args[0], System.out);
  }

  static void run(String name, PrintStream out) {
    try (Context ctx = Rdma.getVerbs(Rdma.getEndPort(name))) {
      ProtectionDomain pd = ctx.allocPd();
      SelfLoop loop = SelfLoop.in(pd, ctx.createCq(32));
      QueuePair qp = loop.qp();
      IbPath path = loop.path();

      qp.modifyToInit(path, Access.REMOTE_READ);
      qp.modifyToRtr(path);
      qp.modifyToRts(path);

      QpAttr attr = qp.query();
      out.println(attr.qpState() + ", path MTU " + attr.pathMtu().bytes());
      out.println("PSN as in the path: " + (attr.sqPsn() == path.sqpsn()));
      out.println("retries " + attr.retryCnt() + ", RNR retries " + attr.rnrRetry());

      AddressHandle ah = pd.ah(path);
      out.println("the path caches its address handle: " + pd.ah(path).equals(ah));
      path.dropCache();
      out.println("until its cache is dropped: " + ah.isClosed());
    }
  }

  private QpByPath() {}
}
