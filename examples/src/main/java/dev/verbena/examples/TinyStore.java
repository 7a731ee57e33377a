package dev.verbena.examples;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.RemoteRegion;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * The key-value store of docs/guide.md, as small as it can be: a key has one slot, which another
 * key may overwrite, and one client writes at a time. {@link KeyValueStore} does without these
 * limits.
 */
public final class TinyStore {
  private static final int SLOTS = 1024;
  private static final int SLOT = 64;

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(TinyStore::serve, (device, server) -> talk(device, server, System.out), args);
  }

  static void serve(String device, ConnectionListener listener) throws IOException {
    try (Context ctx = Devices.open(device)) {
      ProtectionDomain pd = ctx.allocPd();
      MemoryRegion table = pd.allocMr(SLOTS * SLOT, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
      QpInitAttr attr = QpInitAttr.rc(ctx.createCq(1));
      listener.serve(
          request -> {
            try (QueuePair qp = pd.createQp(attr);
                Connection connection =
                    request.accept(ConnParam.of(qp, REMOTE_READ, REMOTE_WRITE).region(table))) {
              connection.awaitEnd();
            }
          });
    }
  }

  static void talk(String device, InetSocketAddress server, PrintStream out) throws IOException {
    try (Context ctx = Devices.open(device);
        Client client = new Client(ctx, server)) {
      client.put("verbena", "a herb");
      client.put("verbena", "RDMA verbs for Java");
      out.println("verbena: " + client.get("verbena").orElse("nothing"));
      out.println("sockets: " + client.get("sockets").orElse("nothing"));
    }
  }

  static final class Client implements AutoCloseable {
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion slot;
    private final Connection connection;

    Client(Context ctx, InetSocketAddress server) throws IOException {
      ProtectionDomain pd = ctx.allocPd();
      cq = ctx.createCq(4, ctx.createCompChannel());
      qp = pd.createQp(QpInitAttr.rc(cq));
      slot = pd.allocMr(SLOT, LOCAL_WRITE);
      connection = Connection.connect(server, ConnParam.of(qp));
    }

    void put(String key, String value) {
      slot.memory().fill((byte) 0).setString(0, key + "=" + value);
      call(WrOpcode.RDMA_WRITE, key);
    }

    Optional<String> get(String key) {
      call(WrOpcode.RDMA_READ, key);
      String pair = slot.memory().getString(0);
      boolean found = pair.startsWith(key + "=");
      return found ? Optional.of(pair.substring(key.length() + 1)) : Optional.empty();
    }

    /** Moves a slot: to the table by a WRITE, from it by a READ. */
    private void call(WrOpcode opcode, String key) {
      RemoteRegion table = connection.region();
      long offset = (long) SLOT * Math.floorMod(key.hashCode(), SLOTS);
      SendWr wr = new SendWr().opcode(opcode).sgList(slot.sge()).sendFlags(SendFlags.SIGNALED);
      qp.postSend(wr.remoteAddr(table.addr(offset, SLOT)).rkey(table.rkey()));
      Completions.await(cq, Duration.ofSeconds(10));
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  private TinyStore() {}
}
