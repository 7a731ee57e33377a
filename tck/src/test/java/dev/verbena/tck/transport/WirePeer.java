package dev.verbena.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.WireFrame;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpEndpoint;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * A device with one queue pair whose peer is a bare UDP socket: it sees every packet, and answers
 * with what the test wants. The queue pair never repeats a request, and the device does not check
 * the ICRC.
 */
final class WirePeer implements AutoCloseable {
  /** Path MTU of the connection. */
  static final Mtu MTU = Mtu.MTU_256;

  /** Queue pair number and start PSN of the peer. */
  static final int QPN = 0x1234;

  /** First PSN that the peer sends. */
  static final int PSN = 0x00ff_ffff;

  private static final int ROCE_PORT = 4791;
  private static final int CONGESTION_EXPERIENCED = 3;
  private static final int NO_TIMEOUT = 0;
  private static final int RNR_TIMER_CODE = 14;

  private final DatagramSocket socket;
  private final QpEnd end;
  private final InetAddress deviceAddress;

  private WirePeer(DatagramSocket socket, QpEnd end, InetAddress deviceAddress) {
    this.socket = socket;
    this.end = end;
    this.deviceAddress = deviceAddress;
  }

  /** A connected device and its peer. */
  static WirePeer open() throws IOException {
    assumeThat(TckLink.selected()).as("links that are tested").contains(TckLink.UDP);
    String device = Addresses.next();
    InetAddress address = InetAddress.getByName(Addresses.next());
    DatagramSocket socket = new DatagramSocket(ROCE_PORT, address);
    socket.setSoTimeout((int) Await.DEADLINE.toMillis());
    try {
      Context context = Devices.open(DeviceSpec.soft(device).link(LinkKind.UDP).icrc(false));
      try {
        PairSetup setup =
            PairSetup.on(TckLink.UDP).mtu(MTU).timeout(NO_TIMEOUT).minRnrTimer(RNR_TIMER_CODE);
        QpEnd end = setup.end(context, context.allocPd());
        setup.connect(end.qp(), new QpEndpoint(QPN, PSN, Gid.of(address), 0, MTU));
        return new WirePeer(socket, end, InetAddress.getByName(device));
      } catch (RuntimeException | Error failure) {
        context.close();
        throw failure;
      }
    } catch (RuntimeException | Error failure) {
      socket.close();
      throw failure;
    }
  }

  /** The device's end. */
  QpEnd end() {
    return end;
  }

  /** The next packet from the device; it must have this opcode. */
  WireFrame receive(int opcode) throws IOException {
    byte[] buffer = new byte[8192];
    DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
    socket.receive(packet);
    WireFrame frame = WireFrame.parse(ByteBuffer.wrap(buffer, 0, packet.getLength()));
    assertThat(frame.opcode()).as("opcode of %s", frame).isEqualTo(opcode);
    assertThat(frame.destQp()).as("destination of %s", frame).isEqualTo(QPN);
    return frame;
  }

  /** Sends a request to the device. */
  void request(int opcode, int psn, byte... rest) throws IOException {
    send(WireFrame.request(opcode, end.qp().qpNum(), psn, rest));
  }

  /** Answers the device with an AETH and a payload. */
  void respond(int opcode, int psn, int syndrome, byte... payload) throws IOException {
    send(WireFrame.response(opcode, end.qp().qpNum(), psn, syndrome, payload));
  }

  /** From now on all it sends arrives as if the network had marked it (ECN). */
  void markWhatItSends() throws IOException {
    TckLink.UDP.assumeReceivedIpHeaders();
    socket.setTrafficClass(CONGESTION_EXPERIENCED);
  }

  private void send(WireFrame frame) throws IOException {
    byte[] bytes = frame.toBytes();
    socket.send(new DatagramPacket(bytes, bytes.length, deviceAddress, ROCE_PORT));
  }

  @Override
  public void close() {
    end.context().close();
    socket.close();
  }
}
