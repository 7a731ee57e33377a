package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.packets.PacketOut;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that wait for the link. */
class OutboxTest {
  private static final int ACK = AethSyndrome.ACK_UNLIMITED;
  private static final int GAP = AethSyndrome.NAK_PSN_SEQUENCE_ERROR;
  private static final int RNR = 0x20 | 12;

  private final Rig rig = Rig.packets();
  private final Outbox outbox = rig.b.outbox;

  private List<String> sent() {
    outbox.drain(rig.b.out, new Budget());
    return rig.b.out.log.stream()
        .map(p -> "%x %x".formatted(p.view().aethSyndrome(), p.psn()))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x100, 0xfffffe, 0xffffff, 0x7fffff, 0})
  @Proves("S12.6.9")
  void theLatestOfTheAcksThatWaitIsSentAlsoAcrossTheWrap(int psn) {
    outbox.acknowledge(psn, ACK, 1);
    outbox.acknowledge(Psn.add(psn, 1), ACK, 2);
    outbox.acknowledge(Psn.add(psn, 2), ACK, 2);
    outbox.acknowledge(Psn.add(psn, 2), ACK, 3);
    outbox.acknowledge(Psn.add(psn, 1), ACK, 3);
    outbox.acknowledge(Psn.add(psn, -1), ACK, 3);
    assertThat(sent()).containsExactly("1f %x".formatted(Psn.add(psn, 2)));
    assertThat(rig.b.out.log.getFirst().view().aethMsn()).isEqualTo(3);
  }

  @Test
  void thatCongestionWasMetIsToldOnceAndBeforeAllAnswers() {
    outbox.acknowledge(5, ACK, 1);
    outbox.notifyCongestion();
    outbox.notifyCongestion();
    rig.b.out.refuse(1);
    assertThat(outbox.drain(rig.b.out, new Budget())).as("the link has refused it").isTrue();
    assertThat(rig.b.out.log).isEmpty();
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(rig.b.out.log.stream().map(p -> p.view().opcode()))
        .containsExactly(Opcode.CNP, Opcode.RC_ACKNOWLEDGE);
    outbox.notifyCongestion();
    assertThat(outbox.isEmpty()).isFalse();
    outbox.clear();
    assertThat(outbox.isEmpty()).isTrue();
  }

  /** Sends this number of ACKs, with their numbers as PSNs; returns what the peer is told after. */
  private List<String> told(int acks) {
    for (int psn = 1; psn <= acks; psn++) {
      outbox.acknowledge(psn, ACK, psn);
      assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    }
    return rig.b.out.log.stream()
        .filter(p -> p.view().opcode() == Opcode.VERBENA_BUFFER)
        .map(p -> p.psn() + " " + p.view().bufferBytes())
        .toList();
  }

  @Test
  void thePeerIsToldAboutTheReceiveBufferTwiceAsRarelyEachTime() {
    rig.b.out.receiveBuffer = 1 << 20;
    assertThat(told(100)).containsExactly("8 1048576", "16 1048576", "32 1048576", "64 1048576");
    assertThat(rig.b.out.log.get(8).view().opcode())
        .as("right after the ACK whose PSN it has")
        .isEqualTo(Opcode.VERBENA_BUFFER);
  }

  @Test
  void whoWouldGainNothingByItIsNotToldUntilThatChanges() {
    assertThat(told(100)).isEmpty();
    rig.b.out.receiveBuffer = 1 << 20;
    assertThat(told(1)).containsExactly("1 1048576");
  }

  /** The eighth ACK has left, and the link was not ready for what comes with it. */
  private void toldNothingYet() {
    rig.b.out.receiveBuffer = 1 << 20;
    told(7);
    outbox.acknowledge(8, ACK, 8);
    rig.b.out.takes(1);
    assertThat(outbox.drain(rig.b.out, new Budget())).as("it must run again").isTrue();
    rig.b.out.takes(10);
  }

  @Test
  void whatTheLinkRefusesToTellIsToldLater() {
    toldNothingYet();
    rig.b.out.refuse(1);
    assertThat(outbox.drain(rig.b.out, new Budget())).as("the link has refused it").isTrue();
    assertThat(told(0)).isEmpty();
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(told(0)).containsExactly("8 1048576");
  }

  @Test
  void ifAnotherAckLeavesFirstItHasThePsnOfThatOne() {
    toldNothingYet();
    outbox.acknowledge(9, ACK, 9);
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(told(0)).containsExactly("9 1048576");
  }

  @Test
  void whoIsNoLongerToBeToldIsNot() {
    toldNothingYet();
    rig.b.out.receiveBuffer = 0;
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(told(0)).isEmpty();
  }

  @Test
  void aNakTellsNothingButCounts() {
    rig.b.out.receiveBuffer = 1 << 20;
    told(7);
    outbox.acknowledge(8, GAP, 8);
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(told(0)).isEmpty();
    assertThat(told(9)).containsExactly("1 1048576", "8 1048576");
  }

  @Test
  void aNewConnectionIsToldAnew() {
    rig.b.out.receiveBuffer = 1 << 20;
    told(8);
    outbox.clear();
    assertThat(told(8)).containsExactly("8 1048576", "8 1048576");
  }

  @Test
  void theOutboxSaysWhetherItMustBeRunAgain() {
    assertThat(outbox.isEmpty()).isTrue();
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    Block data = rig.b.memory(4096);
    outbox.read(5, 3, 1, 0, data.rkey(), data.addr(), 600);
    assertThat(outbox.isEmpty()).isFalse();
    rig.b.out.takes(1);
    assertThat(outbox.drain(rig.b.out, new Budget())).as("the link is not ready").isTrue();
    assertThat(rig.b.out.log).hasSize(1);
    rig.b.out.takes(10);
    rig.b.out.refuse(1);
    assertThat(outbox.drain(rig.b.out, new Budget())).as("the link refused").isTrue();
    assertThat(rig.b.out.log).hasSize(1);
    Budget spent = new Budget();
    spent.spend(Budget.BYTES);
    assertThat(outbox.drain(rig.b.out, spent)).as("the budget is spent").isTrue();
    assertThat(rig.b.out.log).hasSize(1);
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(rig.b.out.log).extracting(Packet::psn).containsExactly(5, 6, 7);
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void aTurnSendsNoMoreThanItsBudget() {
    int length = 2 * Budget.STEPS * 256;
    Block data = rig.b.memory(length);
    outbox.read(0, length / 256, 1, 0, data.rkey(), data.addr(), length);
    assertThat(outbox.drain(rig.b.out, new Budget())).isTrue();
    assertThat(rig.b.out.log).hasSize(Budget.STEPS);
    Budget nearlySpent = new Budget();
    nearlySpent.spend(Budget.BYTES - 1000);
    assertThat(outbox.drain(rig.b.out, nearlySpent)).isTrue();
    assertThat(rig.b.out.log).as("1000 bytes are 4 packets").hasSize(Budget.STEPS + 4);
  }

  @Test
  @Proves("S12.6.11")
  void thereIsRoomForTwiceAsManyAnswersAndHalfOfItForRepeatedRequests() {
    rig.connect(p -> p.maxDestRdAtomic(2), Rig.PSN_A, Rig.PSN_B);
    assertThat(outbox.hasRoomToRepeat(1)).isTrue();
    outbox.atomic(1, 1, 10);
    assertThat(outbox.hasRoomToRepeat(2)).isTrue();
    outbox.atomic(2, 2, 20);
    assertThat(outbox.hasRoomToRepeat(3)).isFalse();
    assertThat(outbox.hasRoomToRepeat(1)).as("takes the place of the answer that waits").isTrue();
    assertThat(outbox.hasRoom()).isTrue();
    outbox.atomic(3, 3, 30);
    assertThat(outbox.hasRoom()).isTrue();
    outbox.atomic(4, 4, 40);
    assertThat(outbox.hasRoom()).isFalse();
    outbox.atomic(1, 5, 11);
    outbox.drain(rig.b.out, new Budget());
    assertThat(rig.b.out.log)
        .extracting(p -> p.psn() + " " + p.view().atomicOriginal() + " " + p.view().aethMsn())
        .containsExactly("1 11 5", "2 20 2", "3 30 3", "4 40 4");
    assertThat(outbox.hasRoom()).isTrue();
    assertThat(outbox.hasRoomToRepeat(3)).isTrue();
  }

  @Test
  void whatHasNoPlaceIsLostAndWhatWaitsIsNot() {
    outbox.atomic(1, 1, 1);
    assertThat(outbox.hasRoom()).as("the default is more than one").isTrue();
    rig.connect(p -> p.maxDestRdAtomic(1), Rig.PSN_A, Rig.PSN_B);
    for (int psn = 1; psn <= 20; psn++) {
      outbox.atomic(psn, psn, psn);
    }
    outbox.acknowledge(30, ACK, 9);
    assertThat(outbox.drain(rig.b.out, new Budget())).isFalse();
    assertThat(rig.b.out.log).extracting(Packet::psn).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    outbox.acknowledge(31, ACK, 9);
    outbox.drain(rig.b.out, new Budget());
    assertThat(rig.b.out.log).hasSize(9);
  }

  @Test
  void roomIsMadeWhileAnswersWaitAndTheyKeepTheirOrder() {
    rig.connect(p -> p.maxDestRdAtomic(16), Rig.PSN_A, Rig.PSN_B);
    for (int psn = 1; psn <= 6; psn++) {
      outbox.atomic(psn, psn, psn);
    }
    rig.b.out.takes(5);
    assertThat(outbox.drain(rig.b.out, new Budget()))
        .as("one waits, not in the first place")
        .isTrue();
    for (int psn = 7; psn <= 30; psn++) {
      assertThat(outbox.hasRoom()).isTrue();
      outbox.atomic(psn, psn, psn);
    }
    rig.b.out.takes(100);
    outbox.drain(rig.b.out, new Budget());

    assertThat(rig.b.out.log)
        .extracting(Packet::psn)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 30).boxed().toList());
  }

  @Test
  void anAnswerThatWasSentIsNotMistakenForOneThatWaits() {
    int sent = 0;
    for (int period = 1; period < 50; period++) {
      for (int i = 0; i < 2 * period; i++) {
        outbox.atomic(i % period, 1, 1);
        outbox.drain(rig.b.out, new Budget());
        sent++;
        assertThat(rig.b.out.log).hasSize(sent);
      }
    }
  }

  @Test
  void aPacketThatCannotBeWrittenIsGivenBack() {
    outbox.acknowledge(1, ACK, 1);
    int[] given = {0};
    PacketOut narrow =
        new PacketOut() {
          @Override
          public boolean isReady() {
            return true;
          }

          @Override
          public int mostInFlight(int payload) {
            return 1;
          }

          @Override
          public int mostInFlightOf(int charge, int largest) {
            return 1;
          }

          @Override
          public int mostAnswersInFlight(int mtu) {
            return 1;
          }

          @Override
          public MemorySegment begin() {
            given[0]++;
            return MemorySegment.ofArray(new byte[4]);
          }

          @Override
          public int commit(int length) {
            throw new AssertionError("there is no packet");
          }

          @Override
          public void abandon() {
            given[0]--;
          }
        };
    assertThatThrownBy(() -> outbox.drain(narrow, new Budget()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(given[0]).isZero();
  }

  @Test
  void anAnswerWhoseMemoryIsGoneIsANakAndLeavesNoPacketBehind() {
    Block data = rig.b.memory(600);
    outbox.atomic(4, 1, 1);
    outbox.read(5, 3, 1, 0, data.rkey(), data.addr(), 600);
    rig.b.out.takes(2);
    outbox.drain(rig.b.out, new Budget());
    rig.b.keys.remove(data.region());
    rig.b.out.takes(10);
    outbox.drain(rig.b.out, new Budget());
    assertThat(rig.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
    assertThat(rig.b.out.log.getLast().psn()).isEqualTo(6);
    assertThat(outbox.isEmpty()).isTrue();
  }

  /** The peer may have had the first answer, and invalidated the key after it. */
  @Test
  @Proves("S12.6.3")
  void aRepeatedAnswerWhoseMemoryIsGoneEndsSilentlyAndTheNextOnesAreSent() {
    Block data = rig.b.memory(600);
    outbox.readAgain(5, 3, 1, 0, data.rkey(), data.addr(), 600);
    outbox.atomic(8, 2, 1);
    rig.b.out.takes(1);
    outbox.drain(rig.b.out, new Budget());
    rig.b.keys.remove(data.region());
    rig.b.out.takes(10);
    outbox.drain(rig.b.out, new Budget());
    assertThat(rig.b.out.log).extracting(Packet::psn).containsExactly(5, 8);
    assertThat(rig.b.out.log.getLast().opcode()).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
    assertThat(outbox.isEmpty()).isTrue();
    assertThat(outbox.hasRoomToRepeat(9)).isTrue();
  }

  @Test
  void anAnswerThatIsAskedForAgainBeforeItWasSentWholeIsStillTheFirst() {
    Block data = rig.b.memory(600);
    outbox.read(5, 3, 1, 0, data.rkey(), data.addr(), 600);
    rig.b.out.takes(1);
    outbox.drain(rig.b.out, new Budget());
    outbox.readAgain(5, 3, 1, 0, data.rkey(), data.addr(), 600);
    rig.b.keys.remove(data.region());
    rig.b.out.takes(10);
    outbox.drain(rig.b.out, new Budget());
    assertThat(rig.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
  }

  /** A NAK for a gap does not replace the ACK, because the peer may never have sent that PSN. */
  @Test
  void aNakForAGapAndTheAckBeforeItAreBothSent() {
    outbox.acknowledge(5, ACK, 1);
    outbox.acknowledge(6, GAP, 1);
    outbox.acknowledge(6, GAP, 1);
    outbox.acknowledge(4, ACK, 1);
    outbox.acknowledge(5, ACK, 1);
    assertThat(sent()).containsExactlyInAnyOrder("1f 5", "60 6");
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void aNakForAGapIsNotOvertakenByTheAckOfTheMissingPacket() {
    outbox.acknowledge(6, GAP, 1);
    outbox.acknowledge(6, ACK, 2);
    assertThat(sent()).as("what followed the gap was dropped").containsExactly("60 6", "1f 6");
  }

  @ParameterizedTest
  @ValueSource(ints = {AethSyndrome.NAK_INVALID_REQUEST, AethSyndrome.NAK_REMOTE_ACCESS_ERROR, RNR})
  void aNakForWhatThePeerHasSentSaysAllThatWaits(int syndrome) {
    outbox.acknowledge(5, GAP, 1);
    outbox.acknowledge(5, ACK, 1);
    outbox.acknowledge(6, syndrome, 1);
    outbox.acknowledge(5, ACK, 1);
    assertThat(sent()).containsExactly("%x 6".formatted(syndrome));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x100, 0xfffff0})
  @Proves("S12.6.9")
  void howeverOftenStrayPacketsComeBetweenNoAnswerIsLost(int first) {
    rig.connect(p -> p.maxDestRdAtomic(1), Rig.PSN_A, Rig.PSN_B);
    Block data = rig.b.memory(8);
    int psn = first;
    for (int job = 0; job < 2; job++) {
      assertThat(outbox.hasRoom()).as("room for answer %d", job).isTrue();
      psn = alternate(psn);
      outbox.read(psn, 1, job, 0, data.rkey(), data.addr(), 8);
      psn = Psn.next(psn);
    }
    alternate(psn);
    assertThat(sent())
        .containsExactly(
            "1f %x".formatted(Psn.add(first, 19)),
            "60 %x".formatted(Psn.add(first, 20)),
            "1f %x".formatted(Psn.add(first, 20)),
            "1f %x".formatted(Psn.add(first, 40)),
            "60 %x".formatted(Psn.add(first, 41)),
            "1f %x".formatted(Psn.add(first, 41)),
            "1f %x".formatted(Psn.add(first, 61)),
            "60 %x".formatted(Psn.add(first, 62)));
    assertThat(rig.b.out.log.get(2).is(Opcode.RC_READ_RESPONSE_ONLY)).isTrue();
    assertThat(rig.b.out.log.get(5).is(Opcode.RC_READ_RESPONSE_ONLY)).isTrue();
    assertThat(outbox.isEmpty()).isTrue();
  }

  /** Twenty packets that ask for an ACK, a stray one behind each; returns the next PSN. */
  private int alternate(int first) {
    int psn = first;
    for (int i = 0; i < 20; i++) {
      outbox.acknowledge(psn, ACK, i);
      psn = Psn.next(psn);
      outbox.acknowledge(psn, GAP, i);
    }
    return psn;
  }
}
