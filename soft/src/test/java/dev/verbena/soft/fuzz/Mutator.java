package dev.verbena.soft.fuzz;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Transport;
import dev.verbena.wire.Xrceth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Changes packets, field by field, mostly to values close to those that matter. */
final class Mutator {
  private static final int[] HEADERS = {
    Xrceth.BIT,
    Deth.BIT,
    Feth.BIT,
    Reth.BIT,
    AtomicEth.BIT,
    ImmDt.BIT,
    Ieth.BIT,
    Aeth.BIT,
    AtomicAckEth.BIT
  };

  private static final int[] HEADER_LENGTHS = {
    Xrceth.LENGTH,
    Deth.LENGTH,
    Feth.LENGTH,
    Reth.LENGTH,
    AtomicEth.LENGTH,
    ImmDt.LENGTH,
    Ieth.LENGTH,
    Aeth.LENGTH,
    AtomicAckEth.LENGTH
  };

  private static final int VA = 0;
  private static final int RKEY = 8;
  private static final int DMA_LENGTH = 12;
  private static final int SWAP_OR_ADD = 12;
  private static final int COMPARE = 20;
  private static final int PAD_BITS = 0x30;
  private static final int MOST_CHANGES = 3;
  private static final int MOST_PLACES = 48;

  /** AETH syndromes: ACK, RNR NAKs, each NAK and one that does not exist. */
  private static final int[] SYNDROMES = {
    0x00, 0x1f, 0x1e, 0x20, 0x21, 0x2a, 0x3f, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x7f
  };

  private static final int[] PKEYS = {0xffff, 0x7fff, 0, 0x8000, 1};
  private static final long[] LENGTHS = {0, 1, 255, 256, 257, 4096, 1L << 31, (1L << 31) + 1, -1};

  /** Memory and its key. */
  private record Place(int key, long address, long length) {}

  private final RandomGenerator random;
  private final List<Place> places = new ArrayList<>();
  private final List<Opcode.Row> rows = new ArrayList<>();
  private final byte[] old = new byte[Draft.MOST_BYTES];

  /** Keys of memory, also of local and former ones. */
  final Loot keys = new Loot();

  private final Loot addresses = new Loot();

  /** Queue pair numbers. */
  final Loot numbers = new Loot();

  Mutator(RandomGenerator random) {
    this.random = random;
    for (int opcode = 0; opcode <= 0xff; opcode++) {
      if (Opcode.isValid(opcode)) {
        rows.add(Opcode.row(opcode));
      }
    }
  }

  /** Tells of memory, whose key and ends matter. */
  void learn(int key, long address, long length) {
    keys.add(key);
    addresses.add(address);
    addresses.add(address + length);
    if (places.size() == MOST_PLACES) {
      // Those that were learnt first last longest.
      places.remove(MOST_PLACES / 2);
    }
    places.add(new Place(key, address, length));
  }

