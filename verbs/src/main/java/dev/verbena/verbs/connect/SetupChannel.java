package dev.verbena.verbs.connect;

import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection beside a connection of queue pairs: it carries the messages of the set-up, and
 * later tells when the other end has ended or gone.
 */
final class SetupChannel implements Closeable {
  /** Until when to wait for the other end. */
  static final class Patience {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final String limit;
    private final boolean bounded;
    private final long end;

    private Patience(String limit, boolean bounded, long end) {
      this.limit = limit;
      this.bounded = bounded;
      this.end = end;
    }

    /** For this time from now. */
    static Patience of(Duration limit) {
      long nanos = TimeUnit.NANOSECONDS.convert(limit);
      // Conversions, unlike Duration's own, end at the largest number: "for ever" is a patience.
      String millis = TimeUnit.MILLISECONDS.convert(limit) + " ms";
      return new Patience(millis, true, System.nanoTime() + nanos);
    }

    static Patience endless() {
      return new Patience("ever", false, 0);
    }

    /** How long it was at the beginning, in words. */
    String limit() {
      return limit;
    }

    /** What is left, as sockets have it: 0 means without end. */
    int millis() throws SocketTimeoutException {
      if (!bounded) {
        return 0;
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException("the time is up");
      }
      // Rounded up: whoever has less than a millisecond looks all the same.
      return (int) Math.min(Math.ceilDiv(left, NANOS_PER_MILLI), Integer.MAX_VALUE);
    }

    void lock(Lock lock) throws IOException {
      try {
        if (!bounded) {
          lock.lockInterruptibly();
        } else if (!lock.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          throw new SocketTimeoutException("the time is up");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted").initCause(e);
      }
    }
  }

  /**
   * Twice what one end ever sends. So all of it has room here, and no write waits for the other
   * end, which may read nothing: reads have a time limit, and writes need none.
   */
  static final int SEND_BUFFER = 2 * SetupMessage.MOST;

  private static final System.Logger LOG = System.getLogger("dev.verbena.verbs.connect");

  private final SocketChannel channel;
  private final SocketAddress peer;

  /** Of a message that arrives piece by piece while nobody waits for it, or not for all of it. */
  private final ByteBuffer arrivedHeader = ByteBuffer.allocate(SetupMessage.HEADER);

  private @Nullable ByteBuffer arrivedBody;

  private SetupChannel(SocketChannel channel, SocketAddress peer) {
    this.channel = channel;
    this.peer = peer;
  }

  /** Takes a TCP connection over, and closes it if it is of no use. */
  static SetupChannel of(SocketChannel channel) throws IOException {
    try {
      // Messages are small, and a computer that has gone should be noticed at some time.
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
      return new SetupChannel(
          channel, Objects.requireNonNull(channel.getRemoteAddress(), "not connected"));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Connects to a listener. */
  static SetupChannel dial(InetSocketAddress listener, Patience patience) throws IOException {
    TcpFailure.requireResolved(listener);
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(listener, patience.millis());
    } catch (IOException e) {
      channel.close();
      throw TcpFailure.at(listener, e);
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
    return of(channel);
  }

  SocketChannel channel() {
    return channel;
  }

  SocketAddress peer() {
    return peer;
  }

  void write(SetupMessage message) throws IOException {
    ByteBuffer bytes = message.encode();
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        throw new IOException(peer + " takes no more");
      }
    }
  }

  /**
   * Writes a message also in a thread that is interrupted, whose writes would close the TCP
   * connection instead. No write waits for the other end.
   */
  void writeEvenIfInterrupted(SetupMessage message) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      write(message);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Reads the message that should come next.
   *
   * @throws IOException if another one comes, or none in time, or if the other end gives up
   */
  SetupMessage read(Kind wanted, Patience patience) throws IOException {
    try {
      ByteBuffer header = receive(SetupMessage.HEADER, patience);
      ByteBuffer body = receive(SetupMessage.bodyLength(header), patience);
      return wanted(wanted, header, body);
    } catch (SocketTimeoutException e) {
      throw late(wanted, patience, e);
    } catch (FormatException e) {
      throw malformed(e);
    }
  }

