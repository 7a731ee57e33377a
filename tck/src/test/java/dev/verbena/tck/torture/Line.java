package dev.verbena.tck.torture;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The side channel of a lane whose ends are in two processes: short frames over TCP, without
 * waiting.
 */
final class Line implements Closeable {
  /** Most bytes of a frame. */
  private static final int MOST = 1 << 10;

  private final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocate(Integer.BYTES + MOST);
  private boolean broken;

  Line(SocketChannel channel) throws IOException {
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
  }

  /** Connects to a listening process. */
  static Line to(SocketAddress address) {
    try {
      return new Line(SocketChannel.open(address));
    } catch (IOException e) {
      throw new UncheckedIOException("no target process at " + address, e);
    }
  }

  /** Sends a frame; does nothing if the other end has hung up. */
  void send(byte[] frame) {
    if (frame.length > MOST) {
      throw new IllegalArgumentException("a frame of " + frame.length + " bytes, not " + MOST);
    }
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + frame.length);
    out.putInt(frame.length).put(frame).flip();
    try {
      channel.write(out);
    } catch (IOException e) {
      broken = true;
      return;
    }
    if (out.hasRemaining()) {
      // One frame at a time is under way, and any socket buffer holds that.
      throw new IllegalStateException("the side channel takes no " + frame.length + " bytes");
    }
  }

  /** The next frame, if it has arrived. */
  @Nullable DataInputStream receive() {
    look();
    if (in.position() < Integer.BYTES || in.position() < Integer.BYTES + in.getInt(0)) {
      return null;
    }
    byte[] frame = new byte[in.getInt(0)];
    in.flip().position(Integer.BYTES);
    in.get(frame);
    in.compact();
    return new DataInputStream(new ByteArrayInputStream(frame));
  }

  /** Whether the other end has hung up by now. */
  boolean isBroken() {
    look();
    return broken;
  }

  /** Takes what has arrived, up to a frame and its length. */
  private void look() {
    try {
      broken |= channel.read(in) < 0;
    } catch (IOException e) {
      broken = true;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
