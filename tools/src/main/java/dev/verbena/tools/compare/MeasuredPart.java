package dev.verbena.tools.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The measured part of a run at the end that does not measure, and the garbage of this end in it.
 * The end that measures sends 0 when that part begins and, when it is over, its operations. Neither
 * waits for the other: so this end is late by the time until a thread wakes, at both moments.
 */
final class MeasuredPart {
  private final LongSupplier allocated;
  private long before;
  private double garbage = Double.NaN;

  /**
   * Creates it for this end.
   *
   * @param allocated the bytes that this end has allocated so far
   */
  MeasuredPart(LongSupplier allocated) {
    this.allocated = allocated;
    before = allocated.getAsLong(); // The first look may load classes, which takes time and room.
  }

  /**
   * Sends what a {@link Pace} tells to the other end.
   *
   * @return throws {@link UncheckedIOException} if the other end has gone
   */
  static LongConsumer announceTo(OutputStream peer) {
    DataOutputStream out = new DataOutputStream(peer);
    return operations -> {
      try {
        out.writeLong(operations);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Listens to the end that measures, until that ends, well or not. */
  void listen(InputStream peer) {
    DataInputStream in = new DataInputStream(peer);
    try {
      in.readLong();
      before = allocated.getAsLong();
      long operations = in.readLong();
      garbage = (double) (allocated.getAsLong() - before) / operations;
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // It tells the user itself why it has failed; what is known here stays.
    }
  }

  /** Bytes for each operation; NaN if the other end has not measured to its end. */
  double garbage() {
    return garbage;
  }
}
