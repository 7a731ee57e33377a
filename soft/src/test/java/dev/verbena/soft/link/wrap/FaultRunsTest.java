package dev.verbena.soft.link.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.RunsLink;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.RxeFlushIcrc;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What faults do to packets that leave in runs. */
class FaultRunsTest {
  private static final int RUN = 16;
  private static final int LENGTH = 64;
  private static final int PACKETS = 4_000;
  private static final long STEP = 1_000;
  private static final String WITHOUT_DAMAGE =
      "drop:0.05,dup:0.05,reorder:0.05,delay:0.05@20us,seed:7";

  private final MemoryNetwork network = new MemoryNetwork();
  private final Inbox counts = new Inbox();
  private final Inbox inbox = new Inbox();
  private final Icrc icrc = new Icrc();
  private final Link b = runs();
  private int opcode = Opcode.RC_SEND_ONLY;
  private boolean asRxe;

  private RunsLink runs() {
    return new RunsLink(network.open(Gids.address(Endpoint.unused()), counts), RUN);
  }

  private FaultLink faulty(String faults) {
    return FaultLink.over(runs(), FaultSpec.parse(faults), counts);
  }

  private void identify(Link from, int id) {
    icrc.addresses(from.address(), b.address(), RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.identification(id, true);
  }

  /** Adds a packet of this PSN, with the ICRC of its place in its run. */
  private void add(SendBatch batch, int psn, Link from) {
    MemorySegment packet = batch.next();
    packet.fill((byte) psn);
    Bth.write(packet, 0, opcode, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, 17, psn);
    identify(from, batch.add(LENGTH, Endpoint.routeTo(b)));
    if (asRxe) {
      RxeFlushIcrc.seal(icrc, packet, 0, LENGTH);
    } else {
      icrc.seal(packet, 0, LENGTH);
    }
  }

  /** Sends packets in runs, or one by one, until each is taken, and returns what arrives. */
  private List<Inbox.Mail> send(Link a, int packets, int run) {
    inbox.mails.clear();
    SendBatch batch = new SendBatch(run, LENGTH);
    long now = 0;
    for (int psn = 0; psn < packets; psn++) {
      add(batch, psn, a);
      if (batch.endsFull() || psn + 1 == packets) {
        for (; !a.send(batch, now); now += STEP) {
          b.receive(inbox, 1000, 0);
        }
        b.receive(inbox, 1000, 0);
      }
    }
    while (a.deadline() != Long.MAX_VALUE) {
      a.receive(inbox, 1, a.deadline());
      b.receive(inbox, 1000, 0);
    }
    return List.copyOf(inbox.mails);
  }

  private static List<Integer> psns(List<Inbox.Mail> mails) {
    return mails.stream().map(mail -> Bth.psn(MemorySegment.ofArray(mail.bytes()), 0)).toList();
  }

  private static List<Integer> places(List<Inbox.Mail> mails) {
    return mails.stream().map(Inbox.Mail::place).toList();
  }

  private long exact(List<Inbox.Mail> mails, Link from) {
    return mails.stream()
        .filter(
            mail -> {
              identify(from, mail.place());
              MemorySegment packet = MemorySegment.ofArray(mail.bytes());
              return asRxe
                  ? RxeFlushIcrc.compute(icrc, packet, 0, LENGTH)
                      == Icrc.read(packet, LENGTH - Integer.BYTES)
                  : icrc.difference(packet, 0, LENGTH) == 0;
            })
        .count();
  }

  @Test
  void aRunToWhichNothingHappensStaysOne() {
    assertThat(places(send(faulty("drop:0,seed:1"), 20, RUN)))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3);
  }

  @Test
  @Proves("S12.4.1")
  void whatIsBehindALostPacketBeginsARunAndHasTheIcrcsOfIt() {
    FaultLink a = faulty("dropnth:4+9");
    List<Inbox.Mail> arrived = send(a, RUN, RUN);
    assertThat(psns(arrived)).containsExactly(0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15);
    assertThat(places(arrived)).containsExactly(0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6);
    assertThat(exact(arrived, a)).isEqualTo(arrived.size());
  }

