package dev.verbena.interop.mads;

import dev.verbena.interop.Report;
import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.mad.MadCall;
import dev.verbena.mad.MadTransactor;
import dev.verbena.mad.Mads;
import dev.verbena.mad.PathResolver;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.SaPathNotFoundException;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Queries OpenSM from a node of a simulated subnet, and prints a line {@code ok|FAIL NAME SECONDS}
 * for each case. {@code interop/subnet} runs it.
 */
public final class OpenSm {
  private static final Gid GROUP = Gid.parse("ff15:a01b::4d:1");
  private static final int GROUP_QKEY = 0x1234_5678;
  private static final int QUICK = 14;
  private static final int RETRIES = 2;
  private static final Duration SLACK = Duration.ofSeconds(5);

  private final EndPort port;
  private final Saquery judge;

  /** The actions of a case. */
  @FunctionalInterface
  private interface Body {
    void run() throws IOException, InterruptedException;
  }

  private OpenSm(EndPort port, Saquery judge) {
    this.port = port;
    this.judge = judge;
  }

  /**
   * Runs cases.
   *
   * @param args our device; the node where saquery runs; names of cases
   */
  public static void main(String[] args) throws InterruptedException {
    Report report = new Report(System.out, System.err);
    OpenSm openSm = new OpenSm(Rdma.getEndPort(args[0]), new Saquery(args[1]));
    for (String name : List.of(args).subList(2, args.length)) {
      long start = System.nanoTime();
      Throwable failure = null;
      try {
        openSm.body(name).run();
      } catch (IOException | RdmaException | CaseFailure e) {
        failure = e;
      }
      report.add(name, Duration.ofNanos(System.nanoTime() - start), failure);
    }
    System.exit(report.isGood() ? 0 : 1);
  }

  private Body body(String name) {
    return switch (name) {
      case "pairs" -> this::pairs;
      case "missing" -> this::missing;
      case "table" -> this::table;
      case "multicast" -> this::multicast;
      case "route" -> this::route;
      case "silence" -> this::silence;
      default -> throw new IllegalArgumentException("no case " + name);
    };
  }

  /** The path from this port to each port of the subnet, including our own. */
  private void pairs() throws IOException, InterruptedException {
    String ours = " sgid=" + port.defaultGid() + " ";
    List<String> expected =
        judge.paths().stream().filter(path -> path.contains(ours)).sorted().toList();
    check(expected.size() > 4, "saquery prints too few ports: " + expected);
    try (MadTransactor mad = Mads.getGmpMad(port)) {
      for (String known : expected) {
        Gid dgid = Gid.parse(known.replaceAll(".* dgid=([^ ]+) .*", "$1"));
        IbPath path = PathResolver.resolvePath(mad, IbPath.builder(port).dgid(dgid).build());
        check(Saquery.agrees(path, known), "saquery: " + known + ", we: " + path);
        check(path.complete(), "not complete: " + path);
      }
    }
  }

  private void missing() {
    Gid nobody = new Gid(port.defaultGid().subnetPrefix(), 0xdead);
    try (MadTransactor mad = Mads.getGmpMad(port)) {
      for (IbPath path :
          List.of(
              IbPath.builder(port).dgid(nobody).build(),
              IbPath.builder(port).dlid(0x1234).build())) {
        try {
          throw new CaseFailure("a path: " + PathResolver.resolvePath(mad, path));
        } catch (SaPathNotFoundException e) {
          check(e.toString().contains(port.toString()), "the port is not named: " + e);
        }
      }
    }
  }

  /** All path records, in segments. */
  private void table() throws IOException, InterruptedException {
    List<String> expected = judge.paths();
    try (MadTransactor mad = Mads.getGmpMad(port)) {
      List<String> got =
          mad.subnAdmGetTable(new Attribute(PathRecord.FORMAT)).stream()
              .map(Saquery::line)
              .toList();
      check(expected.size() > 30, "saquery prints too few records for segments: " + expected);
      check(
          expected.stream().sorted().toList().equals(got.stream().sorted().toList()),
          "saquery: " + expected + ", we: " + got);
    }
  }

