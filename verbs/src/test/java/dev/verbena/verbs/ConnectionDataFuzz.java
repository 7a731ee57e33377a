package dev.verbena.verbs;

import java.util.Arrays;

/** Any bytes as what a peer says about its queue pair; for bin/fuzz. */
public final class ConnectionDataFuzz {
  /** What is read is written the same; anything else is EINVAL. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      ConnectionData read = ConnectionData.ofBytes(data);
      if (!Arrays.equals(read.toBytes(), data)) {
        throw new AssertionError("it is written otherwise: " + read);
      }
    } catch (VerbsException e) {
      PathTextFuzz.requireEinval(e);
    }
  }

  private ConnectionDataFuzz() {}
}
