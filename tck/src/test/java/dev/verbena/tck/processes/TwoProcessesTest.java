package dev.verbena.tck.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer in another process that sleeps, is stopped or killed, or is replaced at its address. */
final class TwoProcessesTest {
  private static final int SIZE = 1 << 16;

  /** Runs on each link that leads to other processes. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"LOOPBACK", "UDP", "SHM"})
  private @interface BetweenProcesses {}

  /** The same, and each request is a packet. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"UDP", "SHM_BY_PACKETS"})
  private @interface ByPackets {}

  private static void assumeIsTested(TckLink link) {
    assumeThat(TckLink.selected())
        .as("links that are tested")
        .contains(link == TckLink.SHM_BY_PACKETS ? TckLink.SHM : link);
  }

  /** This side of a connection to a {@link SleepingTarget}. */
  private record Session(ChildProcess child, Socket socket, QpEnd end, ConnectionData remote)
      implements AutoCloseable {
    static Session open(TckLink link) throws IOException {
      assumeIsTested(link);
      return open(link, PairSetup.on(link), Addresses.next(), Devices.open(link.device()));
    }

    static Session open(TckLink link, PairSetup setup, String target, Context context)
        throws IOException {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        server.setSoTimeout(60_000);
        ChildProcess child =
            ChildProcess.startMain(
                SleepingTarget.class, link.name(), target, "" + server.getLocalPort());
        try {
          Socket socket = server.accept();
          socket.setSoTimeout(60_000);
          QpEnd end = setup.end(context, context.allocPd());
          ConnectionData remote =
              ConnectionData.exchange(socket, ConnectionData.of(end.qp(), end.mr()));
          setup.mtu(remote.endpoint().mtu()).connect(end.qp(), remote.endpoint());
          assertThat(socket.getInputStream().read()).as("ready; %s", child.output()).isEqualTo(1);
          return new Session(child, socket, end, remote);
        } catch (IOException | RuntimeException | Error failure) {
          failure.addSuppressed(new AssertionError("the child wrote: " + child.output()));
          context.close();
          child.close();
          throw failure;
        }
      }
    }

    /** A request to the start of the target's memory. */
    SendWr toTarget(SendWr wr) {
      return wr.rkey(remote.rkey()).remoteAddr(remote.addr());
    }

