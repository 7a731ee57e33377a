package dev.verbena.tck.kit;

import dev.verbena.verbs.MacAddress;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Ethernet frames byte by byte, and checksums word by word, without code of the device. */
public final class Frames {
  public static final int IPV4 = 0x0800;
  public static final int IPV6 = 0x86dd;

  /** A type that no protocol of the operating system has, for experiments (IEEE 802). */
  public static final int EXPERIMENT = 0x88b5;

  public static final int TCP = 6;
  public static final int UDP = 17;
  public static final int FIN = 0x01;
  public static final int PSH = 0x08;
  public static final int ACK = 0x10;
  public static final int CWR = 0x80;

  private static final byte[] SRC4 = {10, 0, 0, 1};
  private static final byte[] DST4 = {10, 0, 0, 2};

  /** Concatenates the parts. */
  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Bytes of hexadecimal text. */
  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** A number as two bytes. */
  public static byte[] word(int value) {
    return new byte[] {(byte) (value >> 8), (byte) value};
  }

  /** A number as four bytes. */
  public static byte[] dword(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** An Ethernet header. */
  public static byte[] ethernet(MacAddress dst, MacAddress src, int type) {
    return join(dst.toBytes(), src.toBytes(), word(type));
  }

  /** An Ethernet header with a VLAN tag. */
  public static byte[] tagged(MacAddress dst, MacAddress src, int tci, int type) {
    return join(dst.toBytes(), src.toBytes(), word(0x8100), word(tci), word(type));
  }

  /** An IPv4 header from 10.0.0.1 to 10.0.0.2, without checksum. */
  public static byte[] ipv4(int protocol, int payload) {
    return ipv4(protocol, payload, 0x1234, 0x4000);
  }

  /** An IPv4 header with this identification and these flags, without checksum. */
  public static byte[] ipv4(int protocol, int payload, int id, int fragment) {
    return join(
        hex("4500"),
        word(20 + payload),
        word(id),
        word(fragment),
        new byte[] {64, (byte) protocol},
        word(0),
        SRC4,
        DST4);
  }

  /** An IPv6 header from fd00::1 to fd00::2. */
  public static byte[] ipv6(int next, int payload) {
    byte[] src = new byte[16];
    src[0] = (byte) 0xfd;
    src[15] = 1;
    byte[] dst = src.clone();
    dst[15] = 2;
    return join(hex("60000000"), word(payload), new byte[] {(byte) next, 64}, src, dst);
  }

  /** A TCP header from port 1000 to port 2000, without checksum. */
  public static byte[] tcp(int sequence, int flags) {
    return join(
        word(1000),
        word(2000),
        dword(sequence),
        dword(0x01020304),
        new byte[] {0x50, (byte) flags},
        word(0x7fff),
        word(0),
        word(0));
  }

  /** The headers of an IPoIB packet: IP over InfiniBand, IPv4 and TCP. */
  public static byte[] ipoib(int sequence, int flags) {
    return join(hex("08000000"), ipv4(TCP, 0), tcp(sequence, flags));
  }

  /** A UDP header from port 1000 to port 2000, without checksum. */
  public static byte[] udp(int payload) {
    return join(word(1000), word(2000), word(8 + payload), word(0));
  }

  /** A frame of an unknown protocol. */
  public static byte[] experiment(MacAddress dst, MacAddress src, int length) {
    return Arrays.copyOf(join(ethernet(dst, src, EXPERIMENT), data(length)), length);
  }

  /** Bytes that no program sends by chance. */
  public static byte[] data(int length) {
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      data[i] = (byte) (i * 7 + 1);
    }
    return data;
  }

  /** Two bytes of a frame. */
  public static int word(byte[] frame, int at) {
    return ByteBuffer.wrap(frame).getShort(at) & 0xffff;
  }

  /** Whether the checksum of the IPv4 header at this offset holds. */
  public static boolean isIpv4Valid(byte[] frame, int at) {
    return sum(Arrays.copyOfRange(frame, at, at + 20)) == 0xffff;
  }

  /**
   * Whether the checksum of the TCP or UDP packet in an IPv4 or IPv6 packet without options or
   * extension headers holds.
   */
  public static boolean isUpperValid(byte[] frame, int ip) {
    boolean four = frame[ip] >> 4 == 4;
    int header = four ? 20 : 40;
    int upper = four ? word(frame, ip + 2) - 20 : word(frame, ip + 4);
    byte protocol = frame[ip + (four ? 9 : 6)];
    byte[] addresses =
        four
            ? Arrays.copyOfRange(frame, ip + 12, ip + 20)
            : Arrays.copyOfRange(frame, ip + 8, ip + 40);
    byte[] payload = Arrays.copyOfRange(frame, ip + header, ip + header + upper);
    return sum(join(addresses, dword(upper), new byte[] {0, 0, 0, protocol}, payload)) == 0xffff;
  }

  private static int sum(byte[] bytes) {
    int sum = 0;
    for (int i = 0; i < bytes.length; i += 2) {
      sum += (bytes[i] & 0xff) << 8 | (i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0);
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return sum;
  }

  private Frames() {}
}
