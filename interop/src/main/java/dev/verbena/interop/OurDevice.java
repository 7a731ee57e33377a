package dev.verbena.interop;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;

/** The device under test. */
final class OurDevice implements SideFactory {
  private final Context context;

  OurDevice(String spec) {
    context = Devices.open(spec);
  }

  Context context() {
    return context;
  }

  @Override
  public Side open(PairSettings settings) {
    return new OurSide(context, settings);
  }

  @Override
  public void close() {
    context.close();
  }
}
