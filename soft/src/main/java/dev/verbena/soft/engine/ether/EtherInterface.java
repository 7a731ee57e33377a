package dev.verbena.soft.engine.ether;

import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Perseverance;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.link.EtherLink;
import dev.verbena.soft.queue.Guard;
import java.lang.foreign.MemorySegment;

/**
 * A network interface of a port, with the thread that receives from it once there is a rule,
 * because no other thread waits for this socket.
 */
final class EtherInterface implements EtherWire, Runnable, EtherLink.Receiver {
  private static final int BATCH = 64;
  private static final long IDLE_NANOS = 1_000_000_000;

  private final Failures failures;
  private final EtherLink link;
  private final EtherPort port;
  private final Guard sendGuard;
  private final FrameDispatch dispatch = new FrameDispatch();
  private final Thread thread;
  private boolean started;
  private boolean closed;
  private volatile boolean stopped;

  EtherInterface(Engine engine, EtherLink link, EtherPort port) {
    failures = engine.failures();
    this.link = link;
    this.port = port;
    sendGuard = engine.newGuard(Rank.LINK_TX);
    String name = Engine.threadName(engine.name() + " ether");
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  @Override
  public int maxFrame() {
    return link.maxFrame();
  }

  @Override
  public boolean send(MemorySegment frame, int length, FrameDispatch parsed) {
    sendGuard.enter();
    try {
      return link.send(frame, length);
    } finally {
      sendGuard.exit();
    }
  }

  @Override
  public synchronized void listen(boolean any, boolean promiscuous) {
    if (closed || (!started && !any)) {
      return;
    }
    link.listen(promiscuous);
    if (!started) {
      started = true;
      thread.start();
    }
  }

  @Override
  public void run() {
    new Perseverance(failures, "receiving frames").run(() -> stopped, this::receive);
  }

  private void receive() {
    if (link.receive(this, BATCH) < BATCH && !stopped) {
      link.await(IDLE_NANOS);
    }
  }

  @Override
  public void frame(MemorySegment frame, int length) {
    if (dispatch.begin(frame, length)) {
      port.receive(dispatch);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    stopped = true;
    link.wake();
    if (started) {
      Perseverance.awaitEnd(thread);
    }
    sendGuard.enter();
    try {
      link.close();
    } finally {
      sendGuard.exit();
    }
  }
}