  @Test
  @Proves("S12.4.1")
  void whateverElseHappensEachPacketHasTheIcrcOfItsPlace() {
    FaultLink a = faulty(WITHOUT_DAMAGE);
    List<Inbox.Mail> arrived = send(a, PACKETS, RUN);
    assertThat(exact(arrived, a)).isEqualTo(arrived.size());
    assertThat(arrived.stream().filter(mail -> mail.place() > 2).count())
        .as("most are still in runs")
        .isGreaterThan(PACKETS / 4);
  }

  @Test
  void flushesKeepTheFormOfTheirIcrc() {
    opcode = Opcode.RC_FLUSH;
    asRxe = true;
    FaultLink a = faulty("drop:0.1,dup:0.1,reorder:0.1,seed:7");
    List<Inbox.Mail> arrived = send(a, PACKETS, RUN);
    assertThat(exact(arrived, a)).isEqualTo(arrived.size());
  }

  /** The packets are cut into runs only after the dice are cast. */
  @Test
  void aSeedDoesTheSameToPacketsInRunsAndAlone() {
    String faults = "drop:0.05,dup:0.05,reorder:0.05,corrupt:0.05,seed:7";
    List<Integer> alone = psns(send(faulty(faults), PACKETS, 1));
    assertThat(psns(send(faulty(faults), PACKETS, RUN))).isEqualTo(alone);
    assertThat(alone).isNotEmpty();
  }

  @Test
  void aRefusedRunKeepsItsLot() {
    String faults = "drop:0.1,dup:0.1,seed:5";
    List<Integer> free = psns(send(faulty(faults), PACKETS, RUN));
    AtomicLong calls = new AtomicLong();
    FaultLink a =
        FaultLink.over(new RefusingLink(runs(), calls), FaultSpec.parse(faults), new Inbox());
    List<Inbox.Mail> arrived = send(a, PACKETS, RUN);
    assertThat(psns(arrived).stream().sorted().toList()).isEqualTo(free.stream().sorted().toList());
    assertThat(exact(arrived, a)).isEqualTo(arrived.size());
    assertThat(calls.get() / 3).as("refused").isGreaterThan(PACKETS / RUN);
  }

  @Test
  void aRunThatWasRefusedAsAWholeLeavesAsOne() {
    int room = 1024;
    FaultLink a = faulty("dropnth:1");
    Route route = Endpoint.routeTo(b);
    MemorySegment packet = Endpoint.datagram(LENGTH, 1);
    for (int i = 0; i <= room; i++) {
      assertThat(a.send(packet, LENGTH, route, 0)).isTrue();
    }
    SendBatch batch = new SendBatch(RUN, LENGTH);
    for (int psn = 0; psn < RUN; psn++) {
      add(batch, psn, a);
    }
    assertThat(a.send(batch, 0)).isFalse();
    assertThat(batch.count()).isEqualTo(RUN);
    assertThat(b.receive(inbox, 2 * room, 0)).isEqualTo(room);
    inbox.mails.clear();
    assertThat(a.send(batch, 0)).isTrue();
    assertThat(b.receive(inbox, room, 0)).isEqualTo(RUN);
    assertThat(places(inbox.mails)).isSorted().doesNotHaveDuplicates();
    assertThat(exact(inbox.mails, a)).isEqualTo(RUN);
  }

  @Test
  void aLinkThatCanSendNoRunsAnyMoreIsBelieved() {
    FaultLink a = FaultLink.over(new LosingRuns(runs()), FaultSpec.parse("dropnth:2"), counts);
    SendBatch batch = new SendBatch(RUN, LENGTH);
    for (int psn = 0; psn < 4; psn++) {
      add(batch, psn, a);
    }
    assertThat(a.send(batch, 0)).isTrue();
    add(batch, 4, a);
    add(batch, 5, a);
    assertThat(batch.firstRun()).isEqualTo(1);
    assertThat(a.send(batch, 0)).isTrue();
    b.receive(inbox, RUN, 0);
    assertThat(psns(inbox.mails)).containsExactly(0, 2, 3, 4, 5);
  }
}
