package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a requester learns for how many messages its peer has receives, and what it makes of it. */
class CreditsTest {
  private static final long PATIENCE = 10_000_000;
  private static final int LONG = 1 << 20;

  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(8192).scribble(1);
  private final Block to = rig.b.memory(8192);

  private void postRecvs(int count) {
    for (int i = 0; i < count; i++) {
      rig.b.postRecv(i, to);
    }
  }

  private void postSends(int first, int count) {
    for (int i = first; i < first + count; i++) {
      rig.a.postSend(i, from, 8);
    }
  }

  /** The peer has used up three receives, and said so. */
  private void useUpReceives() {
    postRecvs(3);
    postSends(-1, 3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).hasSize(3);
    rig.a.out.log.clear();
    assertThat(credits()).endsWith(0);
  }

  private List<Packet> acks() {
    return rig.b.out.log.stream().filter(packet -> packet.is(Opcode.RC_ACKNOWLEDGE)).toList();
  }

  /** For how many messages each acknowledgement says that there are receives. */
  private List<Integer> credits() {
    return acks().stream()
        .map(packet -> packet.view().aethSyndrome())
        .filter(AethSyndrome::isAck)
        .map(syndrome -> AethSyndrome.credits(AethSyndrome.code(syndrome)))
        .toList();
  }

  private void nothingWasInVain() {
    assertThat(rig.b.count(Counter.RNR_NAKS_SENT)).isZero();
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  @Proves("S12.5.11")
  void anAcknowledgementSaysHowManyReceivesArePosted() {
    postRecvs(6);
    for (int i = 0; i < 6; i++) {
      postSends(i, 1);
      rig.deliverAll();
    }
    // There is no code for 5.
    assertThat(credits()).containsExactly(4, 4, 3, 2, 1, 0);
  }

  @Test
  @Proves("S12.5.11")
  void aMessageWithoutCreditsWaitsUntilAReceiveIsPosted() {
    useUpReceives();
    postSends(2, 3);
    rig.deliverAll();
    assertThat(rig.a.out.log).isEmpty();
    rig.b.postRecv(2, to);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    postRecvs(2);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("3", "4");
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
    nothingWasInVain();
  }

  @Test
  @Proves("S12.5.11")
  void morePostedMessagesThanReceivesAreSentAsReceivesCome() {
    useUpReceives();
    postSends(2, 40);
    for (int i = 0; i < 40; i++) {
      rig.deliverAll();
      assertThat(rig.a.out.log).hasSize(i);
      postRecvs(1);
    }
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).hasSize(43);
    nothingWasInVain();
  }

  @Test
  @Proves("S12.5.11")
  void requestsThatTakeNoReceiveNeedNoCredits() {
    useUpReceives();
    rig.a.postWrite(2, from, 600, to);
    rig.a.postRead(3, from, 8, to);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2", "3");
  }

  @Test
  @Proves("S12.5.11")
  void aWriteBehindTheLastMessageDoesNotHideTheNewsEither() {
    postRecvs(3);
    postSends(1, 2);
    rig.deliverAll();
    postSends(3, 1);
    rig.a.postWrite(4, from, 8, to);
    postSends(5, 1);
    rig.b.out.takes(0);
    rig.pump();
    rig.deliverToB();
    postRecvs(1);
    rig.pump();
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3", "4", "5");
    nothingWasInVain();
  }

