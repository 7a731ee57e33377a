package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Any bytes as a capture file; for bin/fuzz. */
public final class CaptureFuzz {
  /** Each packet is inside the file; what cannot be read is a {@link CaptureFormatException}. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      CaptureReader reader = CaptureReader.of(MemorySegment.ofArray(data));
      long number = 0;
      for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
        CapturedFrame frame = next.get();
        if (frame.number() <= number
            || frame.length() < 0
            || frame.offset() < 0
            || frame.offset() + frame.length() > data.length) {
          throw new AssertionError(frame + " after " + number + ", in " + data.length + " bytes");
        }
        number = frame.number();
      }
    } catch (CaptureFormatException e) {
      if (e.getMessage() == null) {
        throw new AssertionError("without a reason", e);
      }
    }
  }

  private CaptureFuzz() {}
}
