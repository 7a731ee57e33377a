package dev.verbena.soft.fuzz;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/**
 * The memory of one device: zones of different rights, with guards between them, which no packet
 * may change, and secrets that none may carry away.
 */
final class Estate {
  /** Bytes of a place for a receive or a result; three quarters may be used. */
  static final int SLOT = 2048;

  static final int SLOT_USED = 1536;
  static final int SLOTS = 32;

  /** Bytes of the zones without slots. */
  static final int ZONE = 8192;

  /** Where the window on its zone begins and ends. */
  static final int WINDOW_FROM = 2048;

  static final int WINDOW_TO = 6144;

  private static final int GUARD = 1024;
  private static final byte SECRET = (byte) 0xa5;
  private static final long SECRETS = 0xa5a5_a5a5_a5a5_a5a5L;

  private static final int OPEN = GUARD;
  private static final int READABLE = OPEN + ZONE + GUARD;
  private static final int WINDOWED = READABLE + ZONE + GUARD;
  private static final int FOREIGN = WINDOWED + ZONE + GUARD;
  private static final int SOURCE = FOREIGN + ZONE + GUARD;
  private static final int SLOTTED = SOURCE + ZONE + GUARD;
  private static final int END = SLOTTED + SLOTS * SLOT + GUARD;

  private final MemorySegment memory = Arena.ofAuto().allocate(END, 4096);

  /** What the memory should be, where it may not change. */
  private final MemorySegment image = MemorySegment.ofArray(new long[END / Long.BYTES]);

  private final boolean[] used = new boolean[SLOTS];
  private final ProtectionDomain domain;
  private final Mutator mutator;
  private MemoryRegion open;
  private int openKey;
  private final MemoryRegion readable;
  private final MemoryRegion windowed;
  private final MemoryRegion source;
  private final MemoryRegion slots;

  /**
   * Registers everything.
   *
   * @param foreign a domain without queue pairs
   */
  Estate(
      ProtectionDomain domain, ProtectionDomain foreign, Mutator mutator, RandomGenerator random) {
    this.domain = domain;
    this.mutator = mutator;
    memory.fill(SECRET);
    scribble(OPEN, ZONE, random);
    scribble(READABLE, ZONE, random);
    scribble(SOURCE, ZONE, random);
    scribble(WINDOWED + WINDOW_FROM, WINDOW_TO - WINDOW_FROM, random);
    open = register();
    openKey = open.rkey();
    readable = domain.regMr(memory.asSlice(READABLE, ZONE), Access.REMOTE_READ);
    windowed = domain.regMr(memory.asSlice(WINDOWED, ZONE), Access.LOCAL_WRITE, Access.MW_BIND);
    MemoryRegion other =
        foreign.regMr(
            memory.asSlice(FOREIGN, ZONE),
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC);
    source = domain.regMr(memory.asSlice(SOURCE, ZONE), 0);
    slots = domain.regMr(memory.asSlice(SLOTTED, (long) SLOTS * SLOT), Access.LOCAL_WRITE);
    for (MemoryRegion region : new MemoryRegion[] {readable, windowed, other, source, slots}) {
      mutator.keys.add(region.lkey());
      mutator.learn(region.rkey(), region.addr(), region.length());
    }
    image.copyFrom(memory);
  }

  /** Lets peers do everything with the open memory, by a new key. */
  private MemoryRegion register() {
    MemoryRegion region =
        domain.regMr(
            memory.asSlice(OPEN, ZONE),
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.FLUSH_GLOBAL);
    mutator.keys.add(region.lkey());
    mutator.learn(region.rkey(), region.addr(), region.length());
    return region;
  }

  /** Whether peers may use the open memory now. */
  boolean isOffered() {
    return !open.isClosed();
  }

  /** Takes the open memory away: it may not change any more, and the peers' key is wrong. */
  void withdraw() {
    open.dereg();
    MemorySegment.copy(memory, OPEN, image, OPEN, ZONE);
  }

  /** Offers the open memory again. */
  void offer() {
    open = register();
    openKey = open.rkey();
  }

  /** What is there is no secret: peers may read it, or are sent it. */
  private void scribble(int from, int bytes, RandomGenerator random) {
    for (int i = 0; i < bytes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, from + i, (byte) random.nextInt(128));
    }
  }

  /** The key by which peers may do everything with the open memory, or could until lately. */
  int openKey() {
    return openKey;
  }

  /** The address of the open memory. */
  long openAddress() {
    return memory.address() + OPEN;
  }

  /** Peers may read it. */
  MemoryRegion readable() {
    return readable;
  }

  /** Peers may do nothing with it but through a window. */
  MemoryRegion windowed() {
    return windowed;
  }

  /** What is sent. */
  MemoryRegion source() {
    return source;
  }

  /** Places for receives and results. */
  MemoryRegion slots() {
    return slots;
  }

  /** Takes a slot for something to be stored there; -1 if none is free. */
  int take() {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (!used[slot]) {
        used[slot] = true;
        return slot;
      }
    }
    return -1;
  }

  /** Nothing may be stored in a slot any more; what is there stays. */
  void free(int slot) {
    if (!used[slot]) {
      throw new AssertionError("slot " + slot + " was not in use");
    }
    used[slot] = false;
    long at = SLOTTED + (long) slot * SLOT;
    MemorySegment.copy(memory, at, image, at, SLOT_USED);
  }

  /** The address of a slot. */
  long address(int slot) {
    return slots.addr() + (long) slot * SLOT;
  }

  /** Checks everything that may not change now. */
  void check() {
    check("the guard in front of all", 0, OPEN);
    if (!isOffered()) {
      check("memory that was taken away", OPEN, OPEN + ZONE);
    }
    check("memory that may only be read", OPEN + ZONE, WINDOWED + WINDOW_FROM);
    check("what is behind the window", WINDOWED + WINDOW_TO, SLOTTED);
    for (int slot = 0; slot < SLOTS; slot++) {
      int at = SLOTTED + slot * SLOT;
      check("slot " + (used[slot] ? "in use " : ""), used[slot] ? at + SLOT_USED : at, at + SLOT);
    }
    check("the guard behind all", SLOTTED + SLOTS * SLOT, END);
  }

  private void check(String what, int from, int to) {
    long wrong = MemorySegment.mismatch(memory, from, to, image, from, to);
    if (wrong >= 0) {
      throw new AssertionError(what + " has changed: byte " + (from + wrong) + " of the memory");
    }
  }

  /** Whether a packet carries a secret; one that did would have it at one of its ends. */
  static boolean isLeak(RocePacket packet) {
    int bytes = packet.payloadLength;
    return bytes >= Long.BYTES
        && (word(packet, 0) == SECRETS || word(packet, bytes - Long.BYTES) == SECRETS);
  }

  private static long word(RocePacket packet, int at) {
    return packet.segment.get(ValueLayout.JAVA_LONG_UNALIGNED, packet.payloadOffset + at);
  }
}