  @Test
  @Proves("S12.5.11")
  void aRepeatedReadDoesNotCancelTheNews() {
    useUpReceives();
    rig.a.postRead(2, from, 8, to);
    rig.a.postSend(3, from, 8);
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_READ_RESPONSE_ONLY));
    rig.deliverAll();
    assertThat(rig.advanceToDeadline()).isTrue();
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    postRecvs(1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("3");
    assertThat(rig.b.count(Counter.RNR_NAKS_SENT)).isZero();
  }

  @Test
  @Proves("S12.5.11")
  void aPeerThatAnnouncesNothingIsSoonTakenForOneThatDoesNotCount() {
    useUpReceives();
    for (int i = 2; i < 4; i++) {
      postSends(i, 1);
      rig.deliverAll();
      rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ACKNOWLEDGE));
      postRecvs(1);
      rig.deliverAll();
      assertThat(rig.a.sendResults()).isEmpty();
      rig.advance(PATIENCE);
      rig.deliverAll();
      assertThat(rig.a.sendResults()).containsExactly("" + i);
    }
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ACKNOWLEDGE));
    postRecvs(1);
    postSends(4, 1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("4");
  }

  @Test
  @Proves({"S3.2.1", "S12.5.11"})
  void aLongWriteWithImmediateNeedsNoCreditToBegin() {
    useUpReceives();
    rig.a.postWriteImm(2, from, 600, to, 5);
    rig.deliverAll();
    assertThat(rig.a.out.log).hasSize(3);
    postRecvs(1);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2");
  }

  @Test
  @Proves("S12.5.11")
  void aWriteWithImmediateNeedsOne() {
    useUpReceives();
    rig.a.postWriteImm(2, from, 60, to, 5);
    rig.deliverAll();
    assertThat(rig.a.out.log).isEmpty();
    postRecvs(1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    nothingWasInVain();
  }

  @Test
  @Proves("S12.5.11")
  void aReadInBetweenDoesNotHideTheNews() {
    useUpReceives();
    rig.a.postRead(2, from, 8, to);
    rig.a.postSend(3, from, 8);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    postRecvs(1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("3");
    nothingWasInVain();
  }

  @Test
  @Proves("S12.5.11")
  void newsAmidALongWriteIsBelieved() {
    useUpReceives();
    rig.a.postWrite(2, from, 600, to);
    rig.a.postSend(3, from, 8);
    rig.pump();
    List<Packet> rest = new ArrayList<>(rig.a.out.flight.subList(1, rig.a.out.flight.size()));
    rig.a.out.flight.removeAll(rest);
    rig.deliverToB();
    rig.deliverToA();
    assertThat(acks().getLast().psn()).isEqualTo(rest.getFirst().psn() - 1);
    postRecvs(1);
    rig.pump();
    rig.deliverToA();
    assertThat(rig.a.count(Counter.DROPPED_STALE_RESPONSE)).isZero();
    rig.a.out.flight.addAll(0, rest);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2", "3");
    nothingWasInVain();
  }

  /** It goes in slices, each of which is a request for the peer. */
  @Test
  @Proves("S12.5.11")
  void aLongReadInBetweenDoesNotHideTheNews() {
    Rig slices = Rig.packets();
    Block near = slices.a.memory(LONG);
    Block far = slices.b.memory(LONG);
    for (int i = 0; i < 3; i++) {
      slices.b.postRecv(i, far);
      slices.a.postSend(i, near, 8);
    }
    slices.deliverAll();
    slices.a.postRead(3, near, LONG, far);
    slices.a.postSend(4, near, 8);
    slices.deliverAll();
    assertThat(slices.a.out.log.stream().filter(packet -> packet.is(Opcode.RC_READ_REQUEST)))
        .hasSizeGreaterThan(1);
    slices.b.postRecv(4, far);
    slices.deliverAll();
    assertThat(slices.a.sendResults()).endsWith("3", "4");
    assertThat(slices.b.count(Counter.RNR_NAKS_SENT)).isZero();
  }

  @Test
  @Proves("S12.5.11")
  void whoHearsNothingAsksAfterAWhile() {
    useUpReceives();
    postSends(2, 2);
    rig.deliverAll();
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ACKNOWLEDGE));
    rig.b.postRecv(2, to);
    rig.deliverAll();
    rig.advance(PATIENCE - 1);
    assertThat(rig.a.out.log).isEmpty();
    rig.advance(1);
    assertThat(rig.a.out.log).hasSize(1);
    rig.b.postRecv(3, to);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2", "3");
    nothingWasInVain();
  }

  @Test
  @Proves({"S12.5.8", "S12.5.11"})
  void aPeerThatPostsNoReceiveIsGivenUpAsEver() {
    rig.a.parameters.rnrRetry(2);
    useUpReceives();
    postSends(2, 2);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2 RNR_RETRY_EXC_ERR", "3 WR_FLUSH_ERR");
    assertThat(rig.a.count(Counter.RNR_NAKS_RECEIVED)).isEqualTo(3);
  }

  @Test
  @Proves("S12.5.11")
  void theOneWhoWaitsSaysSo() {
    useUpReceives();
    postSends(2, 1);
    rig.deliverAll();
    StringBuilder text = new StringBuilder();
    rig.a.requester.dump(text);
    assertThat(text).contains("waits for: the peer to post a receive, and to say so");
  }

  /** Otherwise that would hide what the peer says, or promise receives that do not exist. */
  @Test
  void whoHasNotSeenTheLastAcknowledgementCannotSpeakOfReceives() {
    useUpReceives();
    Packet last = acks().getLast();
    postSends(2, 1);
    rig.deliverAll();
    Packet many = last.edited(bytes -> PacketEdits.syndrome(bytes, AethSyndrome.ack(15)));
    List<Integer> guesses = List.of(-1, -1000, 1, 1000, 1 << 23);
    for (int guess : guesses) {
      Packet forged = many.edited(bytes -> PacketEdits.psn(bytes, last.psn() + guess));
      rig.a.arrive(forged.edited(bytes -> PacketEdits.msn(bytes, 1000)), rig.b.gid);
    }
    rig.pump();
    assertThat(rig.a.out.log).isEmpty();
    assertThat(rig.a.count(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(guesses.size());
    postRecvs(1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    nothingWasInVain();
  }

  @Test
  void whatSomebodyRepeatsOfAnOldAcknowledgementStopsNothing() {
    postRecvs(3);
    postSends(1, 1);
    rig.deliverAll();
    Packet ack = acks().getLast();
    postSends(2, 2);
    rig.deliverAll();
    Packet stopped = ack.edited(bytes -> PacketEdits.syndrome(bytes, AethSyndrome.ack(0)));
    rig.a.arrive(stopped, rig.b.gid);
    assertThat(rig.a.count(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(1);
    // It counted a receive that is used up by now.
    rig.a.arrive(ack, rig.b.gid);
    assertThat(rig.a.count(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(2);
    postSends(4, 1);
    rig.deliverAll();
    assertThat(rig.a.out.log).hasSize(3);
    nothingWasInVain();
  }

  @Test
  void newsDuringAnRnrWaitDoesNotMakeItEndless() {
    useUpReceives();
    Packet ack = acks().getLast();
    postSends(2, 2);
    rig.deliverAll();
    rig.advance(PATIENCE);
    rig.deliverAll();
    assertThat(rig.a.count(Counter.RNR_NAKS_RECEIVED)).isEqualTo(1);
    // Somebody says that the peer has taken it all the same, and has receives.
    rig.a.arrive(
        ack.edited(bytes -> PacketEdits.psn(bytes, rig.a.out.log.getLast().psn())), rig.b.gid);
    assertThat(rig.a.sendResults()).containsExactly("2");
    Packet news = ack.edited(bytes -> PacketEdits.syndrome(bytes, AethSyndrome.ack(4)));
    rig.a.arrive(
        news.edited(bytes -> PacketEdits.psn(bytes, rig.a.out.log.getLast().psn())), rig.b.gid);
    assertThat(rig.a.count(Counter.DROPPED_STALE_RESPONSE)).isZero();
    postRecvs(2);
    rig.pump();
    assertThat(rig.advanceToDeadline()).isTrue();
    assertThat(rig.a.out.log.getLast().psn()).isEqualTo(Rig.PSN_A + 4);
  }

  @Test
  @Proves("S12.5.11")
  void aPeerThatDoesNotCountThemSetsNoLimit() {
    useUpReceives();
    postSends(2, 1);
    rig.deliverAll();
    Packet ack = acks().getLast();
    rig.b.postRecv(2, to);
    rig.pump();
    rig.b.out.flight.clear();
    rig.a.arrive(
        ack.edited(bytes -> PacketEdits.syndrome(bytes, AethSyndrome.ACK_UNLIMITED)), rig.b.gid);
    postSends(3, 1);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(2);
  }

  @Test
  @Proves("S12.5.11")
  void aPeerThatMayBeAnotherDeviceGetsNoLimitAnyLonger() {
    useUpReceives();
    rig.b.peerIsAlike = false;
    postRecvs(1);
    rig.deliverAll();
    postSends(2, 2);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    assertThat(rig.b.count(Counter.RNR_NAKS_SENT)).isEqualTo(1);
    assertThat(credits()).endsWith(AethSyndrome.UNLIMITED_CREDITS);
  }

  @Test
  void newsBehindAMessageThatAskedIsNoSilence() {
    useUpReceives();
    postSends(2, 1);
    rig.deliverAll();
    rig.advance(PATIENCE);
    postRecvs(1);
    rig.deliverAll();
    postSends(3, 1);
    rig.deliverAll();
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ACKNOWLEDGE));
    postRecvs(1);
    rig.deliverAll();
    rig.advance(PATIENCE);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2", "3");
    // One silence is not enough, so it waits.
    postSends(4, 1);
    rig.deliverAll();
    assertThat(rig.b.count(Counter.RNR_NAKS_SENT)).isZero();
    postRecvs(1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("4");
  }

  @Test
  void aLongWriteWithImmediateDoesNotWaitForCredits() {
    useUpReceives();
    rig.a.out.takes(0);
    rig.a.postWriteImm(2, from, 600, to, 5);
    rig.pump();
    StringBuilder text = new StringBuilder();
    rig.a.requester.dump(text);
    assertThat(text).contains("waits for: the link to take packets");
  }

  @Test
  void whoPostsReceivesOneByOneSetsNoLimit() {
    for (int i = 0; i < 4; i++) {
      postRecvs(1);
      postSends(i, 1);
      rig.deliverAll();
    }
    assertThat(credits()).containsOnly(AethSyndrome.UNLIMITED_CREDITS).hasSize(4);
  }

  @Test
  void thePeerIsToldOnceThatThereAreReceivesAgain() {
    useUpReceives();
    int before = acks().size();
    postRecvs(2);
    rig.deliverAll();
    postRecvs(2);
    rig.deliverAll();
    assertThat(acks()).hasSize(before + 1);
    assertThat(credits()).endsWith(2);
  }
}