  /** Changes a packet once or a few times. */
  void change(Draft draft) {
    for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
      changeOnce(draft);
    }
  }

  private void changeOnce(Draft draft) {
    switch (random.nextInt(16)) {
      case 0, 1 -> changeOpcode(draft);
      case 2, 3 -> draft.psn(draft.psn() + distance());
      case 4 -> draft.qpn(oneIn(4) ? random.nextInt() : (int) numbers.any(random, draft.qpn()));
      case 5 -> draft.pkey(oneIn(4) ? random.nextInt() : PKEYS[random.nextInt(PKEYS.length)]);
      case 6 -> draft.flags(oneIn(2) ? random.nextInt() : draft.flags() ^ 1 << random.nextInt(8));
      case 7 -> draft.flip(oneIn(2) ? 4 : 8, oneIn(2) ? 0x80 : 1 + random.nextInt(255));
      case 8, 9, 10 -> changePlace(draft);
      case 11 -> changeAnswer(draft);
      case 12 -> changeDetail(draft);
      case 13 -> resizePayload(draft);
      case 14 -> draft.length(oneIn(2) ? random.nextInt(draft.length() + 1) : longer(draft));
      default -> flipAny(draft);
    }
  }

  private boolean oneIn(int chances) {
    return random.nextInt(chances) == 0;
  }

  private static int longer(Draft draft) {
    return draft.length() + Integer.BYTES;
  }

  /** How far from the right sequence number. */
  private int distance() {
    return switch (random.nextInt(6)) {
      case 0 -> 1;
      case 1 -> -1;
      case 2 -> random.nextInt(-16, 17);
      case 3 -> random.nextInt(-600, 601);
      case 4 -> (1 << 23) + random.nextInt(-2, 3);
      default -> random.nextInt();
    };
  }

  private void flipAny(Draft draft) {
    if (draft.length() > 0) {
      draft.flip(random.nextInt(draft.length()), 1 << random.nextInt(8));
    }
  }

  /** Another packet type, with the headers that it should have; now and then one without. */
  private void changeOpcode(Draft draft) {
    if (!draft.isKnown() || oneIn(8)) {
      draft.opcode(random.nextInt());
      return;
    }
    Opcode.Row from = draft.row();
    if (draft.length() < from.headerLength + Draft.ICRC) {
      return;
    }
    Opcode.Row to = sibling(from.transport);
    if (!oneIn(8)) {
      rebuild(draft, from, to);
    }
    draft.opcode(to.number);
  }

  private Opcode.Row sibling(Transport transport) {
    Opcode.Row row;
    do {
      row = rows.get(random.nextInt(rows.size()));
    } while (row.transport != transport && !oneIn(64));
    return row;
  }

  private void rebuild(Draft draft, Opcode.Row from, Opcode.Row to) {
    int headers = from.headerLength;
    MemorySegment.copy(draft.memory(), ValueLayout.JAVA_BYTE, 0, old, 0, headers);
    if (to.hasPayload) {
      draft.move(headers, to.headerLength);
    } else {
      draft.length(to.headerLength + Draft.ICRC);
      draft.flags(draft.flags() & ~PAD_BITS);
    }
    for (int i = 0; i < HEADERS.length; i++) {
      if (to.has(HEADERS[i])) {
        if (from.has(HEADERS[i])) {
          MemorySegment.copy(
              old,
              from.offset(HEADERS[i]),
              draft.memory(),
              ValueLayout.JAVA_BYTE,
              to.offset(HEADERS[i]),
              HEADER_LENGTHS[i]);
        } else {
          invent(draft, to, HEADERS[i]);
        }
      }
    }
  }

  /** A header that would often be right. */
  private void invent(Draft draft, Opcode.Row row, int header) {
    int at = row.offset(header);
    switch (header) {
      case Reth.BIT, AtomicEth.BIT -> {
        draft.setLong(at + VA, address());
        draft.setInt(at + RKEY, key());
        draft.setInt(at + DMA_LENGTH, Math.max(0, draft.length() - row.headerLength - Draft.ICRC));
      }
      case Ieth.BIT -> draft.setInt(at, key());
      case Aeth.BIT -> draft.setInt(at, syndrome() << 24 | random.nextInt(1 << 24));
      default -> draft.setInt(at, random.nextInt());
    }
  }

  private long address() {
    long address = addresses.any(random, random.nextLong());
    return switch (random.nextInt(4)) {
      case 0 -> address;
      case 1 -> address + random.nextInt(-9, 10);
      case 2 -> address + random.nextInt(-2048, 2049);
      default -> oneIn(8) ? -random.nextInt(1, 4096) : address + 8L * random.nextInt(-64, 65);
    };
  }

  private int key() {
    int key = (int) keys.any(random, random.nextInt());
    return oneIn(8) ? key ^ 1 << random.nextInt(32) : key;
  }

  private int syndrome() {
    return oneIn(4) ? random.nextInt(256) : SYNDROMES[random.nextInt(SYNDROMES.length)];
  }

  /** Address, key, length or operands of a request. */
  private void changePlace(Draft draft) {
    boolean hasReth = draft.isKnown() && draft.row().has(Reth.BIT);
    if (!hasReth && !(draft.isKnown() && draft.row().has(AtomicEth.BIT))) {
      flipAny(draft);
      return;
    }
    int at = draft.row().offset(hasReth ? Reth.BIT : AtomicEth.BIT);
    switch (random.nextInt(6)) {
      case 4, 5 -> moveTo(draft, at, hasReth);
      case 0 -> draft.setLong(at + VA, address());
      case 1 -> draft.setLong(at + VA, draft.getLong(at + VA) + random.nextInt(-4096, 4097));
      case 2 -> draft.setInt(at + RKEY, key());
      default -> {
        if (!hasReth) {
          draft.setLong(at + (oneIn(2) ? SWAP_OR_ADD : COMPARE), random.nextLong());
        } else if (oneIn(2)) {
          draft.setInt(at + DMA_LENGTH, (int) LENGTHS[random.nextInt(LENGTHS.length)]);
        } else {
          draft.setInt(at + DMA_LENGTH, draft.getInt(at + DMA_LENGTH) + random.nextInt(-300, 301));
        }
      }
    }
  }

  /** Aims at known memory by its key: at its ends, or anywhere. */
  private void moveTo(Draft draft, int at, boolean hasReth) {
    if (places.isEmpty()) {
      return;
    }
    Place place = places.get(random.nextInt(places.size()));
    long length = hasReth ? draft.getInt(at + DMA_LENGTH) : Long.BYTES;
    long va =
        switch (random.nextInt(4)) {
          case 0 -> place.address;
          case 1 -> place.address + place.length - length;
          case 2 -> place.address + place.length - length + random.nextInt(-16, 17);
          default -> place.address + 8L * random.nextInt((int) place.length / 8);
        };
    draft.setLong(at + VA, va);
    draft.setInt(at + RKEY, place.key);
  }

  private void changeAnswer(Draft draft) {
    if (!draft.isKnown() || !draft.row().has(Aeth.BIT)) {
      flipAny(draft);
      return;
    }
    int at = draft.row().offset(Aeth.BIT);
    if (oneIn(4)) {
      draft.setInt(at, draft.getInt(at) + random.nextInt(-3, 4));
    } else {
      draft.setByte(at, syndrome());
    }
  }

  /** A field of a small header. */
  private void changeDetail(Draft draft) {
    int chosen = random.nextInt(HEADERS.length);
    if (!draft.isKnown() || !draft.row().has(HEADERS[chosen])) {
      flipAny(draft);
      return;
    }
    int at = draft.row().offset(HEADERS[chosen]);
    switch (HEADERS[chosen]) {
      case Ieth.BIT -> draft.setInt(at, key());
      case Xrceth.BIT -> draft.setInt(at, oneIn(2) ? random.nextInt() : draft.getInt(at) ^ 1);
      default -> draft.flip(at + random.nextInt(HEADER_LENGTHS[chosen]), 1 << random.nextInt(8));
    }
  }

  /** Another length of payload, with the right padding, mostly. */
  private void resizePayload(Draft draft) {
    if (!draft.isKnown() || !draft.row().hasPayload) {
      flipAny(draft);
      return;
    }
    int bytes =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> 256 << random.nextInt(5);
          case 2 -> (256 << random.nextInt(3)) + random.nextInt(-4, 5);
          default -> random.nextInt(2048);
        };
    int pad = -bytes & 3;
    draft.length(draft.row().headerLength + bytes + pad + Draft.ICRC);
    int count = oneIn(16) ? random.nextInt(4) : pad;
    draft.flags((draft.flags() & ~PAD_BITS) | (count << 4));
  }
}
