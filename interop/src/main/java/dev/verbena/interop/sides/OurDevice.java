package dev.verbena.interop.sides;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;

/** The device under test. */
public final class OurDevice implements SideFactory {
  private final Context context;

  public OurDevice(String spec) {
    context = Devices.open(spec);
  }

  public Context context() {
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
