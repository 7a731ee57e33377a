package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.engine.qp.IcrcTrust;
import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Congestion;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Address;
import dev.verbena.wire.Bth;
import dev.verbena.wire.BufferSize;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcCheck;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.ParseResult;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RxeFlushIcrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Datagrams from the network, valid and invalid. */
@Timeout(60)
class InboundTest {
  private static final Address HERE = Address.ofIpv4(0x0A000001);
  private static final Address THERE = Address.ofIpv4(0x0A000002);

  private final MemoryNetwork network = new MemoryNetwork();
  private final Tally tally = new Tally();
  private final Link stranger = network.open(THERE, (counter, count) -> {});
  private Engine engine = engine(true);

  /** Engine time. */
  private long now;

  private final MemorySegment packet = Arena.ofAuto().allocate(4096 + 128);

  private Engine engine(boolean checkIcrc) {
    return new Engine(
        new EngineOptions(
            "in", () -> now, new SplittableRandom(1), tally, false, false, checkIcrc, Lab.ALL),
        network.open(HERE, tally::add),
        new Fabric());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void arrives(int length) {
    assertThat(stranger.send(packet, length, new Route(HERE, 0, 64, 0), 0)).isTrue();
    engine.step(0);
  }

  private int seal(int length) {
    Icrc icrc = new Icrc();
    icrc.addresses(THERE, HERE, 4791, 4791);
    icrc.seal(packet, 0, length);
    return length;
  }

  private int write(int opcode, int qpn, int psn) {
    packet.fill((byte) 0);
    Bth.write(packet, 0, opcode, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, qpn, psn);
    return seal(Opcode.row(opcode).headerLength + 4);
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
    peer.qp.change(() -> peer.qp.parameters().peer(THERE));
    write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 5);
    Bth.write(packet, 0, Opcode.RC_ACKNOWLEDGE, Bth.MIG_REQ, 0, 0x1234, peer.qp.qpNum(), 5);
    arrives(seal(Opcode.row(Opcode.RC_ACKNOWLEDGE).headerLength + 4));
    assertThat(tally.get(Counter.DROPPED_PKEY)).isEqualTo(1);
  }

  @Test
  void congestionNotificationsForNobodyAreTakenInSilence() {
    arrives(write(Opcode.CNP, 77, 0));
    assertThat(tally.get(Counter.DROPPED_NO_QP)).isZero();
    assertThat(tally.get(Counter.PACKETS_RECEIVED)).isEqualTo(1);
  }

