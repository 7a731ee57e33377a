package dev.verbena.interop.sides;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import java.io.IOException;

/** The device under test: our software device, or rdma_rxe by the installed libibverbs. */
public final class OurDevice implements SideFactory {
  private final Context context;
  private final int gidIndex;
  private final boolean isKernel;

  public OurDevice(String spec, int gidIndex) {
    context = Devices.open(spec);
    this.gidIndex = gidIndex;
    isKernel = !DeviceSpec.parse(spec).isSoftware();
  }

  /** Whether it is rdma_rxe. */
  public boolean isKernel() {
    return isKernel;
  }

  public Context context() {
    return context;
  }

  @Override
  public String name() {
    return OurSide.NAME;
  }

  @Override
  public Side open(PairSettings settings) throws IOException {
    return new OurSide(context, settings, gidIndex, isKernel);
  }

  @Override
  public void close() {
    context.close();
  }
}
