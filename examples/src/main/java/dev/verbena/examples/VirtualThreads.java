package dev.verbena.examples;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.ConnectionRequest;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A server of several clients with a virtual thread for each, which reads like a program for one
 * client. Each has a completion queue of its own and waits for it, without holding a processor. The
 * end of the client ends that wait, too: it closes the connection, which completes the receives of
 * its queue pair with WR_FLUSH_ERR.
 */
public final class VirtualThreads {
  private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(
        VirtualThreads::serve,
        (device, server) -> Talkers.talk(device, server, 4, 50, System.out),
        args);
  }

  static void serve(String device, ConnectionListener listener) throws IOException {
    try (Context ctx = Devices.open(device)) {
      ProtectionDomain pd = ctx.allocPd();
      listener.serve(client -> converse(pd, client));
    }
  }

  private static void converse(ProtectionDomain pd, ConnectionRequest client) throws IOException {
    try (CompletionChannel channel = pd.context().createCompChannel();
        CompletionQueue cq = pd.context().createCq(2 * Session.DEPTH, channel);
        Session session = new Session(pd, cq)) {
      Connection connection = session.accept(client).closeOnEnd();
      answer(session, cq);
      // Throws if the client has gone instead of ending the connection.
      connection.awaitEnd();
    }
  }

  /** Answers texts until the queue pair is flushed. */
  private static void answer(Session session, CompletionQueue cq) {
    try {
      while (true) {
        session.answer(Completions.await(cq, FOR_EVER));
      }
    } catch (WcException e) {
      if (e.workCompletion().status() != WcStatus.WR_FLUSH_ERR) {
        throw e;
      }
    }
  }

  private VirtualThreads() {}
}
