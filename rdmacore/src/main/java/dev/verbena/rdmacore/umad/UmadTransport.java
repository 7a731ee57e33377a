package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.verbs.spi.MadTransport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A transport through a port opened by libibumad.
 *
 * <p>The kernel's own services are switched off: agents are registered without RMPP, so that
 * segments are sent and received one by one, and nothing is repeated. But the kernel does match
 * responses with requests: it keeps a request for as long as a response is useful, delivers a
 * response only to the agent that sent the request, and sets the upper half of transaction IDs to
 * distinguish agents.
 *
 * <p>A waiting thread checks for {@link #close} and interrupts every {@value #SLICE_MS} ms.
 */
final class UmadTransport implements MadTransport {
  private static final int SLICE_MS = 50;
  private static final byte NO_RMPP = 0;
  private static final long NANOS_PER_MS = 1_000_000;

  private final String name;
  private final int portNum;
  private final int port;
  private final Arena arena;
  private final Agents agents;
  private final ReentrantLock sending = new ReentrantLock();
  private final ReentrantLock receiving = new ReentrantLock();
  private final Buffer out;
  private final Buffer in;
  private volatile boolean closed;

  /** Memory for the arguments of a call. */
  private record Buffer(MemorySegment error, MemorySegment umad, MemorySegment length) {
    static Buffer in(Arena arena) {
      return new Buffer(
          UmadNative.errorBuffer(arena),
          arena.allocate(IbUserMad.LAYOUT.size() + Iba.MAD_LENGTH, Long.BYTES),
          arena.allocate(ValueLayout.JAVA_INT));
    }

    MemorySegment mad() {
      return umad.asSlice(IbUserMad.LAYOUT.size(), Iba.MAD_LENGTH);
    }
  }

  private UmadTransport(String node, int portNum, int port, Arena arena) {
    this.name = node + "/" + portNum;
    this.portNum = portNum;
    this.port = port;
    this.arena = arena;
    this.out = Buffer.in(arena);
    this.in = Buffer.in(arena);
    this.agents = new Agents(this::register);
  }

  /**
   * Opens a port.
   *
   * @throws VerbsException EINVAL or ENODEV if there is no such port, EACCES if this process may
   *     not use it, ENOSYS if the kernel is too old
   */
  static UmadTransport open(String node, int portNum) {
    String function = "umad_open_port";
    Arena arena = Arena.ofShared();
    int port;
    try {
      port = UmadNative.openPort(UmadNative.errorBuffer(arena), arena.allocateFrom(node), portNum);
      if (port < 0) {
        throw new VerbsException(
            function, -port, "port " + portNum + " of " + node + " cannot be opened" + hint(-port));
      }
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
    UmadTransport transport = new UmadTransport(node, portNum, port, arena);
    long header = UmadNative.size();
    if (header != IbUserMad.LAYOUT.size()) {
      transport.close();
      throw new VerbsException(
          function,
          Errno.ENOSYS,
          "the kernel's datagrams of "
              + node
              + " have a header of "
              + header
              + " bytes, without P_Key index; this library needs one of "
              + IbUserMad.LAYOUT.size()
              + ", which Linux has since 2.6.24");
    }
    return transport;
  }

  private static String hint(int errno) {
    return errno == Errno.EACCES || errno == Errno.EPERM
        ? ": this process may not open its /dev/infiniband/umad file"
        : "";
  }

  @Override
  public void send(MadAddress to, MemorySegment mad, Duration answerWithin) {
    if (mad.byteSize() != Iba.MAD_LENGTH) {
      throw new VerbsException(
          "umad_send",
          Errno.EINVAL,
          "a MAD has " + Iba.MAD_LENGTH + " bytes, this one " + mad.byteSize());
    }
    sending.lock();
    try {
      if (closed) {
        throw new ObjectClosedException("umad_send", name);
      }
      MemorySegment.copy(mad, 0, out.mad(), 0, Iba.MAD_LENGTH);
      UmadAddress.write(to, out.umad());
      int agent = agents.toSend(out.mad());
      int result =
          UmadNative.send(
              out.error(), port, agent, out.umad(), Iba.MAD_LENGTH, milliseconds(answerWithin));
      if (result < 0) {
        throw new VerbsException(
            "umad_send", -result, name + " does not send to " + target(to.route()));
      }
    } finally {
      sending.unlock();
    }
  }

  @Override
  public @Nullable MadAddress receive(MemorySegment into, Duration timeout)
      throws InterruptedException {
    long begin = System.nanoTime();
    receiving.lockInterruptibly();
    try {
      long left = nanos(timeout);
      while (!closed) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        int wait = Math.clamp((left + NANOS_PER_MS - 1) / NANOS_PER_MS, 0, SLICE_MS);
        if (isReady(wait) && take(into)) {
          return UmadAddress.read(in.umad(), portNum);
        }
        left = nanos(timeout) - (System.nanoTime() - begin);
        if (left <= 0) {
          return null;
        }
      }
      return null;
    } finally {
      receiving.unlock();
    }
  }

  /** Whether a datagram arrived within {@code waitMs} milliseconds. */
  private boolean isReady(int waitMs) {
    int result = UmadNative.poll(in.error(), port, waitMs);
    return switch (-result) {
      case Errno.ETIMEDOUT, Errno.EINTR -> false;
      default -> {
        check("umad_poll", result);
        yield true;
      }
    };
  }

  /**
   * Reads a datagram.
   *
   * @return false if there is none, or if it is one of ours that comes back unanswered: the sender
   *     has its own timeout
   */
  private boolean take(MemorySegment into) {
    in.length().set(ValueLayout.JAVA_INT, 0, Iba.MAD_LENGTH);
    int result = UmadNative.recv(in.error(), port, in.umad(), in.length());
    if (result == -Errno.EAGAIN || result == -Errno.EINTR) {
      return false;
    }
    check("umad_recv", result);
    if (in.umad().get(ValueLayout.JAVA_INT, IbUserMad.STATUS) != 0) {
      return false;
    }
    MemorySegment.copy(in.mad(), 0, into, 0, Iba.MAD_LENGTH);
    agents.received(into, in.umad().get(ValueLayout.JAVA_INT, IbUserMad.AGENT_ID));
    return true;
  }

  /** Registers an agent; called while sending. */
  private int register(int mgmtClass, int classVersion) {
    int agent = UmadNative.register(out.error(), port, mgmtClass, classVersion, NO_RMPP);
    if (agent < 0) {
      throw new VerbsException(
          "umad_register",
          -agent,
          name
              + " accepts no agent of management class "
              + mgmtClass
              + ", version "
              + classVersion);
    }
    return agent;
  }

  private static String target(AhAttr route) {
    return route.isGlobal() ? "GID " + route.dgid() : "LID " + route.dlid();
  }

  private void check(String function, int result) {
    if (result < 0) {
      throw new VerbsException(function, -result, name + " stopped receiving");
    }
  }

  @Override
  public void close() {
    closed = true;
    receiving.lock();
    sending.lock();
    try {
      if (arena.scope().isAlive()) {
        UmadNative.closePort(out.error(), port);
        arena.close();
      }
    } finally {
      sending.unlock();
      receiving.unlock();
    }
  }

  @Override
  public String toString() {
    return "umad port " + name;
  }

  /** Milliseconds, rounded up so that a timely response is not refused. */
  private static int milliseconds(Duration duration) {
    return Math.clamp((nanos(duration) + NANOS_PER_MS - 1) / NANOS_PER_MS, 0, Integer.MAX_VALUE);
  }

  /** Nanoseconds, at most a day, so that nothing overflows. */
  private static long nanos(Duration duration) {
    Duration day = Duration.ofDays(1);
    return (duration.compareTo(day) > 0 ? day : duration).toNanos();
  }
}
