package dev.verbena.dropin;

import dev.verbena.dropin.struct.FlowAttrs;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvFlowAttr;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;

/**
 * Any bytes as a steering rule, which ends where no memory follows; for bin/fuzz. Only what the
 * rule says to be there is read.
 */
public final class FlowAttrsFuzz {
  private static final int SIZE = (int) IbvFlowAttr.LAYOUT.size();
  private static final FlowMemory MEMORY = new FlowMemory();

  /** A rule, or a refusal. */
  public static void fuzzerTestOneInput(byte[] data) {
    byte[] rule = Arrays.copyOf(data, Math.clamp(data.length, SIZE, 1024));
    long address = MEMORY.atTheEndOfAPage(rule);
    int claimed = Host.getShort(address + IbvFlowAttr.SIZE);
    // With the size of the struct alone, the specifications end where their own sizes say.
    if (claimed > rule.length || claimed == SIZE) {
      Host.setShort(address + IbvFlowAttr.SIZE, rule.length);
    }
    if (rule.length == SIZE) {
      Host.setByte(address + IbvFlowAttr.NUM_OF_SPECS, 0);
    }
    try {
      if (FlowAttrs.read(address).specs().size()
          != Host.getByte(address + IbvFlowAttr.NUM_OF_SPECS)) {
        throw new AssertionError("a specification is missing");
      }
    } catch (VerbsException e) {
      FuzzQueues.requireRefusal(e.errno());
    }
  }

  private FlowAttrsFuzz() {}
}
