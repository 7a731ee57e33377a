package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.HeardLog;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The log lines of packets and chunks. Runs alone, since it affects all devices. */
@Isolated
@Timeout(30)
final class PacketTraceTest {
  private final String address = Addresses.next();
  private final HeardLog log = new HeardLog("dev.verbena.soft.packets");

  @AfterEach
  void becomeQuiet() {
    log.close();
  }

  /** One SEND without data from a queue pair to itself. */
  private QueuePairNumber send(String device) {
    try (Context context = Devices.open(device);
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(4);
        QueuePair qp = pd.createQp(QpInitAttr.rc(cq))) {
      qp.connect(qp.endpoint());
      qp.postRecv(new RecvWr().wrId(1));
      qp.postSend(new SendWr().wrId(2).opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED));
      WorkCompletion wc = new WorkCompletion();
      int completions = 0;
      while (completions < 2 && !Thread.currentThread().isInterrupted()) {
        completions += cq.poll(wc) ? 1 : 0;
      }
      return new QueuePairNumber(qp.qpNum(), qp.endpoint().psn());
    }
  }

  private record QueuePairNumber(int number, int psn) {
    private String packet(String what) {
      return what + " qpn 0x" + Integer.toHexString(number);
    }
  }

  @Test
  void eachPacketIsTwoLinesAtItsSenderAndAtItsReceiver() {
    log.level(Level.FINER);
    QueuePairNumber qp = send("soft:" + address + "?link=packet");
    String request = qp.packet("RC SEND_ONLY psn " + qp.psn() + " ack");
    String answer = qp.packet("RC ACKNOWLEDGE psn " + qp.psn());
    assertThat(log.lines())
        .contains(
            address + ": sent " + request + ", 0 bytes -> " + address,
            address + ": received " + request + ", 0 bytes <- " + address)
        .anyMatch(line -> line.startsWith(address + ": sent " + answer))
        .anyMatch(line -> line.startsWith(address + ": received " + answer));
  }

  @Test
  void eachChunkOnTheLoopbackIsALine() {
    log.level(Level.FINER);
    QueuePairNumber qp = send("soft:" + address);
    assertThat(log.lines())
        .containsExactly(
            "handed over "
                + qp.packet("RC SEND_ONLY psn " + qp.psn() + " ack")
                + ", 0 bytes, from "
                + address);
  }

  @Test
  void nobodyIsToldWhoDoesNotAsk() {
    log.level(Level.FINE);
    send("soft:" + address + "?link=packet");
    assertThat(log.lines()).isEmpty();
  }
}
