package dev.verbena.verbs;

import java.util.Arrays;

/** Any bytes as a serialised path; for bin/fuzz. */
public final class PathBytesFuzz {
  /** What is read is written the same; anything else is EINVAL. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      IbPath path = IbPath.ofBytes(data);
      if (!Arrays.equals(path.toBytes(), data)) {
        throw new AssertionError("it is written otherwise: " + path);
      }
    } catch (VerbsException e) {
      PathTextFuzz.requireEinval(e);
    }
  }

  private PathBytesFuzz() {}
}
