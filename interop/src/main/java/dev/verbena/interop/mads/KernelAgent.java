package dev.verbena.interop.mads;

import dev.verbena.interop.Report;
import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.mad.MadCall;
import dev.verbena.mad.MadTransactor;
import dev.verbena.mad.Mads;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.RdmaException;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.PathRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sends datagrams to queue pair 1 of a Linux kernel's rdma_rxe, and prints a line {@code ok|FAIL
 * NAME SECONDS} for each case. On RoCE, that kernel has neither a subnet administrator nor an agent
 * for performance management. It answers Get and Set with status 0x000c (method or attribute not
 * supported), and nothing else.
 */
public final class KernelAgent {
  private static final int GSI_QPN = 1;
  private static final int HOPS = 64;
  private static final int PATIENT = 20;
  private static final int QUICK = 14;
  private static final int RETRIES = 4;

  private final MadTransactor mad;
  private final IbPath path;

  private KernelAgent(MadTransactor mad, IbPath path) {
    this.mad = mad;
    this.path = path;
  }

  /**
   * Runs all cases.
   *
   * @param args our device, which is either by verbs or by libibumad; the GID of the kernel's
   */
  public static void main(String[] args) {
    Report report = new Report(System.out, System.err);
    EndPort port = Rdma.getEndPort(args[0]);
    IbPath path =
        IbPath.builder(port)
            .sgid(port.defaultGid())
            .dgid(Gid.parse(args[1]))
            .hasGrh(true)
            .hopLimit(HOPS)
            .dqpn(GSI_QPN)
            .qkey(Iba.DEFAULT_QP1_QKEY)
            .packetLifeTime(PATIENT)
            .respTime(PATIENT)
            .build();
    // Repeated faster than the kernel drops our request.
    IbPath quick = path.copy(p -> p.packetLifeTime(QUICK).respTime(QUICK).retries(RETRIES));
    try (MadTransactor patient = Mads.getGmpMad(port, path);
        MadTransactor hurried = Mads.getGmpMad(port, quick)) {
      Map<String, Runnable> cases = new LinkedHashMap<>();
      KernelAgent agent = new KernelAgent(patient, path);
      cases.put("performance", agent::performance);
      cases.put("path-record", agent::pathRecord);
      cases.put("no-answer", new KernelAgent(hurried, quick)::table);
      cases.forEach((name, body) -> run(report, name, body));
    }
    System.exit(report.isGood() ? 0 : 1);
  }

  private static void run(Report report, String name, Runnable body) {
    long start = System.nanoTime();
    Throwable failure = null;
    try {
      body.run();
    } catch (RdmaException | CaseFailure e) {
      failure = e;
    }
    report.add(name, Duration.ofNanos(System.nanoTime() - start), failure);
  }

  private void performance() {
    Attribute query = new Attribute(ClassPortInfo.FORMAT);
    isRefused(MadCall.get(MgmtClass.PERFORMANCE, query, 0, path));
  }

  private void pathRecord() {
    isRefused(MadCall.subnAdmGet(new Attribute(PathRecord.FORMAT).set(PathRecord.DLID, 1)));
  }

  private void isRefused(MadCall<Attribute> call) {
    try {
      throw new CaseFailure("answered: " + mad.ask(call));
    } catch (MadException e) {
      if (e.status() != MadStatus.UNSUPPORTED_ATTRIBUTE) {
        throw e;
      }
    }
  }

  private void table() {
    long start = System.nanoTime();
    try {
      throw new CaseFailure("answered: " + mad.subnAdmGetTable(new Attribute(PathRecord.FORMAT)));
    } catch (MadException e) {
      if (e.kind() != MadException.Kind.TIMEOUT) {
        throw e;
      }
    }
    Duration documented = path.madTimeout().multipliedBy(RETRIES + 1);
    if (System.nanoTime() - start < documented.toNanos()) {
      throw new CaseFailure("timed out before " + documented);
    }
  }
}
