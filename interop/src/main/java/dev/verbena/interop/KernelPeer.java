package dev.verbena.interop;

import dev.verbena.interop.cases.Case;
import dev.verbena.interop.cases.CaseSet;
import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.OurDevice;
import dev.verbena.interop.sides.VerbsPeer;
import dev.verbena.verbs.DeviceSpec;
import java.time.Duration;

/**
 * Runs our software device against rdma_rxe in the guest, or, within the guest, rdma_rxe as a
 * device of libibverbs against our software device on the drop-in. Prints a line {@code ok|FAIL
 * NAME SECONDS} for each case. Exits with 0, with 1 after a FAIL, or with 2 for bad arguments.
 */
public final class KernelPeer {
  private static final Duration CASE_DEADLINE = Duration.ofSeconds(60);

  /** See {@link Options#USAGE}. */
  public static void main(String[] arguments) throws InterruptedException {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("KernelPeer: " + e.getMessage());
      System.err.println(Options.USAGE);
      System.exit(2);
      return;
    }
    Report report = new Report(System.out, System.err);
    boolean over = run(options, report);
    int status = report.isGood() ? 0 : 1;
    if (!over) {
      // A hanging device may hang in its shutdown as well.
      Runtime.getRuntime().halt(status);
    }
    System.exit(status);
  }

  /** False if a case hangs. */
  private static boolean run(Options options, Report report) throws InterruptedException {
    if (options.isKernelAlone()) {
      VerbsPeer peer = new VerbsPeer(options.peer(), options.gidIndex(), true);
      return runAll(new CaseRunner(peer, peer, false, CASE_DEADLINE, report), options);
    }
    boolean lossy = DeviceSpec.parse(options.device()).options().containsKey("faults");
    OurDevice device = new OurDevice(options.device(), options.ownGid());
    VerbsPeer peer = new VerbsPeer(options.peer(), options.gidIndex(), !device.isKernel());
    boolean over = runAll(new CaseRunner(device, peer, lossy, CASE_DEADLINE, report), options);
    if (over) {
      if (!device.isKernel()) {
        checkCounters(device, lossy, report);
      }
      device.close();
    }
    return over;
  }

  private static boolean runAll(CaseRunner runner, Options options) throws InterruptedException {
    for (CaseSet set : options.sets()) {
      for (Case test : set.cases()) {
        if (!runner.run(test, options.only())) {
          return false;
        }
      }
    }
    return true;
  }

  private static void checkCounters(OurDevice device, boolean lossy, Report report) {
    long start = System.nanoTime();
    CaseFailure failure = null;
    try {
      CounterChecks.run(device.context().counters(), lossy);
    } catch (CaseFailure e) {
      failure = e;
    }
    report.add("counters", Duration.ofNanos(System.nanoTime() - start), failure);
    System.err.println("counters: " + device.context().counters().snapshot());
  }

  private KernelPeer() {}
}
