package dev.verbena.bench;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;

/** Two connected RC queue pairs of one device. */
final class LoopbackPair implements AutoCloseable {
  private static final int ENTRIES = 256;

  private final Context context;
  private final ProtectionDomain pd;
  private final LoopbackEnd near;
  private final LoopbackEnd far;

  LoopbackPair(String device, long bytes) {
    context = Devices.open(device);
    pd = context.allocPd();
    near = new LoopbackEnd(pd, context.createCq(ENTRIES), bytes);
    far = new LoopbackEnd(pd, context.createCq(ENTRIES), bytes);
    LoopbackEnd.connect(near, far);
  }

  ProtectionDomain pd() {
    return pd;
  }

  LoopbackEnd near() {
    return near;
  }

  LoopbackEnd far() {
    return far;
  }

  @Override
  public void close() {
    context.close();
  }
}
