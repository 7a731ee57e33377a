package dev.verbena.tools.perf;

import dev.verbena.tools.kit.SideChannel;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.BandwidthResult;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The dialogue of two ends over TCP, byte for byte as perftest's programs have it. In each step the
 * client speaks first, and the server answers with the same step of its own.
 */
final class PerfChannel implements AutoCloseable {
  /** The version of the side channel protocol, as numbered by perftest 4.5. */
  private static final String VERSION = "6.06";

  private static final double OLDEST = 5.70;
  private static final int VERSION_BYTES = 16;
  private static final byte[] DONE = {'d', 'o', 'n', 'e', 0};

  private final SideChannel channel;
  private final boolean client;

  PerfChannel(SideChannel channel, boolean client) {
    this.channel = channel;
    this.client = client;
  }

  /** Checks that both ends use the same version. */
  void exchangeVersions() throws IOException {
    byte[] mine = Arrays.copyOf(VERSION.getBytes(StandardCharsets.US_ASCII), VERSION_BYTES);
    String theirs = text(exchange(mine, "its version"));
    double version;
    try {
      version = Double.parseDouble(theirs);
    } catch (NumberFormatException e) {
      throw new IOException("the peer says '" + theirs + "' where its version was expected", e);
    }
    if (version < OLDEST) {
      throw ToolException.failure(
          "the peer has version %s; versions before %.2f use another protocol"
              .formatted(theirs, OLDEST));
    }
  }

  /** Exchanges a value and returns the larger of this end's and the peer's. */
  int exchangeMost(int mine, String what) throws IOException {
    byte[] message = ByteBuffer.allocate(Integer.BYTES).putInt(mine).array();
    return Math.max(mine, ByteBuffer.wrap(exchange(message, what)).getInt());
  }

  /** Exchanges the path MTU and returns the smaller of this end's and the peer's. */
  Mtu exchangeMtu(Mtu mine) throws IOException {
    byte[] message = {(byte) ('0' + mine.number()), 0};
    byte[] answer = exchange(message, "its MTU");
    try {
      Mtu theirs = Mtu.of(answer[0] - '0');
      return theirs.compareTo(mine) < 0 ? theirs : mine;
    } catch (VerbsException e) {
      throw new IOException(
          "the peer says '" + text(answer) + "' where the code of its MTU was expected", e);
    }
  }

  /**
   * Sends the data of a queue pair and receives the peer's; also makes both ends wait for each
   * other.
   */
  PerfKey exchangeKeys(PerfKey mine) throws IOException {
    return PerfKey.parse(exchange(mine.toMessage(), "its address"));
  }

  /** Sends a result and receives the peer's. */
  BandwidthResult exchangeResults(BandwidthResult mine) throws IOException {
    return new BandwidthResult(
        exchangeLong(mine.size()),
        exchangeLong(mine.iterations()),
        exchangeDouble(mine.peak()),
        exchangeDouble(mine.average()),
        exchangeDouble(mine.messageRate()));
  }

  private long exchangeLong(long mine) throws IOException {
    byte[] message = ByteBuffer.allocate(Long.BYTES).putLong(mine).array();
    return ByteBuffer.wrap(exchange(message, "its result")).getLong();
  }

  private double exchangeDouble(double mine) throws IOException {
    return Double.longBitsToDouble(exchangeLong(Double.doubleToRawLongBits(mine)));
  }

  /** From now on the peer may take its time. */
  void beVeryPatient() throws IOException {
    channel.beVeryPatient();
  }

  /** Tells the peer that everything is done, and waits until the peer says so too. */
  void sayDone(PerfKey mine) throws IOException {
    exchangeKeys(mine);
    channel.send(DONE);
  }

  /** Waits until the peer has everything, too. */
  void part() throws IOException {
    channel.part();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private byte[] exchange(byte[] mine, String what) throws IOException {
    if (client) {
      channel.send(mine);
      return channel.receive(mine.length, what);
    }
    byte[] theirs = channel.receive(mine.length, what);
    channel.send(mine);
    return theirs;
  }

  private static String text(byte[] message) {
    return new String(message, StandardCharsets.ISO_8859_1).replaceAll("\0.*", "").strip();
  }
}