    @Override
    public void close() throws IOException {
      socket.close();
      end.context().close();
      child.close();
    }
  }

  @BetweenProcesses
  void aTargetWhoseApplicationSleepsIsWrittenReadAndChanged(TckLink link) throws Exception {
    try (Session session = Session.open(link)) {
      QpEnd end = session.end();
      byte[] data = end.fill(0, SIZE / 2, 1);
      end.qp().postSend(session.toTarget(SendWrs.write(1, end, 0, end.sge(0, SIZE / 2))));
      end.qp().postSend(session.toTarget(SendWrs.read(2, end, 0, end.sge(SIZE / 2, SIZE / 2))));
      end.sent(1);
      end.sent(2);
      assertThat(end.bytes(SIZE / 2, SIZE / 2)).isEqualTo(data);

      end.setLong(0, 41);
      end.qp().postSend(session.toTarget(SendWrs.write(3, end, 0, end.sge(0, 8))));
      end.qp().postSend(session.toTarget(SendWrs.fetchAdd(4, end, 0, 1, end.sge(8, 8))));
      end.qp().postSend(session.toTarget(SendWrs.read(5, end, 0, end.sge(16, 8))));
      end.sent(3);
      end.sent(4);
      end.sent(5);
      assertThat(end.getLong(8)).isEqualTo(41);
      assertThat(end.getLong(16)).isEqualTo(42);

      session.socket().close();
      assertThat(session.child().exitCode()).as(session.child().output()).isZero();
    }
  }

  @BetweenProcesses
  void aPeerThatIsKilledLeavesRetryExceededNeverAHang(TckLink link) throws Exception {
    try (Session session = Session.open(link)) {
      QpEnd end = session.end();
      SendWr write = session.toTarget(SendWrs.write(1, end, 0, end.sge(0, SIZE)));
      end.qp().postSend(write);
      end.sent(1);

      session.child().kill();

      expectRetryExceeded(end, write);
      end.qp().postSend(write.wrId(2));
      end.awaitSend(2, WcStatus.WR_FLUSH_ERR);
    }
  }

  /** Requests that were under way may still succeed. */
  private static void expectRetryExceeded(QpEnd end, SendWr request) {
    WorkCompletion last;
    do {
      end.qp().postSend(request);
      last = Await.completion(end.sendCq(), "a request to a process that does not run");
    } while (last.isSuccess());
    assertThat(last.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(end.queryState()).isEqualTo(QpState.ERR);
  }

  @ByPackets
  void aPeerThatIsStoppedLeavesRetryExceeded(TckLink link) throws Exception {
    try (Session session = Session.open(link)) {
      session.child().stop();
      QpEnd end = session.end();
      expectRetryExceeded(
          end, session.toTarget(SendWrs.fetchAdd(1, end, 0, 1, end.sge(0, Long.BYTES))));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void sharedMemoryOfAPeerThatIsStoppedIsWrittenReadAndChangedAsByAnAdapter() throws Exception {
    try (Session session = Session.open(TckLink.SHM)) {
      session.child().stop();
      QpEnd end = session.end();
      byte[] data = end.fill(0, SIZE / 2, 1);
      end.qp().postSend(session.toTarget(SendWrs.write(1, end, 0, end.sge(0, SIZE / 2))));
      end.qp().postSend(session.toTarget(SendWrs.read(2, end, 0, end.sge(SIZE / 2, SIZE / 2))));
      end.sent(1);
      end.sent(2);
      assertThat(end.bytes(SIZE / 2, SIZE / 2)).isEqualTo(data);
      end.setLong(0, 0);
      end.qp().postSend(session.toTarget(SendWrs.write(3, end, 0, end.sge(0, Long.BYTES))));
      for (int id = 4; id < 6; id++) {
        SendWr add = SendWrs.fetchAdd(id, end, 0, 1, end.sge(Long.BYTES, Long.BYTES));
        end.qp().postSend(session.toTarget(add));
      }
      assertThat(end.awaitSends(3)).allMatch(WorkCompletion::isSuccess);
      assertThat(end.getLong(Long.BYTES)).isEqualTo(1);
      session.child().goOn();
    }
  }

  @ByPackets
  void aPeerThatIsStoppedForAWhileGetsAllThatWasSent(TckLink link) throws Exception {
    assumeIsTested(link);
    int depth = 100;
    PairSetup patient = PairSetup.on(link).timeout(18);
    try (Session session =
        Session.open(link, patient, Addresses.next(), Devices.open(link.device()))) {
      QpEnd end = session.end();
      session.child().stop();
      for (int id = 0; id < depth; id++) {
        end.setLong(0, id);
        end.qp().postSend(session.toTarget(SendWrs.fetchAdd(id, end, 0, 1, end.sge(8, 8))));
      }
      session.child().goOn();
      assertThat(end.awaitSends(depth)).allMatch(WorkCompletion::isSuccess);
      assertThat(end.getLong(8)).isEqualTo(depth - 1);
    }
  }

  @BetweenProcesses
  void aProcessThatTakesTheAddressOfOneThatWasKilledIsMet(TckLink link) throws Exception {
    try (Session first = Session.open(link)) {
      Context context = first.end().context();
      first.child().kill();
      try (Session second =
          Session.open(
              link, PairSetup.on(link), first.remote().endpoint().gid().toString(), context)) {
        QpEnd end = second.end();
        end.qp().postSend(second.toTarget(SendWrs.write(1, end, 0, end.sge(0, SIZE))));
        end.sent(1);
      }
    }
  }

  @BetweenProcesses
  void aPeerThatIsKilledWithManyRequestsInFlightFailsThemAllOnce(TckLink link) throws Exception {
    int depth = 100;
    try (Session session = Session.open(link)) {
      QpEnd end = session.end();
      Background<Void> killer = Background.run(session.child()::kill);
      for (int id = 0; id < depth; id++) {
        end.qp().postSend(session.toTarget(SendWrs.write(id, end, 0, end.sge(0, SIZE))));
      }
      killer.result();
      end.qp().postSend(session.toTarget(SendWrs.write(depth, end, 0, end.sge(0, SIZE))));
      var all = end.awaitSends(depth + 1);
      assertThat(all).extracting(WorkCompletion::wrId).isSorted().doesNotHaveDuplicates();
      int failed = 0;
      while (all.get(failed).isSuccess()) {
        failed++;
      }
      assertThat(all.get(failed).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(all.subList(failed + 1, all.size()))
          .allMatch(wc -> wc.status() == WcStatus.WR_FLUSH_ERR);
      end.assertNothingSent();
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "memory is shared by system calls of Linux")
  void aMemberOfAGroupThatIsKilledIsForgottenByTheNextSender() throws Exception {
    TckLink link = TckLink.SHM;
    assumeThat(TckLink.selected()).as("links that are tested").contains(link);
    String group = Addresses.next().replaceFirst("127", "239");
    String killed = Addresses.next();
    Path file =
        Path.of("/dev/shm/verbena-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
            .resolve("groups/" + group + "/" + killed);
    try (ChildProcess child =
            ChildProcess.startMain(GroupMember.class, link.name(), killed, group);
        QpPair pair = PairSetup.on(link).type(QpType.UD).open()) {
      QpEnd sender = pair.left();
      AddressHandle toGroup = sender.pd().createAh(AhAttr.to(Gid.parse(group)));
      SendWr datagram =
          SendWrs.send(1, sender.sge(0, 8))
              .ah(toGroup)
              .remoteQpn(AddressHandle.MULTICAST_QPN)
              .remoteQkey(PairSetup.QKEY);
      pair.right().qp().attachMcast(Gid.parse(group), 0);
      Await.until(
          Duration.ofSeconds(60),
          () -> "the child to join; it wrote: " + child.output(),
          () -> child.output().contains(GroupMember.JOINED));
      sender.qp().postSend(datagram);
      sender.sent(1);
      assertThat(file).exists();

      child.kill();

      Await.until(
          file + " to be removed",
          () -> {
            sender.qp().postSend(datagram);
            sender.sent(1);
            return !Files.exists(file);
          });
      pair.right().postRecv(7, pair.right().sge(0, Grh.LENGTH + 8));
      sender.qp().postSend(datagram);
      sender.sent(1);
      pair.right().received(7);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "memory is shared by system calls of Linux")
  void whoFlipsBitsInAnInboxOrCutsItEndsNobodyAndReachesNoOtherMemory() throws Exception {
    assumeThat(TckLink.selected()).as("links that are tested").contains(TckLink.SHM);
    long seed = TckLink.SEED;
    try (ChildProcess child = ChildProcess.startMain(ScribbledVictim.class, "" + seed)) {
      assertThat(child.exitCode()).as("seed %d: %s", seed, child.output()).isZero();
      assertThat(child.output()).contains("survived");
    }
  }
}
