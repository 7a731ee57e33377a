package dev.verbena.soft.sim.frames;

import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.FlowFlags;
import dev.verbena.verbs.FlowSpecActionDrop;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.FlowSpecTcpUdp;
import dev.verbena.verbs.MacAddress;
import org.jspecify.annotations.Nullable;

/**
 * A steering rule.
 *
 * @param <T> the receiver of frames
 * @param traps whether no later rule gets what matches
 * @param drops whether nobody gets what matches
 * @param dst destination of what matches, or null for any
 * @param network what it carries, or null for anything
 * @param upper protocol, with {@code port}, or null for any
 * @param vlan number of its VLAN, or 0 for any, also without a tag
 */
public record Rule<T>(
    FlowAttrType type,
    int priority,
    boolean traps,
    boolean drops,
    @Nullable Long dst,
    @Nullable Network network,
    @Nullable Upper upper,
    int port,
    int vlan,
    T target) {
  /** A rule that is not NORMAL, which has no conditions. */
  public static <T> Rule<T> of(FlowAttrType type, T target) {
    return new Rule<>(type, 0, true, false, null, null, null, 0, 0, target);
  }

  /** The rule as the API names it. */
  public FlowAttr attr() {
    FlowAttr attr = new FlowAttr(type).priority(priority);
    if (type != FlowAttrType.NORMAL) {
      return attr;
    }
    FlowSpecEth eth = new FlowSpecEth();
    if (dst != null) {
      eth = eth.dstMac(new MacAddress(dst));
    }
    if (network != null) {
      eth = eth.etherType(network.etherType());
    }
    if (vlan != 0) {
      eth = eth.vlan(vlan);
    }
    attr.spec(eth);
    if (upper != null) {
      FlowSpecTcpUdp ports = upper == Upper.TCP ? FlowSpecTcpUdp.tcp() : FlowSpecTcpUdp.udp();
      attr.spec(ports.dstPort(port));
    }
    if (drops) {
      attr.spec(new FlowSpecActionDrop());
    }
    return attr.flags(traps ? 0 : FlowFlags.DONT_TRAP);
  }

  /**
   * Whether it takes a frame (S9.3).
   *
   * @param forStation whether the frame is for this station or a group
   */
  boolean matches(Frame frame, boolean forStation) {
    return switch (type) {
      case MC_DEFAULT -> frame.isForGroup();
      case ALL_DEFAULT, SNIFFER -> true;
      case NORMAL ->
          (forStation || dst != null)
              && (dst == null || dst == frame.dst())
              && (vlan == 0 || vlan == frame.vlan())
              && matches(frame.packet());
    };
  }

  private boolean matches(Packet packet) {
    if (network != null && packet.network() != network) {
      return false;
    }
    boolean hasPorts = packet.network() != Network.NONE;
    return upper == null || (hasPorts && packet.upper() == upper && packet.port() == port);
  }
}
