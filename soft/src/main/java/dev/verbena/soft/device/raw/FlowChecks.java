package dev.verbena.soft.device.raw;

import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.FlowFlags;
import dev.verbena.verbs.FlowSpec;
import dev.verbena.verbs.FlowSpecActionDrop;
import dev.verbena.verbs.FlowSpecActionTag;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.FlowSpecIpv4;
import dev.verbena.verbs.FlowSpecIpv6;
import dev.verbena.verbs.FlowSpecTcpUdp;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Unsupported;
import java.util.EnumSet;
import java.util.Set;

/** Checks of new steering rules (S9.3). */
final class FlowChecks {
  static final String FUNCTION = "createFlow";

  private static final int MAX_PRIORITY = 0xffff;

  /** The layers, of which a rule can have at most one specification each. */
  private enum Layer {
    ETHERNET,
    IP,
    PORTS,
    TAG,
    DROP;

    boolean isAction() {
      return this == TAG || this == DROP;
    }
  }

  /**
   * Checks a rule.
   *
   * @throws VerbsException EINVAL that names the wrong part; EOPNOTSUPP for what this device lacks
   */
  static void check(QpType type, FlowAttr attr) {
    if (type == QpType.UD) {
      throw Unsupported.verb(
          FUNCTION, "UD queue pairs need no steering: RoCE packets find theirs by its number");
    }
    if (type != QpType.RAW_PACKET) {
      throw refused("a queue pair of type " + type + " receives no frames, only RAW_PACKET does");
    }
    SoftPort.checkNumber(FUNCTION, attr.port());
    if (attr.priority() < 0 || attr.priority() > MAX_PRIORITY) {
      throw refused("priority " + attr.priority() + " is not in 0 to " + MAX_PRIORITY);
    }
    flags(attr);
    specs(attr);
  }

  private static void flags(FlowAttr attr) {
    int unknown = attr.flags() & ~FlowFlags.ALL;
    if (unknown != 0) {
      throw refused("undefined flags 0x" + Integer.toHexString(unknown));
    }
    if ((attr.flags() & FlowFlags.EGRESS) != 0) {
      throw Unsupported.verb(
          FUNCTION, "the software device has no rules for frames that are sent (EGRESS)");
    }
    if ((attr.flags() & FlowFlags.DONT_TRAP) != 0 && attr.type() != FlowAttrType.NORMAL) {
      throw refused("DONT_TRAP is for NORMAL rules, this one is " + attr.type());
    }
  }

  private static void specs(FlowAttr attr) {
    Set<Layer> seen = EnumSet.noneOf(Layer.class);
    for (FlowSpec spec : attr.specs()) {
      Layer layer = layer(spec);
      if (!seen.add(layer)) {
        throw refused("a second specification of " + layer + ": " + spec);
      }
      boolean fits = attr.type() == FlowAttrType.NORMAL || layer == Layer.TAG;
      if (!fits) {
        throw refused("a rule " + attr.type() + " takes no specification " + spec.type());
      }
    }
    if (attr.type() == FlowAttrType.NORMAL && seen.stream().allMatch(Layer::isAction)) {
      throw refused("a NORMAL rule needs a condition, at least new FlowSpecEth()");
    }
  }

  private static Layer layer(FlowSpec spec) {
    return switch (spec) {
      case FlowSpecEth eth -> Layer.ETHERNET;
      case FlowSpecIpv4 ip -> Layer.IP;
      case FlowSpecIpv6 ip -> Layer.IP;
      case FlowSpecTcpUdp ports -> Layer.PORTS;
      case FlowSpecActionTag tag -> Layer.TAG;
      case FlowSpecActionDrop drop -> Layer.DROP;
    };
  }

  private static VerbsException refused(String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, detail);
  }

  private FlowChecks() {}
}
