package dev.verbena.tck.transport;

import dev.verbena.tck.kit.Namespace;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.Mtu;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * In its own network namespace, two devices communicate, and an off-path attacker who knows their
 * addresses tells the host that the path takes small packets only. Arguments: the two addresses.
 */
final class ForgedIcmp {
  private static final int SIZE = 1 << 15;
  private static final int ROCE_PORT = 4791;
  private static final int SMALLEST_IPV4 = 600;
  private static final int SMALLEST_IPV6 = 1280;
  private static final int DATAGRAM = 4096;

  /**
   * A transfer's packets are no fewer runs: two of a WRITE and its ACK, a request and its answer.
   */
  private static final int RUNS = 5;

  private ForgedIcmp() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    for (String address : args) {
      if (address.contains(":")) {
        Namespace.address(address + "/128", "lo");
      }
    }
    InetAddress here = InetAddress.getByName(args[0]);
    InetAddress there = InetAddress.getByName(args[1]);
    boolean ipv4 = !args[0].contains(":");
    try (Context left = open(args[0]);
        Context right = open(args[1])) {
      QpPair pair = connect(left, right);
      transfer(pair, 1);
      send(ipv4, here, there);
      send(ipv4, there, here);
      transfer(pair, 2);
      if (ipv4) {
        requireUnfragmentableWithoutId(pair);
      }
      transfer(connect(left, right), 3);
    }
    System.out.println("the way is as wide as before");
  }

  private static Context open(String address) {
    return Devices.open(DeviceSpec.soft(address).link(LinkKind.UDP));
  }

  private static QpPair connect(Context left, Context right) {
    // No time-out, since on a busy computer one may come without loss. A path that became narrow
    // loses every large packet, and then the transfer does not end.
    PairSetup setup = PairSetup.on(TckLink.UDP).mtu(Mtu.MTU_4096).timeout(0);
    QpPair pair = new QpPair(setup.end(left, left.allocPd()), setup.end(right, right.allocPd()));
    setup.connect(pair);
    return pair;
  }

  /** A WRITE and a READ in packets as large as the path takes. */
  private static void transfer(QpPair pair, int seed) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    byte[] data = left.fill(0, SIZE, seed);
    left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, SIZE)));
    left.sent(1);
    left.qp().postSend(SendWrs.read(2, right, 0, left.sge(SIZE, SIZE)));
    left.sent(2);
    if (!Arrays.equals(left.bytes(SIZE, SIZE), data)) {
      throw new AssertionError("other bytes came back");
    }
    for (QpEnd end : new QpEnd[] {left, right}) {
      if (end.context().counters().get(Counter.DROPPED_ICRC) != 0) {
        throw new AssertionError("wrong ICRCs in transfer " + seed);
      }
    }
  }

  /**
   * Checks what the ICRC of IPv4 packets assumes: don't-fragment, and ID 0 in each packet, or in
   * the first of a run, which the listener sees as one.
   */
  private static void requireUnfragmentableWithoutId(QpPair pair) throws IOException {
    try (RawSocketNative listener = new RawSocketNative(true, RawSocketNative.UDP)) {
      transfer(pair, 4);
      for (int i = 0; i < RUNS; i++) {
        ByteBuffer header = ByteBuffer.wrap(listener.receive());
        if (header.getShort(4) != 0 || header.getShort(6) != 0x4000) {
          throw new AssertionError("a packet with an ID or without don't-fragment");
        }
      }
    }
  }

  private static void send(boolean ipv4, InetAddress from, InetAddress to) throws IOException {
    try (RawSocketNative socket =
        new RawSocketNative(ipv4, ipv4 ? RawSocketNative.ICMP : RawSocketNative.ICMPV6)) {
      socket.send(ipv4 ? fragmentationNeeded(from, to) : packetTooBig(from, to), from);
    }
  }

  /** ICMP type 3, code 4, about a datagram from one address to the other. */
  private static byte[] fragmentationNeeded(InetAddress from, InetAddress to) {
    ByteBuffer message = ByteBuffer.allocate(8 + 20 + 8);
    message.put((byte) 3).put((byte) 4).putShort((short) 0).putShort((short) 0);
    message.putShort((short) SMALLEST_IPV4);
    message.put((byte) 0x45).put((byte) 0).putShort((short) DATAGRAM).putShort((short) 0);
    message.putShort((short) 0x4000).put((byte) 64).put((byte) 17).putShort((short) 0);
    message.put(from.getAddress()).put(to.getAddress());
    message.putShort(18, checksum(message, 8, 20));
    datagram(message);
    message.putShort(2, checksum(message, 0, message.capacity()));
    return message.array();
  }

  /** ICMPv6 type 2; the kernel fills in its checksum. */
  private static byte[] packetTooBig(InetAddress from, InetAddress to) {
    ByteBuffer message = ByteBuffer.allocate(8 + 40 + 8);
    message.put((byte) 2).put((byte) 0).putShort((short) 0).putInt(SMALLEST_IPV6);
    message.putInt(6 << 28).putShort((short) DATAGRAM).put((byte) 17).put((byte) 64);
    message.put(from.getAddress()).put(to.getAddress());
    datagram(message);
    return message.array();
  }

  private static void datagram(ByteBuffer message) {
    message.putShort((short) ROCE_PORT).putShort((short) ROCE_PORT);
    message.putShort((short) DATAGRAM).putShort((short) 0);
  }

  private static short checksum(ByteBuffer bytes, int from, int length) {
    int sum = 0;
    for (int i = from; i < from + length; i += Short.BYTES) {
      sum += bytes.getShort(i) & 0xffff;
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return (short) ~sum;
  }
}
