package dev.verbena.examples;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients of {@link EventLoop} and {@link VirtualThreads}: each waits for one answer at a time. */
final class Talkers {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Lets several clients say something at once, and prints the last answer of each. */
  static void talk(
      String device, InetSocketAddress server, int clients, int rounds, PrintStream out)
      throws Exception {
    List<Callable<String>> talks = new ArrayList<>();
    for (int i = 1; i <= clients; i++) {
      String name = "client " + i;
      talks.add(() -> talk(device, server, name, rounds));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> last : threads.invokeAll(talks)) {
        out.println(last.get());
      }
    }
  }

  private static String talk(String device, InetSocketAddress server, String name, int rounds)
      throws IOException {
    try (Context ctx = Devices.open(device)) {
      CompletionQueue cq = ctx.createCq(2 * Session.DEPTH, ctx.createCompChannel());
      try (Session session = new Session(ctx.allocPd(), cq)) {
        session.connect(server);
        String answer = "";
        for (int round = 1; round <= rounds; round++) {
          session.send(name + " says " + round);
          answer = await(session, cq);
        }
        return answer;
      }
    }
  }

  private static String await(Session session, CompletionQueue cq) {
    // The SEND has a completion, too, which comes before or after that of the answer.
    Optional<String> answer = Optional.empty();
    while (answer.isEmpty()) {
      answer = session.take(Completions.await(cq, PATIENCE));
    }
    return answer.get();
  }

  private Talkers() {}
}
