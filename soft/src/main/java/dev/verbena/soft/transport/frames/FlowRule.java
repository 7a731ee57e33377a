package dev.verbena.soft.transport.frames;

import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.FlowFlags;
import dev.verbena.verbs.FlowSpec;
import dev.verbena.verbs.FlowSpecActionDrop;
import dev.verbena.verbs.FlowSpecActionTag;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.MacAddress;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.EthernetHeader;
import org.jspecify.annotations.Nullable;

/**
 * A steering rule (S9.3). Immutable.
 *
 * @param <T> who receives what matches
 */
public final class FlowRule<T> {
  private final FlowAttrType type;
  private final int priority;
  private final boolean traps;
  private final FlowSpec[] specs;
  private final boolean drops;
  private final boolean asksForStation;
  private final @Nullable MacAddress exact;
  private final int tag;
  private final T target;

  /**
   * Takes over what the application asked for, which was checked.
   *
   * @param target who receives what matches
   */
  public FlowRule(FlowAttr attr, T target) {
    type = attr.type();
    priority = attr.priority();
    traps = (attr.flags() & FlowFlags.DONT_TRAP) == 0;
    specs = attr.specs().toArray(new FlowSpec[0]);
    this.target = target;
    boolean drop = false;
    boolean station = false;
    int number = 0;
    MacAddress address = null;
    for (FlowSpec spec : specs) {
      switch (spec) {
        case FlowSpecActionDrop action -> drop = true;
        case FlowSpecActionTag action -> number = action.tagId();
        case FlowSpecEth eth -> {
          MacAddress mask = eth.mask().dstMac();
          station = !mask.equals(MacAddress.ZERO);
          address = mask.equals(MacAddress.BROADCAST) ? eth.val().dstMac() : null;
        }
        default -> {}
      }
    }
    drops = drop;
    asksForStation = station;
    exact = address;
    tag = number;
  }

  /** Who receives what matches. */
  public T target() {
    return target;
  }

  /** What completions report about it; 0 if nothing was asked for. */
  public int tag() {
    return tag;
  }

  FlowAttrType type() {
    return type;
  }

  int priority() {
    return priority;
  }

  /** Whether a frame that matches goes to no rule behind it. */
  boolean traps() {
    return traps;
  }

  /** Whether what matches is dropped. */
  boolean drops() {
    return drops;
  }

  /** Whether it can take what is for the address of another station than this one. */
  boolean overhears(long station) {
    MacAddress only = exact;
    boolean own = only != null && (only.bits() == station || only.isGroup());
    return mayOverhear() && !own;
  }

  private boolean mayOverhear() {
    return switch (type) {
      case ALL_DEFAULT, SNIFFER -> true;
      case MC_DEFAULT -> false;
      case NORMAL -> asksForStation;
    };
  }

  /**
   * Whether a frame that was received is one of its.
   *
   * @param station whether it is for this station: its own address, or a group
   */
  boolean matches(EthernetFrame frame, boolean station) {
    if (!station && !mayOverhear()) {
      return false;
    }
    if (type == FlowAttrType.MC_DEFAULT) {
      return EthernetHeader.isGroup(frame.dst());
    }
    for (FlowSpec spec : specs) {
      if (!FlowMatch.fits(spec, frame)) {
        return false;
      }
    }
    return true;
  }
}
