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
 * The agents of a port. A datagram of a management class is sent by an agent of that class, which
 * is registered when the first datagram is sent. Safe for use by any thread.
 *
 * <p>Each class has two agents. An agent cannot repeat an unanswered request while the kernel still
 * waits for the response; the other agent can, because to the kernel its transaction IDs are
 * different. For the same reason ACKs for the segments of a response must come from the agent that
 * received them.
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

  /** The agent last used for each transaction, by the lower half of its ID. */
  private final Map<Integer, Integer> transactions =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
          return size() > MAX_TRANSACTIONS;
        }
      };

  /** Registers an agent and returns its number. */
  @FunctionalInterface
  interface Registry {
    int register(int mgmtClass, int classVersion);
  }

  private record Pair(int first, int second) {
    /** The agent that was not the last one used for this transaction. */
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
   * The agent that should send a datagram.
   *
   * @throws VerbsException if no agent of its class can be registered
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

  /** Notes that an agent has received a datagram. */
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
