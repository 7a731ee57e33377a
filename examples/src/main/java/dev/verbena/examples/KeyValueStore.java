package dev.verbena.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.connect.ConnectionListener;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A key-value store whose server only registers a table: clients find, read and write its slots by
 * themselves. A writer holds a slot's lock, which is a word that compare-and-swap changes. Readers
 * take no lock, and as a READ may see half of a WRITE, each slot has a checksum that tells.
 */
public final class KeyValueStore {
  private static final int SLOTS = 1024;

  /** A slot is a lock and a pair: the checksum of what follows, a key, a value. */
  private static final int SLOT = 128;

  static final int TABLE_BYTES = SLOTS * SLOT;

  private static final int PAIR_AT = 8;
  private static final int PAIR = SLOT - PAIR_AT;
  private static final int KEY = 8;
  private static final int VALUE = 40;

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(KeyValueStore::serve, (device, server) -> talk(device, server, System.out), args);
  }

  static void serve(String device, ConnectionListener listener) throws IOException {
    try (Context ctx = Devices.open(device)) {
      MemoryRegion table = RemoteMemory.allocate(ctx, TABLE_BYTES);
      for (int slot = 0; slot < SLOTS; slot++) {
        seal(table.memory().asSlice((long) slot * SLOT + PAIR_AT, PAIR));
      }
      Clients.offer(table, listener);
    }
  }

  static void talk(String device, InetSocketAddress server, PrintStream out) throws IOException {
    try (Context ctx = Devices.open(device);
        Client client = new Client(ctx, server)) {
      client.put("verbena", "a herb");
      client.put("verbs", "what an RDMA device does");
      client.put("verbena", "RDMA verbs for Java");
      out.println("verbena: " + client.get("verbena").orElse("nothing"));
      out.println("verbs: " + client.get("verbs").orElse("nothing"));
      out.println("sockets: " + client.get("sockets").orElse("nothing"));
    }
  }

  /** A client, for one thread. */
  static final class Client implements AutoCloseable {
    private final RemoteMemory table;
    private final Duration patience;

    Client(Context ctx, InetSocketAddress server) throws IOException {
      this(ctx, server, RemoteMemory.PATIENCE);
    }

    /** Makes a client that waits for others for a time, as they may have died over their work. */
    Client(Context ctx, InetSocketAddress server, Duration patience) throws IOException {
      table = new RemoteMemory(ctx, server, PAIR);
      this.patience = patience;
    }

    @Override
    public void close() {
      table.close();
    }

    Optional<String> get(String key) {
      for (int step = 0; step < SLOTS; step++) {
        MemorySegment pair = readPair(slot(key, step));
        String found = pair.getString(KEY);
        if (found.equals(key)) {
          return Optional.of(pair.getString(VALUE));
        } else if (found.isEmpty()) {
          break;
        }
      }
      return Optional.empty();
    }

    void put(String key, String value) {
      check("key", key, VALUE - KEY);
      check("value", value, PAIR - VALUE);
      for (int step = 0; step < SLOTS; step++) {
        if (putAt(slot(key, step), key, value)) {
          return;
        }
      }
      throw new IllegalStateException("all " + SLOTS + " slots have other keys than " + key);
    }

    /** Puts a pair into a slot, unless that has another key. */
    private boolean putAt(long slot, String key, String value) {
      table.lock(slot, patience);
      MemorySegment pair = readPair(slot);
      String found = pair.getString(KEY);
      boolean fits = found.equals(key) || found.isEmpty();
      if (fits) {
        pair.setString(KEY, key);
        pair.setString(VALUE, value);
        seal(pair);
        table.write(slot + PAIR_AT, PAIR);
      }
      table.unlock(slot);
      return fits;
    }

    /** A pair as it was at one moment: half of a WRITE does not have its checksum. */
    private MemorySegment readPair(long slot) {
      long until = System.nanoTime() + patience.toNanos();
      MemorySegment pair = table.buffer();
      table.read(slot + PAIR_AT, PAIR);
      while (pair.get(JAVA_LONG, 0) != sum(pair)) {
        if (System.nanoTime() - until > 0) {
          throw new IllegalStateException(
              "the slot at " + slot + " still has half of a pair after " + patience);
        }
        table.read(slot + PAIR_AT, PAIR);
      }
      return pair;
    }

    /** The slot to look for a key: at first the one that its hash says, then those behind it. */
    private static long slot(String key, int step) {
      return (long) Math.floorMod(key.hashCode() + step, SLOTS) * SLOT;
    }

    private static void check(String what, String text, int limit) {
      int bytes = text.getBytes(UTF_8).length;
      if (bytes == 0 || bytes >= limit) {
        throw new IllegalArgumentException(
            what + " '" + text + "' has " + bytes + " bytes, not 1 to " + (limit - 1));
      }
      if (text.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(what + " has a NUL, which ends it in the table");
      }
    }
  }

  private static void seal(MemorySegment pair) {
    pair.set(JAVA_LONG, 0, sum(pair));
  }

  private static long sum(MemorySegment pair) {
    CRC32C sum = new CRC32C();
    sum.update(pair.asSlice(KEY).asByteBuffer());
    return sum.getValue();
  }

  private KeyValueStore() {}
}
