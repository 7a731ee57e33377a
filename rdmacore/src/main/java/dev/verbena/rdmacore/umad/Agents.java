package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agents of a port: whoever sends a datagram of a management class is one of that class,
 * registered when the first is sent. Any thread may use it.
 *
 * <p>A class has two. An agent may not send a request again, as one does that was not answered,
 * while the kernel still waits for the answer; the other one may, because its transaction IDs are
 * others to the kernel. For the same reason what is said about the segments of an answer must come
 * from the agent that got them.
 */
final class Agents {
  private static final int MAX_TRANSACTIONS = 1024;
  private static final long CLASS = 1;
  private static final long CLASS_VERSION = 2;
  private static final long TRANSACTION = 12;
  private static final long RMPP_VERSION = 24;
  private static final long RMPP_FLAGS = 26;
  private static final int RMPP_ACTIVE = 1;
  private static final int SUBNET_ADMINISTRATION = 3;
  private static final int FIRST_VENDOR_WITH_OUI = 0x30;
  private static final int LAST_VENDOR_WITH_OUI = 0x4f;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt BIG_ENDIAN_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Registry registry;
  private final Map<Integer, Pair> pairs = new HashMap<>();

  /** By the lower half of their IDs, the agent that had to do with them last. */
  private final Map<Integer, Integer> transactions =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
          return size() > MAX_TRANSACTIONS;
        }
      };

  /** Registers an agent and gives its number. */
  @FunctionalInterface
  interface Registry {
    int register(int mgmtClass, int classVersion);
  }

  private record Pair(int first, int second) {
    /** The one that did not have this transaction last. */
    int after(@Nullable Integer last) {
      return last != null && last == first ? second : first;
    }

    boolean contains(int agent) {
      return agent == first || agent == second;
    }
  }

  Agents(Registry registry) {
    this.registry = registry;
  }

  /**
   * The agent to send a datagram by.
   *
   * @throws VerbsException if there can be none for its class
   */
  synchronized int toSend(MemorySegment mad) {
    int mgmtClass = Byte.toUnsignedInt(mad.get(BYTE, CLASS));
    int version = Byte.toUnsignedInt(mad.get(BYTE, CLASS_VERSION));
    Pair pair = pairs.get(mgmtClass << 8 | version);
    if (pair == null) {
      pair = new Pair(registry.register(mgmtClass, version), registry.register(mgmtClass, version));
      pairs.put(mgmtClass << 8 | version, pair);
    }
    Integer last = transactions.get(transaction(mad));
    int agent =
        last != null && pair.contains(last) && isAboutSegments(mad) ? last : pair.after(last);
    transactions.put(transaction(mad), agent);
    return agent;
  }

  /** An agent has received a datagram. */
  synchronized void received(MemorySegment mad, int agent) {
    transactions.computeIfPresent(transaction(mad), (id, last) -> agent);
  }

  private static boolean isAboutSegments(MemorySegment mad) {
    return hasSegments(mad.get(BYTE, CLASS))
        && mad.get(BYTE, RMPP_VERSION) != 0
        && (mad.get(BYTE, RMPP_FLAGS) & RMPP_ACTIVE) != 0;
  }

  private static boolean hasSegments(int mgmtClass) {
    return mgmtClass == SUBNET_ADMINISTRATION
        || (mgmtClass >= FIRST_VENDOR_WITH_OUI && mgmtClass <= LAST_VENDOR_WITH_OUI);
  }

  private static int transaction(MemorySegment mad) {
    return mad.get(BIG_ENDIAN_INT, TRANSACTION);
  }
}
