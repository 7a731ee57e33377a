package dev.verbena.tck.torture;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Target}s of a process: one for each lane of other processes that call. Used by one
 * thread.
 */
final class TargetServer implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000;

  private final Context context;
  private final ServerSocketChannel listener;
  private final ProtectionDomain pd;
  private final List<Caller> callers = new ArrayList<>();

  /** A line, and the target of its lane once that has said what it needs. */
  private static final class Caller {
    final Line line;
    @Nullable Peer target;

    Caller(Line line) {
      this.line = line;
    }
  }

  private TargetServer(Context context, ServerSocketChannel listener) {
    this.context = context;
    this.listener = listener;
    pd = context.allocPd();
  }

  /**
   * Opens the device of the targets, and listens.
   *
   * @param port TCP port of the side channel on the loopback; 0 for any
   */
  static TargetServer open(DeviceSpec device, int port) throws IOException {
    Context context = Devices.open(device);
    try {
      ServerSocketChannel listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      listener.configureBlocking(false);
      TargetServer server = new TargetServer(context, listener);
      System.out.println("listening on port " + server.port());
      return server;
    } catch (IOException | RuntimeException failure) {
      context.close();
      throw failure;
    }
  }

  /**
   * Serves lanes until something is wrong, or nobody has called for a while.
   *
   * @param patience nanoseconds without a caller after which it ends: whoever has started it may be
   *     dead
   */
  static void run(DeviceSpec device, int port, long patience) throws IOException {
    try (TargetServer server = open(device, port)) {
      long calledAt = System.nanoTime();
      while (System.nanoTime() - calledAt < patience) {
        boolean busy = server.act();
        if (!server.callers.isEmpty()) {
          calledAt = System.nanoTime();
        }
        if (!busy) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  /** TCP port on the loopback. */
  int port() {
    return listener.socket().getLocalPort();
  }

  /** Takes calls, and looks at each line and target; whether one had anything to say. */
  boolean act() throws IOException {
    accept();
    return hearAll();
  }

  private void accept() throws IOException {
    SocketChannel channel = listener.accept();
    if (channel != null) {
      callers.add(new Caller(new Line(channel)));
    }
  }

  private boolean hearAll() throws IOException {
    boolean busy = false;
    for (Iterator<Caller> all = callers.iterator(); all.hasNext(); ) {
      Caller caller = all.next();
      DataInputStream in = caller.line.receive();
      if (in != null) {
        hear(caller, in);
      }
      Peer.Answer answer = caller.target == null ? null : caller.target.answer();
      if (answer != null) {
        caller.line.send(RemotePeer.toBytes(answer));
      }
      busy |= in != null || answer != null;
      if (caller.line.isBroken()) {
        end(caller);
        all.remove();
      }
    }
    return busy;
  }

  private void hear(Caller caller, DataInputStream in) throws IOException {
    if (caller.target == null) {
      int lane = in.readInt();
      caller.target = Target.of(Traffic.read(in), lane, pd);
      System.out.println("a call for lane " + lane);
    } else {
      RemotePeer.pass(in, caller.target);
    }
  }

  private static void end(Caller caller) {
    caller.line.close();
    if (caller.target != null) {
      caller.target.close();
    }
  }

  /**
   * Hangs up, and closes the device, whatever its targets do. In this order, because that may take
   * longer than a peer goes on asking for the answer to a READ, who then must know why none comes.
   */
  @Override
  public void close() {
    callers.forEach(caller -> caller.line.close());
    context.close();
    callers.forEach(TargetServer::end);
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
