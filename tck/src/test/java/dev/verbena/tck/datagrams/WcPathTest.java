package dev.verbena.tck.datagrams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.path.WcPath;
import dev.verbena.verbs.vtools.BufferPool;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The paths along which datagrams came, and answers on the way back. */
final class WcPathTest {
  private static final int QKEY = 0x1111_2222;

  /** A UD queue pair with buffers, in RTS. */
  private record Station(
      Context context, CompletionQueue sendCq, CompletionQueue cq, QueuePair qp, BufferPool pool) {
    static Station in(Context context) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(64);
      CompletionQueue sendCq = context.createCq(64);
      QueuePair qp = pd.createQp(new QpInitAttr(QpType.UD).sendCq(sendCq).recvCq(cq));
      BufferPool pool = new BufferPool(pd, 8, 256);
      IbPath own = IbPath.builder(context.endPort()).qkey(QKEY).build();
      qp.modifyToInit(own);
      pool.postRecvs(qp, 4);
      qp.establish(own);
      return new Station(context, sendCq, cq, qp, pool);
    }

    IbPath to(Station peer) {
      EndPort endPort = context.endPort();
      EndPort target = peer.context.endPort();
      return IbPath.builder(endPort)
          .sgid(endPort.defaultGid())
          .dgid(target.defaultGid())
          .slid(endPort.lid())
          .dlid(target.lid())
          .hasGrh(true)
          .hopLimit(64)
          .trafficClass(0x20)
          .dqpn(peer.qp.qpNum())
          .qkey(QKEY)
          .build();
    }

    /** Sends unless all buffers are under way. */
    void send(String text, IbPath path) {
      pool.finishWcs(qp, sendCq.poll(-1));
      if (pool.available() == 0) {
        return;
      }
      int buffer = pool.pop();
      int length = pool.copyTo(text.getBytes(UTF_8), buffer);
      qp.postSend(pool.makeSendWr(buffer, length, path));
    }

    /** The next receive; on a lossy link the action that causes it is repeated. */
    WorkCompletion received(TckLink link, Runnable again) {
      WorkCompletion wc = new WorkCompletion();
      Await.until(
          "a datagram",
          () -> {
            if (cq.poll(wc)) {
              return true;
            }
            if (link.isFaulty()) {
              again.run();
            }
            return false;
          });
      return wc.orThrow();
    }

