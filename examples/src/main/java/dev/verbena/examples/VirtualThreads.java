package dev.verbena.examples;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/**
 * A server of several clients with a virtual thread for each, which reads like a program for one
 * client. Each has a completion queue of its own and waits for it, without holding a processor. To
 * end such a wait from elsewhere, the queue pair is put into the state ERR: that completes its
 * receives, with WR_FLUSH_ERR.
 */
public final class VirtualThreads {
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(
        VirtualThreads::serve,
        (device, server) -> Talkers.talk(device, server, 4, 50, System.out),
        args);
  }

  static void serve(String device, ServerSocket listener) throws IOException {
    try (Context ctx = Devices.open(device)) {
      ProtectionDomain pd = ctx.allocPd();
      Clients.serveEach(listener, client -> converse(pd, client));
    }
  }

  private static void converse(ProtectionDomain pd, Socket client) throws IOException {
    try (CompletionChannel channel = pd.context().createCompChannel();
        CompletionQueue cq = pd.context().createCq(2 * Session.DEPTH, channel);
        Session session = new Session(pd, cq, client)) {
      session.connect();
      Thread.startVirtualThread(() -> endWith(client, session.qp()));
      while (true) {
        session.answer(Completions.await(cq, PATIENCE));
      }
    } catch (WcException e) {
      if (e.workCompletion().status() != WcStatus.WR_FLUSH_ERR) {
        throw e;
      }
    }
  }

  /** Ends the conversation when the client has closed its connection. */
  private static void endWith(Socket client, QueuePair qp) {
    try {
      Clients.awaitEnd(client);
    } catch (IOException e) {
      if (!client.isClosed()) {
        Clients.lost(e);
      }
    }
    Clients.flush(qp);
  }

  private VirtualThreads() {}
}
