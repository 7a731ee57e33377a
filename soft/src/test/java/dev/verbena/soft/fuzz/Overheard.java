package dev.verbena.soft.fuzz;

import dev.verbena.wire.ParseResult;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/** The latest packets to one device, and how far their sequences are. */
final class Overheard {
  /** How many packets to keep. */
  private static final int KEPT = 128;

  /** How many sequences to remember: more than the queue pairs of a run have. */
  private static final int SEQUENCES = 64;

  /** Longer ones, which stand for several, are not kept. */
  private static final int MOST_BYTES = 4096 + 128;

  private static final int NONE = -1;

  private final int mtu;
  private final boolean longPackets;
  private final byte[][] packets = new byte[KEPT][MOST_BYTES];
  private final int[] lengths = new int[KEPT];
  private final RocePacket packet = new RocePacket();
  private int count;

  /** Queue pair numbers, with a bit for requests. */
  private final int[] sequences = new int[SEQUENCES];

  private final int[] next = new int[SEQUENCES];
  private int sequenceCount;

  /**
   * Nothing yet.
   *
   * @param mtu bytes of a packet, to know how many answers a READ has
   * @param longPackets whether a packet may stand for several
   */
  Overheard(int mtu, boolean longPackets) {
    this.mtu = mtu;
    this.longPackets = longPackets;
  }

  /** Notes a packet of a device, and keeps it. */
  void hear(MemorySegment datagram, int length) {
    if (packet.parse(datagram, 0, length) != ParseResult.OK) {
      throw new AssertionError(
          "a device has sent a packet that is " + length + " bytes of nothing");
    }
    if (length <= MOST_BYTES) {
      int slot = count++ % KEPT;
      MemorySegment.copy(datagram, ValueLayout.JAVA_BYTE, 0, packets[slot], 0, length);
      lengths[slot] = length;
    }
    if (packet.row.operation.isOfMessage) {
      int key = key(packet.destQpn, packet.row.isRequest);
      int index = find(key);
      if (index == NONE) {
        index = sequenceCount++ % SEQUENCES;
        sequences[index] = key;
      }
      next[index] = Psn.add(packet.psn, psnCount());
    }
  }

  private int psnCount() {
    if (longPackets) {
      packet.mayBeLong();
    }
    boolean reads = packet.row.isRequest && !packet.row.hasPayload && packet.row.has(Reth.BIT);
    return reads ? Math.max(1, Psn.count(packet.rethLength(), mtu)) : packet.psns;
  }

  /** The packet that was heard last. */
  RocePacket last() {
    return packet;
  }

  private static int key(int qpn, boolean isRequest) {
    return qpn << 1 | (isRequest ? 1 : 0);
  }

  private int find(int key) {
    for (int i = 0; i < Math.min(sequenceCount, SEQUENCES); i++) {
      if (sequences[i] == key) {
        return i;
      }
    }
    return NONE;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Forgets everything, because the connections are new. */
  void forget() {
    count = 0;
    sequenceCount = 0;
  }

  /** Copies one of the packets. */
  void copyAny(RandomGenerator random, Draft draft) {
    int slot = random.nextInt(Math.min(count, KEPT));
    draft.copy(packets[slot], lengths[slot]);
  }

  /** The sequence number after the latest of its kind for a queue pair; or another one. */
  int next(int qpn, boolean isRequest, int otherwise) {
    int index = find(key(qpn, isRequest));
    return index == NONE ? otherwise : next[index];
  }

  /** Whether a request to a queue pair was heard. */
  boolean hasRequests(int qpn) {
    return find(key(qpn, true)) != NONE;
  }

  /** Whether a sequence number is close to one in use. */
  boolean isInUse(int psn, int margin) {
    for (int i = 0; i < Math.min(sequenceCount, SEQUENCES); i++) {
      if (Math.abs(Psn.diff(psn, next[i])) <= margin) {
        return true;
      }
    }
    return false;
  }
}
