package dev.verbena.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.WireFrame;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What only a peer that sees and makes every packet can check. */
final class WireTest {
  private static final int ACK_SYNDROME = 0x1f;
  private static final int NAK_INVALID_REQUEST = 0x61;
  private static final int NAK_REMOTE_ACCESS = 0x62;
  private static final int NAK_REMOTE_OPERATION = 0x63;
  private static final int RNR_NAK_CODE_14 = 0x20 | 14;

  @Test
  @Proves({"S1.2.a", "S1.2/SOLICITED", "PS-091"})
  void onlyTheLastPacketOfASolicitedMessageHasTheBit() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      end.qp().postSend(solicited(SendWrs.send(1, end.sge(0, 3 * 256))));
      assertThat(peer.receive(WireFrame.SEND_FIRST).solicited()).isFalse();
      assertThat(peer.receive(WireFrame.SEND_MIDDLE).solicited()).isFalse();
      assertThat(peer.receive(WireFrame.SEND_LAST).solicited()).isTrue();
      end.qp().postSend(solicited(SendWrs.sendImm(2, 1, end.sge(0, 256))));
      assertThat(peer.receive(WireFrame.SEND_ONLY_IMM).solicited()).isTrue();
      end.qp().postSend(solicited(SendWrs.writeImm(3, 1, end, 0, end.sge(0, 3 * 256))));
      assertThat(peer.receive(WireFrame.WRITE_FIRST).solicited()).isFalse();
      assertThat(peer.receive(WireFrame.WRITE_MIDDLE).solicited()).isFalse();
      assertThat(peer.receive(WireFrame.WRITE_LAST_IMM).solicited()).isTrue();
      end.qp().postSend(SendWrs.send(4, end.sge(0, 1)));
      assertThat(peer.receive(WireFrame.SEND_ONLY).solicited()).isFalse();
    }
  }

  @Test
  @Proves({"S1.2/SOLICITED", "PS-091"})
  void requestsWithoutACompletionAtThePeerNeverHaveTheBit() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      SendWr write = SendWrs.write(1, end, 0, end.sge(0, 256));
      SendWr read = SendWrs.read(2, end, 0, end.sge(0, 256));
      SendWr add = SendWrs.fetchAdd(3, end, 0, 1, end.sge(0, 8));
      SendWr[] all = {write, read, add};
      int[] opcodes = {WireFrame.WRITE_ONLY, WireFrame.READ_REQUEST, WireFrame.FETCH_ADD};
      for (int i = 0; i < all.length; i++) {
        SendWr wr = solicited(all[i]);
        WorkRequestException refusal =
            catchThrowableOfType(WorkRequestException.class, () -> end.qp().postSend(wr));
        if (refusal == null) {
          assertThat(peer.receive(opcodes[i]).solicited()).isFalse();
        }
      }
    }
  }

  @Test
  @Proves({"S1.7.1", "S1.7.3"})
  void anEmptyMessageIsOnePacketAndImmediateDataIsBigEndian() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      end.qp().postSend(SendWrs.send(1));
      assertThat(peer.receive(WireFrame.SEND_ONLY).rest()).isEmpty();
      end.qp().postSend(SendWrs.sendImm(2, 0x0102_0304));
      assertThat(peer.receive(WireFrame.SEND_ONLY_IMM).rest()).containsExactly(1, 2, 3, 4);
      end.qp().postSend(SendWrs.write(3, end, 0));
      WireFrame write = peer.receive(WireFrame.WRITE_ONLY);
      assertThat(write.rest()).hasSize(16);
      assertThat(write.word(12)).as("length in the RETH").isZero();
      end.qp().postSend(SendWrs.writeImm(4, 0x0a0b_0c0d, end, 0));
      WireFrame writeImm = peer.receive(WireFrame.WRITE_ONLY_IMM);
      assertThat(writeImm.rest()).hasSize(20);
      assertThat(writeImm.word(16)).isEqualTo(0x0a0b_0c0d);
      end.qp().postSend(SendWrs.read(5, end, 0));
      WireFrame read = peer.receive(WireFrame.READ_REQUEST);
      assertThat(read.word(12)).isZero();

      peer.respond(WireFrame.READ_RESPONSE_ONLY, read.psn(), ACK_SYNDROME);
      for (int i = 1; i <= 5; i++) {
        end.sent(i);
      }
    }
  }

  /** Our choice at S12.9. */
  @Test
  void aRequestThatTheNetworkHasMarkedIsAnsweredByANotificationBeforeItsAck() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      end.postRecv(1, end.sge(0, 8));
      peer.markWhatItSends();
      peer.request(WireFrame.SEND_ONLY, WirePeer.PSN, new byte[] {1, 2, 3, 4});
      WireFrame notification = peer.receive(WireFrame.CNP);
      assertThat(notification.rest()).as("reserved").containsExactly(new byte[16]);
      assertThat(peer.receive(WireFrame.ACK).psn()).isEqualTo(WirePeer.PSN);
      end.received(1);
    }
  }

  @Test
  void aPeerThatIsLikeTheDeviceIsToldAboutItsReceiveBufferWithTheEighthAck() throws IOException {
    TckLink.assumeNativeAccess("DatagramChannel trusts no peer to be like the device");
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      byte[] emptyWrite = new byte[16];
      // With the eighth packet it is also known to be alike.
      for (int i = 0; i < 8; i++) {
        peer.request(WireFrame.WRITE_ONLY, WirePeer.PSN + i, emptyWrite);
        peer.receive(WireFrame.ACK);
      }
      WireFrame told = peer.receive(WireFrame.BUFFER);
      assertThat(told.psn()).isEqualTo(WirePeer.PSN + 7 & 0xff_ffff);
      assertThat(told.word(0)).as("VRBN").isEqualTo(0x5652_424e);
      assertThat(told.word(4)).as("KiB").isGreaterThanOrEqualTo(64);
      peer.request(WireFrame.WRITE_ONLY, WirePeer.PSN + 8, emptyWrite);
      peer.receive(WireFrame.ACK);
      end.assertNothingSent();
    }
  }

  @Test
  void whatAPeerSaysOfItsReceiveBufferCountsOnlyWithThePsnOfTheLastAck() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      byte[] size = {0x56, 0x52, 0x42, 0x4e, 0, 0, 0x10, 0};
      byte[] ofOthers = {0x56, 0x52, 0x42, 0x4f, 0, 0, 0x20, 0};
      end.qp().postSend(SendWrs.send(1));
      int psn = peer.receive(WireFrame.SEND_ONLY).psn();
      peer.respond(WireFrame.ACK, psn, ACK_SYNDROME);
      end.sent(1);
      peer.request(WireFrame.BUFFER, psn + 1, size);
      peer.request(WireFrame.BUFFER, psn - 1, size);
      peer.request(WireFrame.BUFFER, psn, ofOthers);
      Counters counters = end.context().counters();
      Await.until("all three", () -> counters.get(Counter.DROPPED_MALFORMED) == 1);
      assertThat(counters.get(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(2);
      assertThat(end.qp().dump()).doesNotContain("receive buffer");
      peer.request(WireFrame.BUFFER, psn, size);
      Await.until("news", () -> end.qp().dump().contains("its receive buffer has 4194304 bytes"));
    }
  }

  @Test
  @Proves("S1.5.8")
  void sendsAndWritesCompleteWhenAcknowledged() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      end.qp().postSend(SendWrs.send(1, end.sge(0, 8)));
      int first = peer.receive(WireFrame.SEND_ONLY).psn();
      end.qp().postSend(SendWrs.write(2, end, 0, end.sge(0, 8)));
      int second = peer.receive(WireFrame.WRITE_ONLY).psn();
      end.assertNothingSent();
      peer.respond(WireFrame.ACK, first, ACK_SYNDROME);
      end.sent(1);
      end.assertNothingSent();
      peer.respond(WireFrame.ACK, second, ACK_SYNDROME);
      end.sent(2);
    }
  }

  @Test
  @Proves({"S1.5.8", "S1.5.5", "S1.5.2"})
  void aReadCompletesWithItsLastByte() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      end.qp().postSend(SendWrs.read(1, end, 4096, end.sge(0, 300)));
      int psn = peer.receive(WireFrame.READ_REQUEST).psn();
      end.qp().postSend(SendWrs.send(2));
      peer.receive(WireFrame.SEND_ONLY);
      byte[] data = new byte[256];
      Arrays.fill(data, (byte) 7);
      peer.respond(WireFrame.READ_RESPONSE_FIRST, psn, ACK_SYNDROME, data);
      Await.until("the first response", () -> packetsReceived(end) >= 1);
      end.assertNothingSent();
      peer.respond(WireFrame.READ_RESPONSE_LAST, psn + 1, ACK_SYNDROME, new byte[44]);
      assertThat(end.sent(1).byteLen()).isEqualTo(300);
      end.assertNothingSent();
      peer.respond(WireFrame.ACK, psn + 2, ACK_SYNDROME);
      end.sent(2);
    }
  }

  @Test
  @Proves("S1.6/13")
  void responsesThatDoNotFitTheRequestAreErrors() throws IOException {
    for (boolean wrongOpcode : new boolean[] {true, false}) {
      try (WirePeer peer = WirePeer.open()) {
        QpEnd end = peer.end();
        end.postRecv(5);
        end.qp().postSend(SendWrs.read(1, end, 4096, end.sge(0, 100)).sendFlags(0));
        int psn = peer.receive(WireFrame.READ_REQUEST).psn();
        end.qp().postSend(SendWrs.send(2).sendFlags(0));
        if (wrongOpcode) {
          peer.respond(WireFrame.ATOMIC_ACK, psn, ACK_SYNDROME, new byte[8]);
        } else {
          peer.respond(WireFrame.READ_RESPONSE_ONLY, psn, ACK_SYNDROME, new byte[104]);
        }
        end.awaitSend(1, WcStatus.BAD_RESP_ERR);
        end.awaitSend(2, WcStatus.WR_FLUSH_ERR);
        end.awaitRecv(5, WcStatus.WR_FLUSH_ERR);
        end.awaitState(QpState.ERR);
        end.assertNothingSent();
        assertThat(end.bytes(100, 8)).containsOnly(0);
      }
    }
  }

  @Test
  @Proves({"S1.6/06", "S1.6/09", "S1.6/10"})
  void negativeAcknowledgementsBecomeTheirStatus() throws IOException {
    int[] syndromes = {NAK_INVALID_REQUEST, NAK_REMOTE_ACCESS, NAK_REMOTE_OPERATION};
    WcStatus[] statuses = {WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR, WcStatus.REM_OP_ERR};
    for (int i = 0; i < syndromes.length; i++) {
      try (WirePeer peer = WirePeer.open()) {
        QpEnd end = peer.end();
        end.qp()
            .postSend(
                SendWrs.list(
                    SendWrs.send(1), SendWrs.send(2).sendFlags(0), SendWrs.send(3).sendFlags(0)));
        peer.receive(WireFrame.SEND_ONLY);
        int failing = peer.receive(WireFrame.SEND_ONLY).psn();
        peer.receive(WireFrame.SEND_ONLY);
        peer.respond(WireFrame.ACK, failing, syndromes[i]);
        end.sent(1);
        end.awaitSend(2, statuses[i]);
        end.awaitSend(3, WcStatus.WR_FLUSH_ERR);
        end.awaitState(QpState.ERR);
      }
    }
  }

  @Test
  @Proves("S1.6/10")
  void packetsOutOfSequenceAreInvalidRequests() throws IOException {
    for (int opcode : new int[] {WireFrame.SEND_MIDDLE, WireFrame.SEND_LAST}) {
      try (WirePeer peer = WirePeer.open()) {
        QpEnd end = peer.end();
        end.postRecv(5, end.sge(0, 1024));
        peer.request(opcode, WirePeer.PSN, new byte[256]);
        WireFrame nak = peer.receive(WireFrame.ACK);
        assertThat(nak.syndrome()).isEqualTo(NAK_INVALID_REQUEST);
        assertThat(nak.psn()).isEqualTo(WirePeer.PSN);
        end.awaitState(QpState.ERR);
        assertThat(end.awaitRecv(5).status()).isNotEqualTo(WcStatus.SUCCESS);
      }
    }
  }

  @Test
  @Proves("S3.2.1")
  void aSendWithoutReceiveIsNotReadyAndDoesNotCount() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      for (int i = 0; i < 2; i++) {
        peer.request(WireFrame.SEND_ONLY, WirePeer.PSN, new byte[] {1, 2, 3, 4});
        assertNotReady(peer.receive(WireFrame.ACK), WirePeer.PSN);
      }
      end.postRecv(1, end.sge(0, 8));
      peer.request(WireFrame.SEND_ONLY, WirePeer.PSN, new byte[] {1, 2, 3, 4});
      WireFrame ack = peer.receive(WireFrame.ACK);
      assertThat(ack.psn()).isEqualTo(WirePeer.PSN);
      assertThat(ack.syndrome()).isLessThan(0x20);
      assertThat(end.received(1).byteLen()).isEqualTo(4);
      assertThat(end.bytes(0, 4)).containsExactly(1, 2, 3, 4);
      end.assertNothingReceived();
    }
  }

  @Test
  @Proves("S3.2.1")
  void aWriteWithImmediateNeedsItsReceiveAtTheLastPacket() throws IOException {
    try (WirePeer peer = WirePeer.open()) {
      QpEnd end = peer.end();
      byte[] first = new byte[16 + 256];
      Arrays.fill(first, (byte) 9);
      ByteBuffer.wrap(first).putLong(end.addr(0)).putInt(end.rkey()).putInt(260);
      byte[] last = {0, 0, 0, 42, 8, 8, 8, 8};
      int lastPsn = 0; // PSN 0xffffff is followed by 0.

      peer.request(WireFrame.WRITE_FIRST, WirePeer.PSN, first);
      WireFrame firstAck = peer.receive(WireFrame.ACK);
      assertThat(firstAck.syndrome()).isLessThan(0x20);
      peer.request(WireFrame.WRITE_LAST_IMM, lastPsn, last);
      assertNotReady(peer.receive(WireFrame.ACK), lastPsn);
      assertThat(end.bytes(0, 256)).containsOnly(9);

      end.postRecv(1);
      peer.request(WireFrame.WRITE_LAST_IMM, lastPsn, last);
      assertThat(peer.receive(WireFrame.ACK).psn()).isEqualTo(lastPsn);
      assertThat(end.received(1).immData()).isEqualTo(42);
      assertThat(end.bytes(256, 4)).containsOnly(8);
    }
  }

  private static void assertNotReady(WireFrame frame, int psn) {
    assertThat(frame.syndrome()).isEqualTo(RNR_NAK_CODE_14);
    assertThat(frame.psn()).isEqualTo(psn);
  }

  private static SendWr solicited(SendWr wr) {
    return wr.sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED);
  }

  private static long packetsReceived(QpEnd end) {
    return end.context().counters().get(Counter.PACKETS_RECEIVED);
  }
}
