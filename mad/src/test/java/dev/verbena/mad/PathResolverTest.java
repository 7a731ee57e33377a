package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SaPathNotFoundException;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.path.PathConnector;
import dev.verbena.verbs.path.Paths;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.PathRecord;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests resolution on an InfiniBand subnet inside the process, and on Ethernet. */
class PathResolverTest {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final int QKEY = 0x1111_1111;
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<Context> contexts = new ArrayList<>();
  private Context context;
  private EndPort endPort;

  private Context open(String options) {
    Context opened = Devices.open("ib:mad" + NAMES.incrementAndGet() + options);
    contexts.add(opened);
    return opened;
  }

  @BeforeEach
  void open() {
    context = open("");
    endPort = context.endPort();
  }

  @AfterEach
  void close() {
    contexts.forEach(Context::close);
  }

  /** A UD queue pair with one posted receive of the given size. */
  private static final class Receiver {
    final CompletionQueue cq;
    final MemoryRegion memory;
    final QueuePair qp;

    Receiver(Context context, IbPath path) {
      ProtectionDomain pd = context.allocPd();
      cq = context.createCq(16);
      memory = pd.allocMr(Grh.LENGTH + 256, Access.LOCAL_WRITE);
      qp = pd.createQp(QpInitAttr.ud(cq));
      qp.modifyToInit(path);
      qp.postRecv(new RecvWr().sgList(memory.sge()));
      qp.establish(path);
    }

    /** The text that arrives. */
    String text() {
      WorkCompletion wc = await(cq);
      MemorySegment text = memory.memory().asSlice(Grh.LENGTH);
      assertThat(wc.byteLen()).isEqualTo(Grh.LENGTH + 6);
      return text.getString(0);
    }
  }

  private static WorkCompletion await(CompletionQueue cq) {
    WorkCompletion wc = new WorkCompletion();
    long begin = System.nanoTime();
    while (!cq.poll(wc)) {
      assertThat(System.nanoTime() - begin).isLessThan(LONG.toNanos());
      Thread.onSpinWait();
    }
    return wc.orThrow();
  }

  private static void send(QueuePair qp, MemoryRegion memory, IbPath path) {
    memory.memory().setString(0, "hello");
    qp.postSend(
        new SendWr()
            .opcode(WrOpcode.SEND)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(memory.sge(6, 0))
            .ah(qp.pd().ah(path))
            .remoteQpn(path.dqpn())
            .remoteQkey(path.qkey()));
    await(qp.sendCq());
  }

  private IbPath to(Context other) {
    return IbPath.builder(endPort).dgid(other.endPort().defaultGid()).qkey(QKEY).build();
  }

