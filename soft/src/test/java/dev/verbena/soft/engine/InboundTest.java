package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.MemoryNetwork;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Sabotage;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RoceAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes from the network, valid or not. */
@Timeout(60)
class InboundTest {
  private static final long HERE = RoceAddress.fromIpv4(0x0A000001);
  private static final long THERE = RoceAddress.fromIpv4(0x0A000002);

  private final MemoryNetwork network = new MemoryNetwork();
  private final Tally tally = new Tally();
  private final Link stranger = network.open(0, THERE, (counter, count) -> {});
  private Engine engine = engine(true);
  private final MemorySegment packet = Arena.ofAuto().allocate(4096 + 128);

  private Engine engine(boolean checkIcrc) {
    return new Engine(
        new EngineOptions(
            "in", () -> 0, new SplittableRandom(1), tally, Sabotage.NONE, false, false, checkIcrc),
        network.open(0, HERE, tally::add),
        new Fabric());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void arrives(int length) {
    assertThat(stranger.send(packet, length, new Route(0, HERE, 0, 64, 0), 0)).isTrue();
    engine.step(0);
  }

  private int seal(int length) {
    Icrc icrc = new Icrc();
    icrc.flow(0, THERE, 0, HERE, 4791, 4791);
    icrc.seal(packet, 0, length);
    return length;
  }

  private int write(int opcode, int qpn, int psn) {
    packet.fill((byte) 0);
    Bth.write(packet, 0, opcode, false, true, 0, 0xFFFF, qpn, true, psn);
    return seal(Opcode.headerLength(opcode) + 4);
  }

  @Test
  void aShortDatagramIsMalformed() {
    arrives(10);
    assertThat(tally.get(Counter.DROPPED_MALFORMED)).isEqualTo(1);
    assertThat(tally.get(Counter.PACKETS_RECEIVED)).isEqualTo(1);
    assertThat(tally.get(Counter.BYTES_RECEIVED)).isEqualTo(10);
  }

  @Test
  void aDamagedPacketIsDroppedForItsIcrc() {
    int length = write(Opcode.RC_SEND_ONLY, 77, 0);
    packet.set(ValueLayout.JAVA_BYTE, 8, (byte) 0x55);
    arrives(length);
    assertThat(tally.get(Counter.DROPPED_ICRC)).isEqualTo(1);
    assertThat(tally.get(Counter.DROPPED_NO_QP)).isZero();
  }

  @Test
  void theIcrcIsNotLookedAtIfTheDeviceWasOpenedSo() {
    engine.close();
    engine = engine(false);
    int length = write(Opcode.RC_SEND_ONLY, 77, 0);
    packet.set(ValueLayout.JAVA_BYTE, length - 1, (byte) 0x55);
    arrives(length);
    assertThat(tally.get(Counter.DROPPED_ICRC)).isZero();
    assertThat(tally.get(Counter.DROPPED_NO_QP)).isEqualTo(1);
  }

  @Test
  void aPacketForNobodyIsCounted() {
    arrives(write(Opcode.RC_SEND_ONLY, 77, 0));
    assertThat(tally.get(Counter.DROPPED_NO_QP)).isEqualTo(1);
  }

  @Test
  void aPacketOfAnotherTransportDoesNotReachTheQueuePair() {
    Peer peer = new Peer(engine, 1_000);
    arrives(write(Opcode.UC_SEND_ONLY, peer.qp.qpNum(), 0));
    assertThat(tally.get(Counter.DROPPED_QP_STATE)).isEqualTo(1);
  }

  @Test
  void requestsAndResponsesInResetAreDropped() {
    Peer peer = new Peer(engine, 1_000);
    arrives(write(Opcode.RC_SEND_ONLY, peer.qp.qpNum(), 0));
    assertThat(tally.get(Counter.DROPPED_QP_STATE)).isEqualTo(1);
    arrives(write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 0));
    assertThat(tally.get(Counter.DROPPED_QP_STATE)).isEqualTo(2);
  }

  @Test
  void requestsAndResponsesOfAStrangerAreDropped() {
    Peer peer = new Peer(engine, 1_000);
    peer.connectTo(peer, 5, 5);
    arrives(write(Opcode.RC_SEND_ONLY, peer.qp.qpNum(), 5));
    assertThat(tally.get(Counter.DROPPED_SOURCE)).isEqualTo(1);
    arrives(write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 5));
    assertThat(tally.get(Counter.DROPPED_SOURCE)).isEqualTo(2);
  }

  @Test
  void aResponseOfAnotherPartitionIsDropped() {
    Peer peer = new Peer(engine, 1_000);
    peer.connectTo(peer, 5, 5);
    peer.qp.change(() -> peer.qp.parameters().peer(0, THERE));
    write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 5);
    Bth.write(packet, 0, Opcode.RC_ACKNOWLEDGE, false, true, 0, 0x1234, peer.qp.qpNum(), false, 5);
    arrives(seal(Opcode.headerLength(Opcode.RC_ACKNOWLEDGE) + 4));
    assertThat(tally.get(Counter.DROPPED_PKEY)).isEqualTo(1);
  }

  @Test
  void congestionNotificationsAreTakenInSilence() {
    arrives(write(Opcode.CNP, 77, 0));
    assertThat(tally.get(Counter.DROPPED_NO_QP)).isZero();
    assertThat(tally.get(Counter.PACKETS_RECEIVED)).isEqualTo(1);
  }

  @Test
  void noContentWhateverMakesTheEngineFail() {
    Peer peer = new Peer(engine, 100_000);
    peer.connectTo(peer, 5, 5);
    peer.qp.change(() -> peer.qp.parameters().peer(0, THERE));
    long seed = 99;
    Random random = new Random(seed);
    int sent = 20_000;
    for (int i = 0; i < sent; i++) {
      int length = random.nextInt(50) * 4 + random.nextInt(8) / 7;
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      MemorySegment.copy(bytes, 0, packet, ValueLayout.JAVA_BYTE, 0, length);
      if (length >= 16 && random.nextInt(8) > 0) {
        int opcode = random.nextInt(0x20);
        int psn = random.nextInt(10);
        Bth.write(
            packet, 0, opcode, false, true, 0, 0xFFFF, peer.qp.qpNum(), random.nextBoolean(), psn);
        seal(length);
      }
      arrives(length);
    }
    assertThat(tally.get(Counter.PACKETS_RECEIVED)).isGreaterThanOrEqualTo(sent);
    assertThat(engine.failures().count()).as("failures, seed %d", seed).isZero();
    Counters counters = tally;
    assertThat(counters.get(Counter.DROPPED_MALFORMED)).isPositive();
  }
}
