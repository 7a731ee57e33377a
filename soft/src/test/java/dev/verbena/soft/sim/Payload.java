package dev.verbena.soft.sim;

import dev.verbena.soft.sim.frames.Frame;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The memory of a request: constant data to send, or the place for an answer. */
final class Payload {
  private static final int INLINE = 64;

  private final List<Sge> pieces;
  private final byte[] data;
  private final MemorySegment place;
  private final int length;
  private final boolean inline;

  private Payload(List<Sge> pieces, byte[] data, MemorySegment place, int length, boolean inline) {
    this.pieces = pieces;
    this.data = data;
    this.place = place;
    this.length = length;
    this.inline = inline;
  }

  /** Constant data of a side in one to four pieces, or inline if it is short. */
  static Payload gather(Side from, int length, Dice dice) {
    List<Sge> pieces = new ArrayList<>();
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    int left = length;
    while (left > 0 || pieces.isEmpty()) {
      int piece = pieces.size() == 3 ? left : dice.upTo(left);
      int offset = dice.upTo(Side.CONSTANT - piece);
      pieces.add(new Sge(from.constant().addr() + offset, piece, from.constant().lkey()));
      data.writeBytes(from.constantBytes(offset, piece));
      left -= piece;
    }
    boolean inline = length <= INLINE && dice.isEven();
    return new Payload(pieces, data.toByteArray(), MemorySegment.NULL, length, inline);
  }

  /** A place for an answer, in two pieces. */
  static Payload landing(MemoryRegion region, int offset, int length) {
    int cut = length == Long.BYTES ? 3 : length / 2;
    long addr = region.addr() + offset;
    List<Sge> pieces =
        List.of(
            new Sge(addr, cut, region.lkey()), new Sge(addr + cut, length - cut, region.lkey()));
    MemorySegment place = region.memory().asSlice(offset, length);
    return new Payload(pieces, new byte[0], place, length, false);
  }

  /** Data that a receiver gets. */
  static Payload expected(byte[] data) {
    return new Payload(List.of(), data, MemorySegment.NULL, data.length, false);
  }

  /** The same behind a header, which is copied to this place of a region. */
  Payload behind(byte[] header, MemoryRegion region, int offset) {
    MemorySegment.copy(header, 0, region.memory(), ValueLayout.JAVA_BYTE, offset, header.length);
    List<Sge> all = new ArrayList<>();
    all.add(new Sge(region.addr() + offset, header.length, region.lkey()));
    all.addAll(pieces);
    byte[] joined = Frame.join(header, data);
    return new Payload(all, joined, place, joined.length, inline && joined.length <= INLINE);
  }

  /** The same, not inline. */
  Payload fromMemory() {
    return new Payload(pieces, data, place, length, false);
  }

  /** The same with local keys that do not exist, and not inline. */
  Payload withUnknownLkeys() {
    List<Sge> spoilt = new ArrayList<>();
    pieces.forEach(sge -> spoilt.add(new Sge(sge.addr(), sge.length(), sge.lkey() ^ 0x80)));
    return new Payload(spoilt, data, place, length, false);
  }

  int length() {
    return length;
  }

  /** The data to send. */
  byte[] data() {
    return data;
  }

  /** The data of the answer. */
  byte[] landed() {
    return place.toArray(ValueLayout.JAVA_BYTE);
  }

  void put(SendWr wr) {
    if (inline) {
      wr.sendFlags(wr.sendFlags() | SendFlags.INLINE).sgList(Sge.of(MemorySegment.ofArray(data)));
    } else {
      wr.sgList(pieces.toArray(Sge[]::new));
    }
  }

  void put(QueuePairEx qp) {
    if (inline) {
      qp.wrSetInlineData(MemorySegment.ofArray(data));
    } else {
      qp.wrSetSgeList(pieces.toArray(Sge[]::new));
    }
  }
}
