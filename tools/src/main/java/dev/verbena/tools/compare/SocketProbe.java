package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.HdrHistogram.Histogram;

/** The performance of Java's sockets between two processes, over 127.0.0.1. */
enum SocketProbe {
  /** Datagrams there and back, spinning: µs one way, the median. */
  UDP_LATENCY {
    @Override
    Optional<Figure> serve(int bytes, int seconds, IntConsumer port) throws IOException {
      try (DatagramChannel channel = awaitClient(port)) {
        echo(channel, bytes);
      }
      return Optional.empty();
    }

    @Override
    Optional<Figure> measure(int port, int bytes, int seconds) throws IOException {
      try (DatagramChannel channel = visit(port)) {
        Figure figure = pingPong(channel, bytes, seconds);
        channel.write(ByteBuffer.allocate(bytes + 1));
        return Optional.of(figure);
      }
    }
  },

  /** The same over TCP. */
  TCP_LATENCY {
    @Override
    Optional<Figure> serve(int bytes, int seconds, IntConsumer port) throws IOException {
      try (SocketChannel channel = accept(port)) {
        echo(channel, bytes);
      }
      return Optional.empty();
    }

    @Override
    Optional<Figure> measure(int port, int bytes, int seconds) throws IOException {
      try (SocketChannel channel = connect(port)) {
        return Optional.of(pingPong(channel, bytes, seconds));
      }
    }
  },

  /** Bytes in one direction, by TCP: GB/s. */
  TCP_BANDWIDTH {
    @Override
    Optional<Figure> serve(int bytes, int seconds, IntConsumer port) throws IOException {
      try (SocketChannel channel = accept(port)) {
        channel.configureBlocking(true);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        while (channel.read(buffer.clear()) >= 0) {
          // Only the rate matters.
        }
      }
      return Optional.empty();
    }

    @Override
    Optional<Figure> measure(int port, int bytes, int seconds) throws IOException {
      try (SocketChannel channel = connect(port)) {
        channel.configureBlocking(true);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        Pace pace = new Pace(seconds);
        while (pace.goesOn()) {
          buffer.clear();
          while (buffer.hasRemaining()) {
            channel.write(buffer);
          }
          pace.did(1);
        }
        return Optional.of(Figure.of(pace.perSecond() * bytes / 1e9));
      }
    }
  },

  /** Datagrams in one direction, one for each call: millions per second that arrive. */
  UDP_RATE {
    @Override
    Optional<Figure> serve(int bytes, int seconds, IntConsumer port) throws IOException {
      try (DatagramChannel channel = awaitClient(port)) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + 1);
        long first = 0;
        long last = 0;
        long count = 0;
        while (true) {
          if (channel.read(buffer.clear()) <= 0) {
            Thread.onSpinWait();
          } else if (buffer.position() != bytes) {
            break;
          } else {
            last = System.nanoTime();
            first = first == 0 ? last : first;
            count++;
          }
        }
        return Optional.of(Figure.of(count * 1e3 / Math.max(1, last - first)));
      }
    }

    @Override
    Optional<Figure> measure(int port, int bytes, int seconds) throws IOException {
      try (DatagramChannel channel = visit(port)) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        Pace pace = new Pace(seconds);
        while (pace.goesOn()) {
          channel.write(buffer.clear());
          pace.did(1);
        }
        awaitEnd(channel, bytes);
        return Optional.empty();
      }
    }
  },

  /** The same in full GSO buffers, which the receiver gets unsplit: GB/s that arrive. */
  RAW_UDP {
    @Override
    Optional<Figure> serve(int bytes, int seconds, IntConsumer port) {
      return Optional.of(RawUdpNative.receive(seconds, port));
    }

    @Override
    Optional<Figure> measure(int port, int bytes, int seconds) {
      try (RawUdpNative sender = new RawUdpNative(port, bytes)) {
        sender.send();
      }
      return Optional.empty();
    }
  };

  private static final System.Logger LOG = System.getLogger(SocketProbe.class.getName());
  private static final long PATIENCE = 10_000_000_000L;
  private static final int POLLS_PER_CLOCK = 1 << 16;
  private static final int DIGITS = 3;

  /** Reports the port and serves one client. Returns the figure, if this end has it. */
  abstract Optional<Figure> serve(int bytes, int seconds, IntConsumer port) throws IOException;

  /** Measures with a server. Returns the figure, if this end has it. */
  abstract Optional<Figure> measure(int port, int bytes, int seconds) throws IOException;

  /** Its name on the command line. */
  String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static DatagramChannel awaitClient(IntConsumer port) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port.accept(((InetSocketAddress) channel.getLocalAddress()).getPort());
    ByteBuffer hello = ByteBuffer.allocate(1);
    channel.connect(channel.receive(hello));
    channel.write(hello.flip());
    channel.configureBlocking(false);
    return channel;
  }

  private static DatagramChannel visit(int port) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(ByteBuffer.allocate(1));
    channel.read(ByteBuffer.allocate(1));
    channel.configureBlocking(false);
    return channel;
  }

  /** Tells the server to stop, by several datagrams because one may be lost. */
  private static void awaitEnd(DatagramChannel channel, int bytes) throws IOException {
    long deadline = System.nanoTime() + PATIENCE;
    try {
      while (true) {
        channel.write(ByteBuffer.allocate(bytes + 1));
        checkTime(deadline);
      }
    } catch (PortUnreachableException e) {
      LOG.log(Level.DEBUG, "the server has ended", e);
    }
  }

  private static SocketChannel accept(IntConsumer port) throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      port.accept(((InetSocketAddress) listener.getLocalAddress()).getPort());
      return tuned(listener.accept());
    }
  }

  private static SocketChannel connect(int port) throws IOException {
    return tuned(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  private static SocketChannel tuned(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return channel;
  }

  /** Echoes until a message of another size comes, or the end. */
  private static void echo(ByteChannel channel, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + 1);
    while (true) {
      int read = channel.read(buffer.clear());
      if (read == bytes) {
        channel.write(buffer.flip());
      } else if (read != 0) {
        return;
      }
    }
  }

  private static Figure pingPong(ByteChannel channel, int bytes, int seconds) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    Histogram times = new Histogram(DIGITS);
    Pace pace = new Pace(seconds);
    long last = System.nanoTime();
    while (pace.goesOn()) {
      channel.write(buffer.clear());
      int polls = 0;
      buffer.clear();
      while (channel.read(buffer) == 0) {
        if (++polls % POLLS_PER_CLOCK == 0) {
          checkTime(last + PATIENCE);
        }
      }
      long now = System.nanoTime();
      if (pace.counts()) {
        times.recordValue(now - last);
      }
      last = now;
      pace.did(1);
    }
    return Figure.of(times.getValueAtPercentile(50) / 2e3);
  }

  private static void checkTime(long deadline) {
    if (System.nanoTime() - deadline > 0) {
      throw ToolException.failure("the other process does not answer");
    }
  }
}
