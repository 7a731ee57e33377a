package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Checked traffic with another process that is stopped, or killed and started again. */
final class TortureProcessTest {
  /**
   * Code of 1.07 s, so that eight tries last longer than a computer can be busy with other work.
   */
  private static final int PATIENT = 18;

  /** Nanoseconds: longer than most pauses of a computer. */
  private static final long GAP = 50_000_000;

  /** Code of 4 ms. */
  private static final int IMPATIENT = 10;

  private static Session connect(String left, TortureProcess target, int timeout, int seed) {
    return Session.open(
        Options.parse(
            "left=soft:" + left + "?link=udp",
            "peer=" + target.port(),
            "pairs=3",
            "size=16384",
            "timeout=" + timeout,
            "seed=" + (TckLink.SEED + seed) % 100_000));
  }

  private static long timeouts(Session session) {
    return session.left().counters().get(Counter.TIMEOUTS);
  }

  /** Stops the peer while requests are under way, until a condition holds. */
  private static void stopUntil(TortureProcess target, Session session, BooleanSupplier condition)
      throws IOException, InterruptedException {
    target.stop();
    while (!condition.getAsBoolean()) {
      session.driveUntil(
          "what becomes of a peer that stops",
          () -> condition.getAsBoolean() || session.awaitsPeers());
      if (session.awaitsPeers() && !condition.getAsBoolean()) {
        // It was stopped between two batches.
        target.resume();
        session.drive(20);
        target.stop();
      }
    }
  }

  @Test
  @Proves("S12.11")
  void aPeerThatStopsForLessThanTheRetryTimeLosesNothing() throws Exception {
    try (TortureProcess target = TortureProcess.start(Addresses.next());
        Session session = connect(Addresses.next(), target, PATIENT, 0)) {
      session.drive(100);
      for (int i = 0; i < 3; i++) {
        target.stop();
        long done = session.done();
        session.act(true);
        target.resume();
        session.driveUntil("traffic after a short stop", () -> session.done() > done + 50);
      }
      long before = timeouts(session);
      stopUntil(target, session, () -> timeouts(session) > before);
      target.resume();
      session.drive(100);
      Torture.Result result = session.finish();
      assertThat(result.connectionsLost()).as(result.text()).isZero();
    }
  }

  @Test
  void theTimeInWhichAPeerIsSilentIsAGapWhoseverTurnItIs() throws Exception {
    try (TortureProcess target = TortureProcess.start(Addresses.next());
        Session session = connect(Addresses.next(), target, PATIENT, 0)) {
      session.drive(100);
      target.stop();
      long before = session.longestGap();
      session.driveUntil("a longer gap", () -> session.longestGap() > before + GAP);
      target.resume();
      session.drive(100);
      Torture.Result result = session.finish();
      assertThat(result.longestGap()).as(result.text()).isGreaterThan(before + GAP);
      assertThat(result.connectionsLost()).as(result.text()).isZero();
    }
  }

  @Test
  @Proves("S1.6/11")
  void aPeerThatStopsForLongerEndsTheConnectionHereAndNoticesWhenItSends() throws Exception {
    try (TortureProcess target = TortureProcess.start(Addresses.next());
        Session session = connect(Addresses.next(), target, IMPATIENT, 0)) {
      session.drive(100);
      long before = session.lost();
      stopUntil(target, session, () -> session.lost() > before);
      target.resume();
      // Before it takes part again, each target sends something itself and must see it fail.
      session.drive(100);
      session.finish();
      target.assertContent();
    }
  }

  @Test
  void aConnectionThatIsLostBeforeThePeerDiesStaysCounted() throws Exception {
    try (TortureProcess target = TortureProcess.start(Addresses.next());
        Session session = connect(Addresses.next(), target, IMPATIENT, 0)) {
      session.drive(100);
      stopUntil(target, session, () -> session.lost() > 0);
      target.kill();
      session.driveUntil("the end of all lanes", session::isOrphaned);
      assertThat(session.lost()).isPositive();
    }
  }