  /** How bytes are read: how many, 0 if none is there, -1 if no more will come. */
  private interface Source {
    int read(ByteBuffer into) throws IOException;
  }

  /**
   * Whether the message that should come next has arrived as a whole; for a channel that does not
   * block, and one thread at a time.
   *
   * @throws IOException as {@link #read}
   */
  boolean hasArrived(Kind wanted) throws IOException {
    return hasArrived(wanted, channel::read);
  }

  /**
   * Waits for the message that should come next; one thread at a time. What has come of it when the
   * time is up is kept for the next wait.
   *
   * @throws IOException as {@link #read}
   */
  void awaitArrival(Kind wanted, Patience patience) throws IOException {
    try {
      hasArrived(wanted, into -> receive(into, patience));
    } catch (SocketTimeoutException e) {
      throw late(wanted, patience, e);
    }
  }

  private boolean hasArrived(Kind wanted, Source source) throws IOException {
    try {
      if (!isFull(arrivedHeader, source)) {
        return false;
      }
      if (arrivedBody == null) {
        arrivedBody = ByteBuffer.allocate(SetupMessage.bodyLength(arrivedHeader));
      }
      if (!isFull(arrivedBody, source)) {
        return false;
      }
      wanted(wanted, arrivedHeader, arrivedBody.flip());
      return true;
    } catch (FormatException e) {
      throw malformed(e);
    }
  }

  /** Whether what has arrived fills it. */
  private boolean isFull(ByteBuffer bytes, Source source) throws IOException {
    while (bytes.hasRemaining()) {
      int read = source.read(bytes);
      if (read < 0) {
        throw gone();
      }
      if (read == 0) {
        return false;
      }
    }
    return true;
  }

  private IOException malformed(FormatException e) {
    return new IOException(peer + " sent " + e.getMessage(), e);
  }

  private EOFException gone() {
    return new EOFException(peer + " has gone: its TCP connection ended without a word");
  }

  private SetupMessage wanted(Kind wanted, ByteBuffer header, ByteBuffer body) throws IOException {
    SetupMessage message = SetupMessage.decode(header, body);
    if (message.kind() == Kind.REFUSAL) {
      throw new ConnectionRefusedException(peer + " refused, in its words: " + message.reason());
    }
    if (message.kind() != wanted) {
      throw new IOException(peer + " sent " + message.kind() + ", not " + wanted);
    }
    return message;
  }

  /**
   * Takes the lock of those that read this message, if whoever has it gives it up in time.
   *
   * @throws SocketTimeoutException as {@link #read}
   */
  void lock(Lock readers, Kind wanted, Patience patience) throws IOException {
    try {
      patience.lock(readers);
    } catch (SocketTimeoutException e) {
      throw late(wanted, patience, e);
    }
  }

  private SocketTimeoutException late(Kind wanted, Patience patience, SocketTimeoutException e) {
    SocketTimeoutException late =
        new SocketTimeoutException(
            "no " + wanted + " from " + peer + " within " + patience.limit + ": " + wanted.late());
    late.initCause(e);
    return late;
  }

  private ByteBuffer receive(int length, Patience patience) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    isFull(bytes, into -> receive(into, patience));
    return bytes.flip();
  }

  /** Waits for some bytes. */
  private int receive(ByteBuffer into, Patience patience) throws IOException {
    channel.socket().setSoTimeout(patience.millis());
    InputStream in = channel.socket().getInputStream();
    int read = in.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
    into.position(into.position() + Math.max(read, 0));
    return read;
  }

  /** Tells the other end why this one gives up, if it can, and closes. */
  void giveUp(Throwable reason) {
    if (!(reason instanceof ConnectionRefusedException)) {
      tell(SetupMessage.refusal(words(reason)));
    }
    close();
  }

  /** The message, unless that is missing or only the name of a file. */
  private static String words(Throwable reason) {
    return reason instanceof FileSystemException
        ? reason.toString()
        : Objects.requireNonNullElse(reason.getMessage(), reason.toString());
  }

  /** Sends a message to the other end, unless that has gone and need not be told. */
  private void tell(SetupMessage message) {
    try {
      writeEvenIfInterrupted(message);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, peer + " was not told why", e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the TCP connection to " + peer + " did not close", e);
    }
  }
}
