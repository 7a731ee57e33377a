package dev.verbena.examples.paths;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Rdma;
import java.io.PrintStream;

/** Finds an end port by its name, opens a context on it, and shows what closing it closes. */
public final class OpenVerbs {

  /** Runs the example; its argument is a device, a port, a GID or a GUID. */
  public static void main(String[] args) {
    run(args.length == 0 ? "soft0" : args[0], System.out);
  }

  static void run(String name, PrintStream out) {
    EndPort endPort = Rdma.getEndPort(name);
    ProtectionDomain pd;
    try (Context ctx = Rdma.getVerbs(endPort)) {
      pd = ctx.allocPd();
      out.println(endPort.linkLayer() + " " + endPort.state() + " " + endPort.defaultGid());
    }
    out.println("closed with its context: " + pd.isClosed());
  }

  private OpenVerbs() {}
}
