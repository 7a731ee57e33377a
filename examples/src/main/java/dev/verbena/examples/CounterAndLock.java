package dev.verbena.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.connect.ConnectionListener;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several clients count in the memory of a server. A fetch-and-add needs one request and no lock,
 * and whatever else has to be changed as one step is changed under a lock, by a READ and a WRITE.
 * Atomics of a device are atomic among each other only: a word that they change should be changed
 * by nothing else, neither by a WRITE nor by the server's own threads.
 */
public final class CounterAndLock {
  private static final int COUNTER = 0;
  private static final int LOCK = 8;
  private static final int GUARDED = 16;
  private static final int BYTES = 24;

  private static final int CLIENTS = 3;
  private static final int ROUNDS = 100;

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(CounterAndLock::serve, (device, server) -> count(device, server, System.out), args);
  }

  static void serve(String device, ConnectionListener listener) throws IOException {
    try (Context ctx = Devices.open(device)) {
      Clients.offer(RemoteMemory.allocate(ctx, BYTES), listener);
    }
  }

  static void count(String device, InetSocketAddress server, PrintStream out) throws Exception {
    Callable<Void> client = () -> countAlone(device, server);
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      for (Future<Void> ended : threads.invokeAll(Collections.nCopies(CLIENTS, client))) {
        ended.get();
      }
    }
    try (Context ctx = Devices.open(device);
        RemoteMemory memory = new RemoteMemory(ctx, server, Long.BYTES)) {
      // Adding nothing reads the word, and never half of a change.
      out.println("counted by fetch-and-add: " + memory.fetchAndAdd(COUNTER, 0));
      memory.lock(LOCK, RemoteMemory.PATIENCE);
      memory.read(GUARDED, Long.BYTES);
      memory.unlock(LOCK);
      out.println("counted under the lock: " + memory.buffer().get(JAVA_LONG, 0));
    }
  }

  private static Void countAlone(String device, InetSocketAddress server) throws IOException {
    try (Context ctx = Devices.open(device);
        RemoteMemory memory = new RemoteMemory(ctx, server, Long.BYTES)) {
      for (int i = 0; i < ROUNDS; i++) {
        memory.fetchAndAdd(COUNTER, 1);

        memory.lock(LOCK, RemoteMemory.PATIENCE);
        memory.read(GUARDED, Long.BYTES);
        memory.buffer().set(JAVA_LONG, 0, memory.buffer().get(JAVA_LONG, 0) + 1);
        memory.write(GUARDED, Long.BYTES);
        memory.unlock(LOCK);
      }
    }
    return null;
  }

  private CounterAndLock() {}
}
