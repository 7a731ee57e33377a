package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Torture notices what it looks for: here the test does what no device may do. */
final class JudgesTest {

  /** One lane, whose target has memory that stays. */
  private static Session open(String service) {
    TckLink.assumeNativeAccess("the memory of a target is changed by its address");
    return Session.open(
        Options.parse(
            "left=soft:" + Addresses.next() + "?link=udp",
            "right=soft:" + Addresses.next() + "?link=udp",
            "service=" + service,
            "pairs=1",
            "size=4096",
            "timeout=17",
            "seed=" + TckLink.SEED % 100_000));
  }

  /** Does something to a session with traffic until that fails, which it must for this reason. */
  private static void expect(String problem, Session session, Runnable deed) {
    assertThatThrownBy(
            () ->
                session.driveUntil(
                    problem,
                    () -> {
                      deed.run();
                      return false;
                    }))
        .hasMessageContaining(problem);
  }

  /** Its only target, once it is connected. */
  private static ConnectionData target(Session session) {
    return session.targets().getFirst();
  }

  private static MemorySegment memoryOfTarget(Session session) {
    return TargetMemoryNative.of(target(session));
  }

  @Test
  void aByteBehindAMessageIsNoticed() {
    try (Session session = open("rc")) {
      session.drive(100);
      long last = Slots.bytes(1, 4096) - 1;
      expect(
          "has changed",
          session,
          () -> memoryOfTarget(session).set(ValueLayout.JAVA_BYTE, last, (byte) 1));
    }
  }

  @Test
  void aByteOfAMessageIsNoticed() {
    try (Session session = open("rc")) {
      session.drive(100);
      expect(
          "byte 0 ",
          session,
          () -> memoryOfTarget(session).set(ValueLayout.JAVA_BYTE, 0, (byte) 0x55));
    }
  }

  @Test
  void anAtomicThatIsExecutedTwiceIsNoticed() {
    try (Session session = open("rc")) {
      session.drive(100);
      expect(
          "the word of the atomics",
          session,
          () -> {
            MemorySegment memory = memoryOfTarget(session);
            long word = memory.byteSize() - Long.BYTES;
            memory.set(ValueLayout.JAVA_LONG, word, memory.get(ValueLayout.JAVA_LONG, word) + 1);
          });
    }
  }

  @Test
  void aMessageThatIsReceivedTwiceIsNoticed() {
    try (Session session = open("rc")) {
      session.drive(100);
      QueuePair qp = session.queuePairs().getFirst();
      expect(
          "too many",
          session,
          () -> {
            if (session.awaitsPeers()) {
              qp.postSend(new SendWr().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED));
            }
          });
    }
  }

  @Test
  void aDatagramOfSomebodyElseIsNoticed() {
    try (Session session = open("ud")) {
      ProtectionDomain pd = session.left().allocPd();
      CompletionQueue cq = session.left().createCq(1);
      QueuePair other = pd.createQp(QpInitAttr.ud(cq));
      session.options().traffic().connect(other, other.endpoint());
      session.drive(1);
      ConnectionData to = target(session);
      other.postSend(
          new SendWr()
              .opcode(WrOpcode.SEND)
              .ah(pd.createAh(AhAttr.to(to.endpoint())))
              .remoteQpn(to.endpoint().qpNum())
              .remoteQkey(Traffic.QKEY));
      expect("a strange message", session, () -> {});
    }
  }
}
