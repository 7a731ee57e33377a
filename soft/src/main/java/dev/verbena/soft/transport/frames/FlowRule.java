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
 * @param <T> the receiver of matching frames
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
   * Makes a rule from checked attributes.
   *
   * @param target the receiver of matching frames
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

  /** The receiver of matching frames. */
  public T target() {
    return target;
  }

  /** Its tag in completions; 0 if there is none. */
  public int tag() {
    return tag;
  }

  FlowAttrType type() {
    return type;
  }

  int priority() {
    return priority;
  }

  /** Whether a matching frame goes to no later rule. */
  boolean traps() {
    return traps;
  }

  /** Whether matching frames are dropped. */
  boolean drops() {
    return drops;
  }

  /** Whether it can match frames for another station's address. */
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
   * Whether a received frame matches.
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