  @Test
  @Proves({"PY-004", "PY-186"})
  void aTransactorAsksOverAQueuePairOfTheContext() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      assertThat(mad.endPort()).isSameAs(endPort);
      List<MadAddress> asked = new ArrayList<>();
      mad.trace(
          new MadTrace() {
            @Override
            public void sent(MadAddress to, MemorySegment datagram) {
              asked.add(to);
            }

            @Override
            public void received(MadAddress from, MemorySegment datagram) {}
          });
      Attribute query =
          new Attribute(PathRecord.FORMAT)
              .set(PathRecord.SLID, endPort.lid())
              .set(PathRecord.DLID, endPort.lid());
      assertThat(mad.subnAdmGet(query).get(PathRecord.DLID)).isEqualTo(endPort.lid());
      assertThat(asked)
          .hasSize(1)
          .allMatch(to -> to.qpn() == 1 && to.route().dlid() == endPort.smLid());
      assertThat(mad.subnAdmGetTable(query)).hasSize(1);
      MadReply reply = mad.ask(MadCall.subnAdmGet(new Attribute(ClassPortInfo.FORMAT)).withReply());
      assertThat(reply.from().route().dlid()).isEqualTo(endPort.smLid());
      assertThat(reply.status()).isEqualTo(MadStatus.OK);
    }
    assertThat(context.isClosed()).isFalse();
    try (MadTransactor own = Mads.getGmpMad(endPort)) {
      assertThat(
              own.subnAdmGet(new Attribute(ClassPortInfo.FORMAT))
                  .getInt(ClassPortInfo.CLASS_VERSION))
          .isEqualTo(2);
    }
  }

  @Test
  @Proves("PY-186")
  void aGroupIsJoinedAndLeft() {
    Gid mgid = Gid.parse("ff12:401b:ffff::%x".formatted(0x1000 + NAMES.incrementAndGet()));
    Attribute member =
        new Attribute(McMemberRecord.FORMAT)
            .set(McMemberRecord.MGID, mgid.toBytes())
            .set(McMemberRecord.PORT_GID, endPort.defaultGid().toBytes())
            .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER)
            .set(McMemberRecord.QKEY, QKEY)
            .set(McMemberRecord.PKEY, Iba.DEFAULT_PKEY)
            .set(McMemberRecord.SL, 0)
            .set(McMemberRecord.FLOW_LABEL, 0)
            .set(McMemberRecord.TCLASS, 0);
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      Attribute joined = mad.subnAdmSet(member);
      IbPath path =
          PathResolver.resolvePath(
              mad, IbPath.builder(endPort).dgid(mgid).dqpn(0xffffff).qkey(QKEY).build());
      assertThat(path.dlid()).isEqualTo(joined.getInt(McMemberRecord.MLID));
      assertThat(path.hasGrh()).isTrue();
      Receiver receiver = new Receiver(context, path);
      receiver.qp.attachMcast(path);
      QueuePair sender = sender(context, path);
      send(sender, sender.pd().allocMr(256, Access.LOCAL_WRITE), path);
      assertThat(receiver.text()).isEqualTo("hello");
      receiver.qp.detachMcast(path);
      mad.subnAdmDelete(member);
      IbPath asked = IbPath.builder(endPort).dgid(mgid).build();
      assertThatThrownBy(() -> PathResolver.resolvePath(mad, asked))
          .isInstanceOf(SaPathNotFoundException.class);
    }
  }

  @Test
  @Proves({"PY-146", "PY-148"})
  void aGroupOfTheAdministratorReachesItsMembersOnOtherNodes() {
    Gid mgid = Gid.parse("ff12:401b:ffff::%x".formatted(0x1000 + NAMES.incrementAndGet()));
    List<Context> nodes = List.of(open(""), open("?lmc=2"), open("?link=packet"));
    List<Receiver> receivers = new ArrayList<>();
    IbPath last = null;
    for (Context node : nodes) {
      EndPort port = node.endPort();
      Attribute member =
          new Attribute(McMemberRecord.FORMAT)
              .set(McMemberRecord.MGID, mgid.toBytes())
              .set(McMemberRecord.PORT_GID, port.defaultGid().toBytes())
              .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER)
              .set(McMemberRecord.QKEY, QKEY)
              .set(McMemberRecord.PKEY, Iba.DEFAULT_PKEY)
              .set(McMemberRecord.SL, 0)
              .set(McMemberRecord.FLOW_LABEL, 0)
              .set(McMemberRecord.TCLASS, 0);
      try (MadTransactor mad = Mads.getGmpMad(port, node)) {
        int mlid = mad.subnAdmSet(member).getInt(McMemberRecord.MLID);
        last =
            PathResolver.resolvePath(
                mad, IbPath.builder(port).dgid(mgid).dqpn(0xffffff).qkey(QKEY).build());
        assertThat(last.dlid()).isEqualTo(mlid);
        assertThat(last.sgid()).isEqualTo(port.defaultGid());
      }
      Receiver receiver = new Receiver(node, last);
      receiver.qp.attachMcast(last);
      receivers.add(receiver);
    }
    receivers.getLast().qp.detachMcast(Objects.requireNonNull(last));
    QueuePair sender = sender(nodes.getLast(), last);
    send(sender, sender.pd().allocMr(256, Access.LOCAL_WRITE), last);
    for (Receiver receiver : receivers.subList(0, 2)) {
      assertThat(receiver.text()).isEqualTo("hello");
    }
    assertThat(receivers.getLast().cq.poll(new WorkCompletion())).as("left before").isFalse();
  }

  private static QueuePair sender(Context context, IbPath path) {
    QueuePair qp = context.allocPd().createQp(QpInitAttr.ud(context.createCq(16)));
    qp.establish(path);
    return qp;
  }

  @Test
  @Proves({"PY-046", "PY-050"})
  void aDatagramGoesAlongAResolvedPath() {
    Context other = open("");
    Receiver receiver = new Receiver(other, IbPath.builder(other.endPort()).qkey(QKEY).build());
    IbPath path;
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      path = PathResolver.resolvePath(mad, to(other).copy(b -> b.dqpn(receiver.qp.qpNum())));
    }
    EndPort there = other.endPort();
    assertThat(path.dlid()).isEqualTo(there.lid());
    assertThat(path.slid()).isEqualTo(endPort.lid());
    assertThat(path.sgid()).isEqualTo(endPort.defaultGid());
    assertThat(path.dgid()).isEqualTo(there.defaultGid());
    assertThat(path.pkey()).isEqualTo(Iba.DEFAULT_PKEY);
    assertThat(path.mtu()).isEqualTo(there.mtu());
    assertThat(path.rate()).isEqualTo(there.rate());
    assertThat(path.hasGrh()).isFalse();
    assertThat(path.packetLifeTime()).isEqualTo(endPort.subnetTimeout());
    assertThat(path.sl()).isZero();
    assertThat(path.hopLimit()).isZero();
    assertThat(path.qkey()).as("what the path said before").isEqualTo(QKEY);
    assertThat(path.complete()).isTrue();

    QueuePair qp = sender(context, path);
    send(qp, qp.pd().allocMr(256, Access.LOCAL_WRITE), path);
    assertThat(receiver.text()).isEqualTo("hello");
  }

  @Test
  @Proves("PY-049")
  void oneQueuePairReachesSeveralDestinationsOfAPartition() {
    List<Context> others = List.of(open(""), open(""), open(""));
    List<Receiver> receivers = new ArrayList<>();
    List<IbPath> paths = new ArrayList<>();
    Attribute partition = new Attribute(PathRecord.FORMAT).set(PathRecord.PKEY, Iba.DEFAULT_PKEY);
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      for (Context other : others) {
        IbPath there = IbPath.builder(other.endPort()).qkey(QKEY).build();
        Receiver receiver = new Receiver(other, there);
        receivers.add(receiver);
        IbPath path = to(other).copy(b -> b.dqpn(receiver.qp.qpNum()));
        paths.add(PathResolver.resolvePath(mad, path, true, partition));
      }
    }
    QueuePair qp = sender(context, paths.getLast());
    MemoryRegion memory = qp.pd().allocMr(256, Access.LOCAL_WRITE);
    for (IbPath path : paths) {
      send(qp, memory, path);
    }
    for (Receiver receiver : receivers) {
      assertThat(receiver.text()).isEqualTo("hello");
    }
  }

  @Test
  @Proves("PY-050")
  void aPathKeepsThePartitionThatItNames() {
    Context one = open("?pkeys=0xffff,0x8001,0x0002");
    Context other = open("?pkeys=0xffff,0x8002,0x8001");
    try (MadTransactor mad = Mads.getGmpMad(one.endPort(), one)) {
      IbPath asked = IbPath.builder(one.endPort()).dgid(other.endPort().defaultGid()).build();
      assertThat(PathResolver.resolvePath(mad, asked).pkey()).isEqualTo(Iba.DEFAULT_PKEY);
      for (int pkey : new int[] {0x8001, 0x0001, 0x8002, 0x0002}) {
        IbPath path = PathResolver.resolvePath(mad, asked.copy(b -> b.pkey(pkey)));
        assertThat(path.pkey()).isEqualTo(pkey);
        assertThat(path.pkeyIndex()).isEqualTo(pkey & 0x7fff);
      }
      Attribute partition = new Attribute(PathRecord.FORMAT).set(PathRecord.PKEY, 0x8002);
      IbPath demanded = asked.copy(b -> b.pkey(0x8001));
      assertThat(PathResolver.resolvePath(mad, demanded, true, partition).pkey()).isEqualTo(2);
      assertThatThrownBy(() -> PathResolver.resolvePath(mad, asked.copy(b -> b.pkey(0x8003))))
          .isInstanceOf(SaPathNotFoundException.class);
    }
  }

  @Test
  void aCancelledResolutionIsAskedNoMore() throws Exception {
    IbPath nobody = endPort.saPath().copy(b -> b.dqpn(0xfffff0).respTime(31).retries(7));
    try (MadTransactor mad = Mads.getGmpMad(endPort, context, nobody)) {
      CompletableFuture<IbPath> path = PathResolver.resolvePathAsync(mad, to(context));
      assertThat(mad.waiting()).isEqualTo(1);
      assertThat(path.cancel(false)).isTrue();
      assertThat(mad.waiting()).isZero();
    }
  }

  /** The resolver that the documentation shows, on both sides' only shared partition. */
  @Test
  @Proves({"PY-057", "PY-058"})
  void sidesAgreeOnAPathThatTheAdministratorKnows() throws Exception {
    Context one = open("?lmc=1&pkeys=0x0001,0xffff");
    Context other = open("?pkeys=0xffff,0x8001");
    QueuePair near = one.allocPd().createQp(QpInitAttr.rc(one.createCq(4)));
    QueuePair far = other.allocPd().createQp(QpInitAttr.rc(other.createCq(4)));
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    try (ExecutorService pool = Executors.newSingleThreadExecutor();
        MadTransactor mad = Mads.getGmpMad(other.endPort(), other)) {
      Future<PathConnector.Agreement> theirs =
          pool.submit(
              () -> {
                try (ReadableByteChannel in = there.source();
                    WritableByteChannel out = back.sink()) {
                  return new PathConnector(in, out)
                      .resolver(path -> PathResolver.resolvePath(mad, path))
                      .accept(far, other.endPort(), Access.REMOTE_WRITE);
                }
              });
      try (ReadableByteChannel in = back.source();
          WritableByteChannel out = there.sink()) {
        IbPath offer = Paths.from(one.endPort()).copy(b -> b.pkey(0x0001));
        IbPath ours = new PathConnector(in, out).connect(near, offer, 0).path();
        assertThat(ours.pkey()).isEqualTo(0x0001);
        assertThat(ours.dlid()).isEqualTo(other.endPort().lid());
        assertThat(ours.slid()).isEqualTo(one.endPort().lid());
        assertThat(ours.packetLifeTime()).isEqualTo(endPort.subnetTimeout());
        assertThat(ours.complete()).isTrue();
      }
      assertThat(theirs.get(60, TimeUnit.SECONDS).path().pkey()).isEqualTo(0x8001);
    }
    MemoryRegion target = far.pd().allocMr(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    MemoryRegion source = near.pd().allocMr(64, Access.LOCAL_WRITE);
    source.memory().setString(0, "hello");
    near.postSend(
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(source.sge())
            .rkey(target.rkey())
            .remoteAddr(target.addr()));
    await(near.sendCq());
    assertThat(target.memory().getString(0)).isEqualTo("hello");
  }

  @Test
  @Proves("PY-050")
  void aDestinationIsNamedByItsGidOrItsLid() {
    Context other = open("?lmc=1");
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      int lid = other.endPort().lid() + 1;
      IbPath byLid = PathResolver.resolvePath(mad, IbPath.builder(endPort).dlid(lid).build());
      assertThat(byLid.dgid()).isEqualTo(other.endPort().defaultGid());
      assertThat(byLid.dlid()).isEqualTo(lid);
      IbPath nowhere = IbPath.builder(endPort).build();
      assertThatThrownBy(() -> PathResolver.resolvePath(mad, nowhere))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
  }

  @Test
  @Proves({"PY-004", "PY-186"})
  void agentsAtADestinationAreAskedAlongTheirPath() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      IbPath manager = IbPath.builder(endPort).dlid(endPort.smLid()).build();
      IbPath agents = PathResolver.getMadPath(mad, manager);
      assertThat(agents.complete()).isTrue();
      assertThat(agents.dlid()).isEqualTo(endPort.smLid());
      assertThat(agents.dqpn()).isEqualTo(1);
      assertThat(agents.sqpn()).isEqualTo(1);
      assertThat(agents.qkey()).isEqualTo(Iba.DEFAULT_QP1_QKEY);
      assertThat(agents.retries()).isEqualTo(Mads.SA_RETRIES);
      Attribute info = new Attribute(ClassPortInfo.FORMAT);
      assertThat(
              mad.ask(MadCall.get(MgmtClass.SUBN_ADM, info, 0, agents))
                  .getInt(ClassPortInfo.CLASS_VERSION))
          .isEqualTo(2);

      IbPath given = to(context).copy(b -> b.dlid(7).slid(endPort.lid()).retries(1));
      IbPath kept = PathResolver.getMadPath(mad, given);
      assertThat(kept.dlid()).as("of a path that was complete").isEqualTo(7);
      assertThat(kept.retries()).isEqualTo(1);
      IbPath route = IbPath.fromString("0,1,", endPort);
      assertThatThrownBy(() -> PathResolver.getMadPath(mad, route))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("drPath='0,1,'");
    }
  }

  @Test
  void aTransactorIsRefusedAContextOfAnotherDevice() {
    Context other = open("");
    assertThatThrownBy(() -> Mads.getGmpMad(endPort, other))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(other.device().name())
        .hasMessageContaining(endPort.toString());
  }

  @Test
  @Proves("PY-051")
  void noSuchPathIsAnExceptionOfItsOwn() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      IbPath nowhere = IbPath.builder(endPort).dgid(Gid.parse("fe80::dead:beef")).build();
      SaPathNotFoundException none =
          catchThrowableOfType(
              SaPathNotFoundException.class, () -> PathResolver.resolvePath(mad, nowhere));
      assertThat(none.status()).isEqualTo(MadStatus.SA_NO_RECORDS);
      assertThat(none).hasMessageContaining("fe80::dead:beef").hasMessageContaining("no records");
      Attribute everything = new Attribute(PathRecord.FORMAT).set(PathRecord.PKEY, 0x8abc);
      assertThatThrownBy(() -> PathResolver.resolvePath(mad, to(context), true, everything))
          .isInstanceOf(SaPathNotFoundException.class);
    }
  }

  @Test
  @Proves("PY-051")
  void anAdministratorThatDoesNotAnswerIsATimeoutAfterTheTimeOfItsPath() {
    IbPath nobody =
        endPort.saPath().copy(b -> b.dqpn(0xfffff0).respTime(8).packetLifeTime(8).retries(2));
    try (MadTransactor mad = Mads.getGmpMad(endPort, context, nobody)) {
      long begin = System.nanoTime();
      MadException late =
          catchThrowableOfType(
              MadException.class, () -> PathResolver.resolvePath(mad, to(context)));
      assertThat(late.kind()).isEqualTo(MadException.Kind.TIMEOUT);
      assertThat(System.nanoTime() - begin)
          .isGreaterThanOrEqualTo(3 * nobody.madTimeout().toNanos());
    }
  }

  @Test
  @Proves("PY-052")
  void manyPathsAreResolvedWithoutWaitingForEach() throws Exception {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      List<CompletableFuture<IbPath>> paths = new ArrayList<>();
      for (int n = 0; n < 50; n++) {
        paths.add(PathResolver.resolvePathAsync(mad, to(context)));
      }
      for (CompletableFuture<IbPath> path : paths) {
        assertThat(path.get(60, TimeUnit.SECONDS).dlid()).isEqualTo(endPort.lid());
      }
      IbPath nowhere = IbPath.builder(endPort).dlid(0x7777).build();
      CompletableFuture<IbPath> none = PathResolver.resolvePathAsync(mad, nowhere);
      assertThatThrownBy(() -> none.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(SaPathNotFoundException.class);
    }
  }

  @Test
  void anotherManagerIsAskedWhereItIsNow() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      PathResolver.resolvePath(mad, to(context));
      Subnet subnet = Subnet.of(context);
      int lid = subnet.smLid();
      subnet.assignManager(lid, 3);
      endPort.smChange();
      assertThat(endPort.saPath().sl()).isEqualTo(3);
      assertThat(PathResolver.resolvePath(mad, to(context)).dlid()).isEqualTo(endPort.lid());
      subnet.assignManager(lid, 0);
      endPort.smChange();
    }
  }

  @Test
  @Proves("PY-050")
  void onEthernetAPathIsResolvedWithoutAsking() throws Exception {
    try (Context ethernet = Devices.open("soft0");
        MadTransactor mad = Mads.getGmpMad(ethernet.endPort(), ethernet)) {
      EndPort port = ethernet.endPort();
      IbPath asked = IbPath.builder(port).dgid(port.defaultGid()).build();
      Attribute wish =
          new Attribute(PathRecord.FORMAT).set(PathRecord.HOP_LIMIT, 3).set(PathRecord.TCLASS, 8);
      IbPath path = PathResolver.resolvePath(mad, asked, true, wish);
      assertThat(path.hasGrh()).isTrue();
      assertThat(path.sgid()).isEqualTo(port.defaultGid());
      assertThat(path.hopLimit()).isEqualTo(3);
      assertThat(path.trafficClass()).isEqualTo(8);
      assertThat(path.mtu()).isEqualTo(port.mtu());
      assertThat(PathResolver.resolvePathAsync(mad, asked).get(60, TimeUnit.SECONDS).complete())
          .isTrue();
      Gid there = Gid.parse("10.9.8.7");
      byte[] here = port.defaultGid().toBytes();
      Attribute ends =
          new Attribute(PathRecord.FORMAT)
              .set(PathRecord.DGID, there.toBytes())
              .set(PathRecord.SGID, here);
      IbPath named =
          PathResolver.resolvePath(
              mad, IbPath.builder(port).sgid(Gid.parse("10.9.8.6")).build(), true, ends);
      assertThat(named.dgid()).as("as on InfiniBand, the properties' one").isEqualTo(there);
      assertThat(named.sgid()).isEqualTo(port.defaultGid());
      IbPath agents = PathResolver.getMadPath(mad, asked);
      assertThat(agents.hasGrh()).isTrue();
      assertThat(agents.dqpn()).isEqualTo(1);
    }
  }
}