  @Test
  void aConnectionThatIsLostAfterThePeerHasDiedIsNotCounted() throws Exception {
    try (TortureProcess target = TortureProcess.start(Addresses.next());
        Session session = connect(Addresses.next(), target, 16, 0)) {
      session.drive(100);
      long timeouts = timeouts(session);
      stopUntil(target, session, () -> timeouts(session) > timeouts);
      long before = session.lost();
      target.kill();
      session.driveUntil("the end of all lanes", session::isOrphaned);
      assertThat(session.lost()).isEqualTo(before);
    }
  }

  @Test
  @Proves("S1.6/11")
  void aPeerThatIsKilledAndStartedAgainHarmsOnlyTheConnectionsThatItHad() throws Exception {
    String here = Addresses.next();
    String there = Addresses.next();
    try (TortureProcess bystander = TortureProcess.start(Addresses.next());
        Session others = connect(here, bystander, PATIENT, 0);
        TortureProcess first = TortureProcess.start(there);
        Session old = connect(here, first, 13, 1)) {
      old.drive(100);
      others.drive(100);
      ConnectionData dead = old.targets().getFirst();
      first.kill();
      try (TortureProcess second = TortureProcess.launch(there)) {
        others.driveUntil(
            "the new process",
            () -> {
              old.act(true);
              return second.isListening();
            });
        try (Session young = connect(here, second, PATIENT, 2)) {
          young.drive(100);
          assertKnocksInVain(here, dead, young);
          young.driveUntil(
              "the old connections to end",
              () -> {
                old.act(true);
                return old.isOrphaned();
              });
          young.drive(100);
          Torture.Result result = young.finish();
          assertThat(result.connectionsLost()).as(result.text()).isZero();
          assertThat(result.countRight(Counter.DROPPED_NO_QP)).as(result.text()).isPositive();
          second.assertContent();
        }
      }
      others.drive(100);
      assertThat(others.finish().connectionsLost()).isZero();
      bystander.assertContent();
    }
  }

  @Test
  void theSuccessorOfAProcessThatIsKilledWhileItPostsLosesNothing() throws Exception {
    String here = Addresses.next();
    try (TortureProcess target = TortureProcess.start(Addresses.next());
        Session others = connect(Addresses.next(), target, PATIENT, 0)) {
      others.drive(100);
      long calls = target.calls();
      try (ChildProcess first = post(here, target, 100_000_000)) {
        others.driveUntil("lanes of the first process", () -> target.calls() >= calls + 4);
        others.drive(100);
        first.kill();
      }
      try (ChildProcess second = post(here, target, 400)) {
        others.driveUntil("the end of the second process", () -> !second.isAlive());
        assertThat(second.exitCode()).as(second.output()).isZero();
        assertThat(second.output()).contains(" 0 connections lost");
      }
      others.drive(100);
      assertThat(others.finish().connectionsLost()).isZero();
      target.assertContent();
    }
  }

  private static ChildProcess post(String address, TortureProcess target, long operations)
      throws IOException {
    return ChildProcess.startMain(
        Torture.class,
        "left=soft:" + address + "?link=udp",
        "peer=" + target.port(),
        "ops=" + operations,
        "size=16384",
        "timeout=" + PATIENT);
  }

  /**
   * The old connection sends to the new process, which does not have the queue pair that it knows.
   */
  private static void assertKnocksInVain(String here, ConnectionData dead, Session young) {
    PairSetup setup = PairSetup.on(TckLink.UDP).timeout(IMPATIENT);
    try (Context context = Devices.open(DeviceSpec.soft(here).link(LinkKind.UDP))) {
      QpEnd end = setup.end(context, context.allocPd());
      setup.connect(end.qp(), dead.endpoint());
      SendWr write = new SendWr().opcode(WrOpcode.RDMA_WRITE).sendFlags(SendFlags.SIGNALED);
      end.qp().postSend(write.rkey(dead.rkey()).remoteAddr(dead.addr()).sgList(end.sge(0, 5000)));
      WorkCompletion wc = new WorkCompletion();
      young.driveUntil("the end of an old connection", () -> end.sendCq().poll(wc));
      assertThat(wc.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }
  }
}