  /** Joining a group creates it, and leaving it deletes it. */
  private void multicast() throws IOException, InterruptedException {
    Predicate<String> isOurs =
        member -> member.startsWith(GROUP + " ") && member.endsWith(" " + port.defaultGid());
    try (MadTransactor mad = Mads.getGmpMad(port)) {
      Attribute joined =
          mad.subnAdmSet(
              membership()
                  .set(McMemberRecord.QKEY, GROUP_QKEY)
                  .set(McMemberRecord.PKEY, 0xffff)
                  .set(McMemberRecord.TCLASS, 0)
                  .set(McMemberRecord.SL, 0)
                  .set(McMemberRecord.FLOW_LABEL, 0));
      int mlid = joined.getInt(McMemberRecord.MLID);
      check(joined.getInt(McMemberRecord.QKEY) == GROUP_QKEY, "another Q_Key: " + joined);
      check(mlid >= 0xc000 && mlid < 0xffff, "no LID of a multicast group: " + joined);
      List<String> members = judge.members();
      String lid = String.format(Locale.ROOT, "0x%X", mlid);
      check(
          members.stream().filter(isOurs).anyMatch(member -> member.contains(" " + lid + " ")),
          "joined with LID " + lid + ", but saquery prints " + members);
      mad.subnAdmDelete(membership());
      List<String> left = judge.members();
      check(left.stream().noneMatch(isOurs), "left, but saquery prints " + left);
    }
  }

  /** Subnet management port by port: this node, the switch beside it, and the way back. */
  private void route() {
    int here = port.portId();
    try (MadTransactor mad = Mads.getGmpMad(port)) {
      Attribute own = node(mad, List.of(0));
      check(own.getInt(NodeInfo.NODE_TYPE) == NodeType.CA.number(), "no adapter: " + own);
      check(
          own.get(NodeInfo.PORT_GUID) == port.defaultGid().guid().value(),
          "not the GUID of " + port + ": " + own);
      Attribute beside = node(mad, List.of(0, here));
      check(beside.getInt(NodeInfo.NODE_TYPE) == NodeType.SWITCH.number(), "no switch: " + beside);
      int ours = beside.getInt(NodeInfo.LOCAL_PORT_NUM);
      check(node(mad, List.of(0, here, ours)).equals(own), "not back by port " + ours);
      IbPath byLid = IbPath.builder(port).dlid(port.lid()).slid(port.lid()).build();
      check(
          mad.ask(MadCall.subnGet(new Attribute(NodeInfo.FORMAT), 0, byLid)).equals(own),
          "another answer by LID");
    }
  }

  private Attribute node(MadTransactor mad, List<Integer> ports) {
    IbPath path = IbPath.builder(port).drPath(ports).retries(RETRIES).build();
    return mad.ask(MadCall.subnGet(new Attribute(NodeInfo.FORMAT), 0, path));
  }

  private Attribute membership() {
    return new Attribute(McMemberRecord.FORMAT)
        .set(McMemberRecord.MGID, GROUP.toBytes())
        .set(McMemberRecord.PORT_GID, port.defaultGid().toBytes())
        .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER);
  }

  /** No agent answers any more. */
  private void silence() {
    IbPath saPath =
        port.saPath().copy(path -> path.packetLifeTime(QUICK).respTime(QUICK).retries(RETRIES));
    Duration documented = saPath.madTimeout().multipliedBy(RETRIES + 1);
    try (MadTransactor mad = Mads.getGmpMad(port, saPath)) {
      long start = System.nanoTime();
      try {
        throw new CaseFailure(
            "an answer: " + mad.subnAdmGetTable(new Attribute(PathRecord.FORMAT)));
      } catch (MadException e) {
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        check(e.kind() == MadException.Kind.TIMEOUT, "no time-out: " + e);
        check(
            took.compareTo(documented) >= 0 && took.compareTo(documented.plus(SLACK)) < 0,
            "timed out after " + took + ", documented: " + documented);
      }
    }
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new CaseFailure(otherwise);
    }
  }
}