    String text(WorkCompletion wc) {
      return new String(pool.copyFrom(wc.wrId(), Grh.LENGTH, wc.byteLen() - Grh.LENGTH), UTF_8);
    }
  }

  @OnEveryLink
  @Proves({"PY-053", "PY-054", "PY-056", "PY-092"})
  void aServerAnswersOnTheWayBack(TckLink link) {
    try (Context client = Devices.open(link.device());
        Context server = Devices.open(link.device())) {
      echo(link, Station.in(client), Station.in(server));
    }
  }

  @Test
  @ResourceLock("[::1]:4791")
  @Proves({"PY-053", "PY-054"})
  void aServerAnswersOnTheWayBackOverIpv6() {
    try (Context context = Devices.open(DeviceSpec.soft("::1").link(LinkKind.PACKET))) {
      echo(TckLink.PACKET, Station.in(context), Station.in(context));
    }
  }

  private static void echo(TckLink link, Station client, Station server) {
    IbPath there = client.to(server);
    client.send("ping", there);
    WorkCompletion request = server.received(link, () -> client.send("ping", there));
    assertThat(server.text(request)).isEqualTo("ping");

    IbPath came =
        WcPath.of(
            server.context().endPort(),
            request,
            server.pool().mr().memory(),
            (request.wrId() & server.pool().bufIdMask()) * server.pool().size(),
            path -> path.qkey(QKEY));
    Gid clientGid = client.context().endPort().defaultGid();
    assertThat(came.sgid()).isEqualTo(clientGid);
    assertThat(came.dgid()).isEqualTo(server.context().endPort().defaultGid());
    assertThat(came.hasGrh()).isTrue();
    assertThat(came.sqpn()).isEqualTo(client.qp().qpNum());
    assertThat(came.dqpn()).isEqualTo(server.qp().qpNum());
    assertThat(came.sl()).isEqualTo(request.sl());

    IbPath back = came.reverse();
    assertThat(back.dgid()).isEqualTo(clientGid);
    assertThat(back.dqpn()).isEqualTo(client.qp().qpNum());
    assertThat(back.hopLimit()).isEqualTo(255);
    server.send("pong", back);
    WorkCompletion answer = client.received(link, () -> server.send("pong", back));
    assertThat(client.text(answer)).isEqualTo("pong");
    assertThat(answer.srcQp()).isEqualTo(server.qp().qpNum());
    back.dropCache();
    there.dropCache();
  }

  @Test
  @Proves({"PY-054", "PY-055", "PY-056"})
  void fieldsComeFromTheCompletionAndTheHeaderAtItsOffset() {
    // With four LIDs.
    DeviceSpec node = DeviceSpec.ib(Addresses.next()).option("lmc", "2");
    try (Context context = Devices.open(node)) {
      EndPort endPort = context.endPort();
      WorkCompletion wc =
          new WorkCompletion()
              .srcQp(0x123456)
              .qpNum(0x77)
              .slid(0xbeef)
              .sl(5)
              .dlidPathBits(3)
              .pkeyIndex(9);
      MemorySegment buf = MemorySegment.ofArray(new byte[7 + Grh.LENGTH]);

      IbPath local = WcPath.of(endPort, wc, buf);
      assertThat(local.endPort()).isSameAs(endPort);
      assertThat(local.sqpn()).isEqualTo(0x123456);
      assertThat(local.dqpn()).isEqualTo(0x77);
      assertThat(local.slid()).isEqualTo(0xbeef);
      assertThat(local.dlid()).isEqualTo(endPort.lid() | 3);
      WorkCompletion ofGroup = new WorkCompletion().set(wc).dlidPathBits(0x7d);
      assertThat(WcPath.of(endPort, ofGroup, buf).dlid())
          .as("adapters tell the low 7 bits of any LID, that of a group included")
          .isEqualTo(endPort.lid() | 1);
      assertThat(local.sl()).isEqualTo(5);
      assertThat(local.reverse().rate()).isEqualTo(endPort.rate());
      assertThat(local.hasGrh()).isFalse();
      assertThat(local.pkey()).as("wc.pkey_index is not used").isEqualTo(Iba.DEFAULT_PKEY);
      assertThat(WcPath.of(endPort, wc, buf, 0, path -> path.pkeyIndex(0)).pkey())
          .isEqualTo(endPort.pkeys().getFirst());

      byte[] header = new byte[Grh.LENGTH];
      header[0] = 0x61;
      header[1] = 0x2a;
      header[2] = (byte) 0xbc;
      header[3] = (byte) 0xde;
      header[6] = 0x1b;
      header[7] = 33;
      byte[] source = Gid.parse("fe80::1").toBytes();
      byte[] destination = Gid.parse("fe80::2").toBytes();
      System.arraycopy(source, 0, header, 8, 16);
      System.arraycopy(destination, 0, header, 24, 16);
      MemorySegment.copy(MemorySegment.ofArray(header), 0, buf, 7, Grh.LENGTH);
      IbPath global = WcPath.of(endPort, wc.wcFlags(WcFlags.GRH), buf, 7, path -> {});
      assertThat(global.hasGrh()).isTrue();
      assertThat(global.sgid()).isEqualTo(Gid.parse("fe80::1"));
      assertThat(global.dgid()).isEqualTo(Gid.parse("fe80::2"));
      assertThat(global.trafficClass()).isEqualTo(0x12);
      assertThat(global.flowLabel()).isEqualTo(0xabcde);
      assertThat(global.hopLimit()).isEqualTo(33);

      for (long offset : new long[] {8, -1, 100, Long.MAX_VALUE, Long.MIN_VALUE}) {
        Refused.of(() -> WcPath.of(endPort, wc, buf, offset, path -> {}), Errno.EINVAL)
            .naming(Long.toString(offset), "47 bytes");
      }
      Refused.of(() -> WcPath.of(endPort, wc, buf), Errno.EPROTONOSUPPORT);
    }
  }

  @OnEveryLink
  @Proves({"PY-046", "PY-047", "PY-049", "PY-081"})
  void oneQueuePairReachesSeveralDestinationsByTheirPaths(TckLink link) {
    try (Context client = Devices.open(link.device());
        Context one = Devices.open(link.device());
        Context two = Devices.open(link.device())) {
      Station from = Station.in(client);
      List<Station> servers = List.of(Station.in(one), Station.in(two), Station.in(one));
      List<IbPath> paths = servers.stream().map(from::to).toList();
      for (int i = 0; i < servers.size(); i++) {
        Station server = servers.get(i);
        IbPath path = paths.get(i);
        from.send("Hello message!", path);
        WorkCompletion wc = server.received(link, () -> from.send("Hello message!", path));
        assertThat(server.text(wc)).isEqualTo("Hello message!");
        SendWr wr = from.pool().makeSendWr(0, 256, path);
        assertThat(wr.ah()).isSameAs(from.qp().pd().ah(path));
        assertThat(wr.remoteQpn()).isEqualTo(server.qp().qpNum());
        assertThat(wr.remoteQkey()).isEqualTo(QKEY);
      }
    }
  }
}
