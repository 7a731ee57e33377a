package dev.verbena.examples;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.ConnectionRequest;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server of several clients on one thread, with a selector for completions and connections alike.
 * All queue pairs share a completion queue, and a completion's queue pair number tells the client.
 * A client has gone when its connection says so; its queue pair never would. Only the handshakes
 * have threads of their own, because they wait for a client, which may be slow.
 */
public final class EventLoop {
  private static final int MOST_CLIENTS = 64;

  private final Selector selector;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue cq;
  private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
  private volatile boolean ended;

  private EventLoop(Context ctx, Selector selector) {
    this.selector = selector;
    pd = ctx.allocPd();
    channel = ctx.createCompChannel();
    cq = ctx.createCq(MOST_CLIENTS * 2 * Session.DEPTH, channel);
    channel.registerPoll(selector);
    cq.reqNotify();
  }

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(
        EventLoop::serve,
        (device, server) -> Talkers.talk(device, server, 4, 50, System.out),
        args);
  }

  static void serve(String device, ConnectionListener listener) throws IOException {
    try (Selector selector = Selector.open();
        Context ctx = Devices.open(device)) {
      EventLoop loop = new EventLoop(ctx, selector);
      var _ = listener.serveAsync(loop::admit).whenComplete((_, _) -> loop.end());
      loop.run();
    }
  }

  private void run() throws IOException {
    while (!ended) {
      selector.select(this::ready);
    }
    for (Session session : sessions.values()) {
      leave(session);
    }
  }

  private void end() {
    ended = true;
    selector.wakeup();
  }

  private void ready(SelectionKey key) {
    if (channel.checkPoll(key) != null) {
      complete();
    } else if (key.attachment() instanceof Session session) {
      checkEnd(session);
    }
  }

  private void checkEnd(Session session) {
    try {
      if (session.hasEnded()) {
        // What it sent last may not have been seen yet.
        complete();
        leave(session);
      }
    } catch (IOException e) {
      Clients.lost(e);
      leave(session);
    }
  }

  private void complete() {
    // Arm before polling, so that a completion in between raises another event.
    cq.reqNotify();
    for (WorkCompletion wc : cq.poll(-1)) {
      Session session = sessions.get(wc.qpNum());
      if (session == null) {
        continue;
      }
      try {
        session.answer(wc);
      } catch (RdmaException e) {
        Clients.lost(e);
        leave(session);
      }
    }
  }

  private void admit(ConnectionRequest client) throws IOException {
    Session session = enter();
    try {
      session.accept(client).registerEnd(selector, session);
      selector.wakeup();
    } catch (IOException | RuntimeException e) {
      leave(session);
      throw e;
    }
  }

  /** The loop knows the session before the client does, so that it misses none of its texts. */
  private synchronized Session enter() throws IOException {
    if (sessions.size() == MOST_CLIENTS) {
      throw new IOException("there are " + MOST_CLIENTS + " clients already");
    }
    Session session = new Session(pd, cq);
    sessions.put(session.qp().qpNum(), session);
    return session;
  }

  private void leave(Session session) {
    session.close();
    sessions.values().remove(session);
  }
}
