package dev.verbena.dropin.struct;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvFlowAttr;
import dev.verbena.rdmacore.layout.IbvFlowSpec;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionDrop;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.VerbsException;

/**
 * Reads steering rules from a struct ibv_flow_attr followed by its specifications. Nothing is read
 * beyond the sizes that the program gives.
 */
public final class FlowAttrs {
  /** The smallest specification is a type and a size. */
  private static final long HEADER = IbvFlowSpecActionDrop.LAYOUT.size();

  /**
   * Reads a rule.
   *
   * @throws VerbsException EINVAL if sizes and types do not match, EOPNOTSUPP for a specification
   *     that libibverbs has and this device does not
   */
  public static FlowAttr read(long in) {
    int mask = Host.getInt(in + IbvFlowAttr.COMP_MASK);
    if (mask != 0) {
      throw refused("comp_mask 0x" + Integer.toHexString(mask) + ", where nothing is defined");
    }
    FlowAttr attr =
        new FlowAttr(FlowAttrType.of(Host.getInt(in + IbvFlowAttr.TYPE)))
            .priority(Host.getShort(in + IbvFlowAttr.PRIORITY))
            .port(Host.getByte(in + IbvFlowAttr.PORT))
            .flags(Host.getInt(in + IbvFlowAttr.FLAGS));
    int count = Host.getByte(in + IbvFlowAttr.NUM_OF_SPECS);
    long left = room(Host.getShort(in + IbvFlowAttr.SIZE));
    long next = in + IbvFlowAttr.LAYOUT.size();
    for (int i = 0; i < count; i++) {
      long size = size(next, left, i, count);
      attr.spec(FlowSpecs.read(next, size));
      next += size;
      left -= size;
    }
    return attr;
  }

  /**
   * The length of the specifications in bytes. The genuine library never checks the total size, and
   * pyverbs gives the size of the struct alone, whatever follows: then each specification's own
   * size is used.
   */
  private static long room(int size) {
    long room = size - IbvFlowAttr.LAYOUT.size();
    if (room < 0) {
      throw refused("size " + size + ", less than the struct's " + IbvFlowAttr.LAYOUT.size());
    }
    return room == 0 ? Long.MAX_VALUE : room;
  }

  private static long size(long spec, long left, int index, int count) {
    long size = left < HEADER ? HEADER : Host.getShort(spec + IbvFlowSpec.HDR_SIZE);
    if (size > left) {
      throw refused(
          "num_of_specs %d, but size ends %d bytes into number %d".formatted(count, left, index));
    }
    return size;
  }

  private static VerbsException refused(String detail) {
    return new VerbsException("createFlow", Errno.EINVAL, detail);
  }

  private FlowAttrs() {}
}
