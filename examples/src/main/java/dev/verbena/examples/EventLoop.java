package dev.verbena.examples;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;

/**
 * A server of several clients on one thread, with a selector for completions and connections alike.
 * All queue pairs share a completion queue, and a completion's queue pair number tells the client.
 * A client has gone when its TCP connection ends; its queue pair would never say so.
 */
public final class EventLoop {
  private static final int MOST_CLIENTS = 64;

  private static final int HANDSHAKE_MILLIS = 10_000;

  /** A closed listener does not end a selection, so look from time to time. */
  private static final int LOOK_MILLIS = 100;

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue cq;
  private final Map<Integer, Session> sessions = new HashMap<>();

  private EventLoop(Context ctx, Selector selector, ServerSocketChannel listener)
      throws IOException {
    this.selector = selector;
    this.listener = listener;
    pd = ctx.allocPd();
    channel = ctx.createCompChannel();
    cq = ctx.createCq(MOST_CLIENTS * 2 * Session.DEPTH, channel);
    channel.registerPoll(selector);
    cq.reqNotify();
    listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
  }

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(
        EventLoop::serve,
        (device, server) -> Talkers.talk(device, server, 4, 50, System.out),
        args);
  }

  static void serve(String device, ServerSocket listener) throws IOException {
    try (Selector selector = Selector.open();
        Context ctx = Devices.open(device)) {
      EventLoop loop = new EventLoop(ctx, selector, listener.getChannel());
      while (!listener.isClosed()) {
        selector.select(loop::ready, LOOK_MILLIS);
      }
    }
  }

  private void ready(SelectionKey key) {
    try {
      if (channel.checkPoll(key) != null) {
        complete();
      } else if (key.attachment() instanceof Session session) {
        leave(session, key);
      } else if (key.channel().equals(listener)) {
        admit();
      }
    } catch (ClosedChannelException e) {
      // The listener was closed, which ends the loop.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void complete() {
    // Arm before polling, so that a completion in between raises another event.
    cq.reqNotify();
    for (WorkCompletion wc : cq.poll(-1)) {
      Session session = sessions.get(wc.qpNum());
      // What fails belongs to a client that has gone, whose connection will end as well.
      if (session != null && wc.isSuccess()) {
        session.answer(wc);
      }
    }
  }

  private void admit() throws IOException {
    SocketChannel peer = listener.accept();
    if (peer == null) {
      return;
    }
    if (sessions.size() == MOST_CLIENTS) {
      peer.close();
      return;
    }
    // The others wait meanwhile, for two messages each way, or for a client that says nothing.
    peer.socket().setSoTimeout(HANDSHAKE_MILLIS);
    try {
      Session session = new Session(pd, cq, peer.socket());
      sessions.put(session.qp().qpNum(), session);
      peer.configureBlocking(false).register(selector, SelectionKey.OP_READ, session);
    } catch (IOException e) {
      peer.close();
      Ends.lost(e);
    }
  }

  private void leave(Session session, SelectionKey key) throws IOException {
    sessions.remove(session.qp().qpNum());
    session.close();
    key.channel().close();
  }
}