  @Test
  void onlyThePeersCongestionNotificationsCount() {
    Peer peer = new Peer(engine, 1_000);
    peer.connectTo(peer, 5, 5);
    peer.qp.change(() -> peer.qp.parameters().peer(Address.ofIpv4(THERE.ipv4() + 1)));
    arrives(write(Opcode.CNP, peer.qp.qpNum(), 0));
    assertThat(tally.get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isZero();
    peer.qp.change(() -> peer.qp.parameters().peer(THERE));
    arrives(write(Opcode.CNP, peer.qp.qpNum(), 0));
    assertThat(tally.get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isEqualTo(1);
  }

  private int writeBufferSize(int qpn, int psn) {
    packet.fill((byte) 0);
    Bth.write(packet, 0, Opcode.VERBENA_BUFFER, 0, 0, 0xFFFF, qpn, psn);
    BufferSize.write(packet, Bth.LENGTH, 1 << 20);
    return seal(Bth.LENGTH + BufferSize.LENGTH + 4);
  }

  @Test
  void nobodyLearnsOfABufferBeforeItSends() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    peer.qp.change(() -> peer.qp.status().state(QpState.RTR));
    for (int psn : new int[] {0, 4, 5, 0xFFFFFF}) {
      arrives(writeBufferSize(peer.qp.qpNum(), psn));
      assertThat(peer.qp.dump()).as("psn %d", psn).doesNotContain("receive buffer");
    }
    assertThat(tally.get(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(4);
    peer.qp.change(() -> peer.qp.status().state(QpState.RTS));
    arrives(writeBufferSize(peer.qp.qpNum(), 4));
    assertThat(peer.qp.dump()).contains("its receive buffer has 1048576 bytes");
    arrives(writeBufferSize(77, 5));
    assertThat(tally.get(Counter.DROPPED_NO_QP)).isEqualTo(1);
  }

  @Test
  void aCongestionNotificationMustBeLikeThePeersOtherPackets() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, IcrcTrust.RUN - 1);
    int length = write(Opcode.CNP, peer.qp.qpNum(), 0);
    Icrc icrc = new Icrc();
    icrc.addresses(THERE, HERE, 4791, 4791);
    icrc.identification(7, false);
    icrc.seal(packet, 0, length);
    arrives(length);
    assertThat(tally.get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isEqualTo(1);
    connect(peer, IcrcTrust.RUN);
    write(Opcode.CNP, peer.qp.qpNum(), 0);
    icrc.seal(packet, 0, length);
    arrives(length);
    assertThat(tally.get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isEqualTo(1);
    assertThat(tally.get(Counter.DROPPED_ICRC)).isEqualTo(1);
  }

  @Test
  void aFlushWithTheIcrcOfRxeIsNotTakenForOneWithAnotherId() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, IcrcTrust.RUN);
    int length = write(Opcode.RC_FLUSH, peer.qp.qpNum(), 5);
    Icrc icrc = new Icrc();
    icrc.addresses(THERE, HERE, 4791, 4791);
    long address = 0;
    do {
      address += 8;
      Reth.write(packet, Opcode.row(Opcode.RC_FLUSH).offset(Reth.BIT), address, 1, 8);
      RxeFlushIcrc.seal(icrc, packet, 0, length);
    } while (!IcrcCheck.accepts(icrc, packet, 0, length));
    arrives(length);
    assertThat(tally.get(Counter.DROPPED_ICRC)).as("address %d", address).isZero();
  }

  /** Sends what was written, with these bits of the traffic class. */
  private void arrivesMarked(int length, int ecn) {
    stranger.send(packet, length, new Route(HERE, 0x60 | ecn, 64, 0), now);
    engine.step(now);
  }

  /** A request arrives with these bits of the traffic class; returns the CNPs that come back. */
  private long notificationsFor(Peer peer, int psn, int ecn, long time) {
    now = time;
    long before = tally.get(Counter.CONGESTION_NOTIFICATIONS_SENT);
    arrivesMarked(write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), psn), ecn);
    long told = tally.get(Counter.CONGESTION_NOTIFICATIONS_SENT) - before;
    List<Integer> opcodes = new ArrayList<>();
    stranger.receive((arrival, at) -> opcodes.add(view(arrival).opcode()), 100, now);
    assertThat(opcodes.stream().filter(opcode -> opcode == Opcode.CNP)).hasSize((int) told);
    return told;
  }

  private static RocePacket view(Arrival arrival) {
    RocePacket packet = new RocePacket();
    assertThat(packet.parse(arrival.datagram, arrival.offset, arrival.length))
        .isEqualTo(ParseResult.OK);
    return packet;
  }

  @Test
  void whoseRequestsTheNetworkHasMarkedIsToldNowAndThen() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    assertThat(notificationsFor(peer, 5, 2, 0)).as("not marked").isZero();
    assertThat(notificationsFor(peer, 6, 3, 0)).as("marked").isEqualTo(1);
    assertThat(notificationsFor(peer, 7, 3, 49_999)).as("too soon").isZero();
    assertThat(notificationsFor(peer, 8, 3, 50_000)).isEqualTo(1);
    peer.qp.change(() -> peer.qp.parameters().peer(Address.ofIpv4(THERE.ipv4() + 1)));
    assertThat(notificationsFor(peer, 9, 3, 200_000)).as("of a stranger").isZero();
  }

  @Test
  void whoDoesNotKnowTheSequenceCannotSlowThePeerDownByMarks() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 1);
    for (int psn : new int[] {4, 6, 100, 0x700000, 0xFFFFFF}) {
      assertThat(notificationsFor(peer, psn, 3, 0)).as("psn %d", psn).isZero();
    }
    assertThat(notificationsFor(peer, 5, 3, 0)).isEqualTo(1);
  }

  @Test
  void marksOnDataThatIsNotAwaitedDoNotNarrowWhatIsInFlight() {
    engine.close();
    Congestion control = new Congestion();
    engine =
        new Engine(
            new EngineOptions(
                "in",
                () -> now,
                new SplittableRandom(1),
                tally,
                false,
                false,
                true,
                Lab.ALL,
                destination -> control),
            network.open(HERE, tally::add),
            new Fabric());
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    peer.post(1, WrOpcode.RDMA_READ, 0, 0, 0);
    for (int psn : new int[] {4, 6, 0x700000}) {
      arrivesMarked(write(Opcode.RC_READ_RESPONSE_ONLY, peer.qp.qpNum(), psn), 3);
      assertThat(control.notifications).as("psn %d", psn).isZero();
    }
    arrivesMarked(write(Opcode.RC_READ_RESPONSE_ONLY, peer.qp.qpNum(), 5), 3);
    assertThat(control.notifications).isEqualTo(1);
    peer.awaitSuccess(1);
  }

  @Test
  void noContentWhateverMakesTheEngineFail() {
    Peer peer = new Peer(engine, 100_000);
    peer.connectTo(peer, 5, 5);
    peer.qp.change(() -> peer.qp.parameters().peer(THERE));
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
            packet,
            0,
            opcode,
            Bth.MIG_REQ | (random.nextBoolean() ? Bth.ACK_REQUEST : 0),
            0,
            0xFFFF,
            peer.qp.qpNum(),
            psn);
        seal(length);
      }
      arrives(length);
    }
    assertThat(tally.get(Counter.PACKETS_RECEIVED)).isGreaterThanOrEqualTo(sent);
    assertThat(engine.failures().count()).as("failures, seed %d", seed).isZero();
    Counters counters = tally;
    assertThat(counters.get(Counter.DROPPED_MALFORMED)).isPositive();
  }

  /**
   * A queue pair that is connected to {@link #THERE}, has had this many exact packets, and expects
   * PSN 5.
   */
  private void connect(Peer peer, int exactPackets) {
    peer.connectTo(peer, Psn.add(5, -exactPackets), 0);
    peer.qp.change(
        () -> {
          peer.qp.parameters().peer(THERE);
          peer.qp.connect(new Route(THERE, 0, 64, 0));
        });
    for (int left = exactPackets; left > 0; left--) {
      arrives(write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), Psn.add(5, -left)));
    }
  }

  private int writeSend(int qpn, int payload) {
    packet.fill((byte) 0x5a);
    Bth.write(packet, 0, Opcode.RC_SEND_ONLY, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, qpn, 5);
    return seal(Bth.LENGTH + payload + 4);
  }

  private void flip(int bit) {
    byte old = packet.get(ValueLayout.JAVA_BYTE, bit / 8);
    packet.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (old ^ 1 << bit % 8));
  }

  private boolean looksIntact(int length) {
    Icrc icrc = new Icrc();
    icrc.addresses(THERE, HERE, 4791, 4791);
    return IcrcCheck.accepts(icrc, packet, 0, length);
  }

  private long dropped() {
    return tally.get(Counter.DROPPED_ICRC)
        + tally.get(Counter.DROPPED_MALFORMED)
        + tally.get(Counter.DROPPED_NO_QP);
  }

  @Test
  @Proves("S12.4.2")
  void noErrorOfOneBitPassesOncePacketsOfThePeerAlwaysHadIdZero() {
    Peer peer = new Peer(engine, 1_000_000);
    int blind = 0;
    for (int payload : new int[] {0, 4, 8, 12, 24, 60, 64, 100, 128, 252, 256, 512, 1000, 1024}) {
      connect(peer, IcrcTrust.RUN);
      int length = writeSend(peer.qp.qpNum(), payload);
      for (int bit = 0; bit < 8 * length; bit++) {
        // Of no meaning in byte 4, which the ICRC does not cover: FECN, BECN and reserved bits.
        if (bit / 8 == 4) {
          continue;
        }
        writeSend(peer.qp.qpNum(), payload);
        flip(bit);
        if (looksIntact(length)) {
          blind++;
          connect(peer, IcrcTrust.RUN);
          writeSend(peer.qp.qpNum(), payload);
          flip(bit);
        }
        long before = dropped();
        arrives(length);
        assertThat(dropped() - before).as("payload %d, bit %d", payload, bit).isEqualTo(1);
      }
    }
    assertThat(blind).as("bits that another ID would explain").isPositive();
    assertThat(tally.get(Counter.RNR_NAKS_SENT)).as("taken for a SEND").isZero();
  }

  @Test
  void aPeerWhosePacketsHaveIdsIsHeard() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    long stale = tally.get(Counter.DROPPED_STALE_RESPONSE);
    for (int i = 0; i < 100; i++) {
      int length = write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 0x700000);
      // As Linux with another ID for each packet: the difference that such an ID makes.
      sealWithId(length, 1 + 77 * i);
      assertThat(looksIntact(length)).isTrue();
      arrives(length);
    }
    assertThat(tally.get(Counter.DROPPED_STALE_RESPONSE) - stale).as("looked at").isEqualTo(100);
    assertThat(tally.get(Counter.DROPPED_ICRC)).isZero();
  }

  @Test
  void whatComesFromStrangersTeachesNothingAboutThePeer() {
    Peer peer = new Peer(engine, 1_000);
    peer.connectTo(peer, 5, 5);
    for (int i = 0; i < 2 * IcrcTrust.RUN; i++) {
      arrives(write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 0x700000));
    }
    assertThat(tally.get(Counter.DROPPED_SOURCE)).isEqualTo(2 * IcrcTrust.RUN);
    peer.qp.change(() -> peer.qp.parameters().peer(THERE));
    int length = write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 0x700000);
    sealWithId(length, 4711);
    arrives(length);
    assertThat(tally.get(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(1);
  }

  /** Checks that a packet with an ID passes, so the engine demands nothing of the peer. */
  private void assertNothingLearned(Peer peer) {
    long dropped = tally.get(Counter.DROPPED_ICRC);
    int length = write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), 5);
    sealWithId(length, 4711);
    arrives(length);
    assertThat(tally.get(Counter.DROPPED_ICRC)).isEqualTo(dropped);
  }

  @Test
  void requestsThatTheQueuePairDoesNotTakeTeachNothingAboutThePeer() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    for (int i = 0; i < 2 * IcrcTrust.RUN; i++) {
      write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), 5);
      Bth.write(
          packet,
          0,
          Opcode.RC_WRITE_ONLY,
          Bth.MIG_REQ | Bth.ACK_REQUEST,
          0,
          0x1234,
          peer.qp.qpNum(),
          5);
      arrives(seal(Opcode.row(Opcode.RC_WRITE_ONLY).headerLength + 4));
    }
    assertThat(tally.get(Counter.DROPPED_PKEY)).isEqualTo(2 * IcrcTrust.RUN);
    assertNothingLearned(peer);
  }

  @Test
  void packetsWhosePsnIsGuessedTeachNothingAboutThePeer() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    for (int i = 0; i < 2 * IcrcTrust.RUN; i++) {
      arrives(write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), 0x700000 + i));
      arrives(write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 0x700000 + i));
    }
    assertNothingLearned(peer);
  }

  @Test
  void answersThatAreAwaitedTeachAboutThePeer() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    for (int i = 0; i < IcrcTrust.RUN; i++) {
      peer.write(i, peer, 8);
    }
    for (int i = 0; i < IcrcTrust.RUN; i++) {
      arrives(write(Opcode.RC_ACKNOWLEDGE, peer.qp.qpNum(), 5 + i));
    }
    int length = write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), 5);
    sealWithId(length, 4711);
    arrives(length);
    assertThat(tally.get(Counter.DROPPED_ICRC)).isEqualTo(1);
  }

  @Test
  void aPeerThatNumbersThePacketsOfItsBatchesLosesFewOfThem() {
    Peer peer = new Peer(engine, 1_000);
    connect(peer, 0);
    int psn = 5;
    for (int batch = 0; batch < 50; batch++) {
      for (int packetOfBatch = 0; packetOfBatch < 2 * IcrcTrust.RUN; packetOfBatch++) {
        // Single ones with ID 0, then a batch.
        int id = Math.max(0, packetOfBatch - IcrcTrust.RUN);
        int length = write(Opcode.RC_WRITE_ONLY, peer.qp.qpNum(), psn);
        sealWithId(length, id);
        long dropped = tally.get(Counter.DROPPED_ICRC);
        arrives(length);
        if (tally.get(Counter.DROPPED_ICRC) == dropped) {
          psn++;
        }
      }
    }
    assertThat(tally.get(Counter.DROPPED_ICRC)).isBetween(1L, (long) IcrcTrust.CONTRADICTIONS);
  }

  /** Seals as a host does whose IP header has this ID, by the definition of the ICRC (S12.4.1). */
  private void sealWithId(int length, int id) {
    int udp = 8 + length;
    byte[] covered = new byte[8 + 20 + 8 + length - 4];
    Arrays.fill(covered, 0, 8, (byte) 0xff);
    ByteBuffer ip = ByteBuffer.wrap(covered).position(8);
    ip.put((byte) 0x45).put((byte) 0xff).putShort((short) (20 + udp));
    ip.putShort((short) id).putShort((short) 0x4000);
    ip.put((byte) 0xff).put((byte) 17).putShort((short) 0xffff);
    ip.putInt(THERE.ipv4()).putInt(HERE.ipv4());
    ip.putShort((short) 4791).putShort((short) 4791).putShort((short) udp).putShort((short) 0xffff);
    MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, 0, covered, 36, length - 4);
    covered[40] = (byte) 0xff;
    CRC32 crc = new CRC32();
    crc.update(covered);
    packet.set(
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
        length - 4,
        (int) crc.getValue());
  }
}
