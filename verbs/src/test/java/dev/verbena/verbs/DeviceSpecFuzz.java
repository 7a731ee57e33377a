package dev.verbena.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Any text as a device specification; for bin/fuzz. */
public final class DeviceSpecFuzz {
  /** What can be parsed can be written and parsed again; anything else is EINVAL. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      DeviceSpec spec = DeviceSpec.parse(new String(data, UTF_8));
      DeviceSpec again = DeviceSpec.parse(spec.toString());
      if (!again.equals(spec)) {
        throw new AssertionError(spec + " was read as " + again);
      }
    } catch (VerbsException e) {
      PathTextFuzz.requireEinval(e);
    }
  }

  private DeviceSpecFuzz() {}
}
