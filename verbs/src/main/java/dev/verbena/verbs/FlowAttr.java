package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * Attributes of a new steering rule (struct ibv_flow_attr). Defaults: NORMAL, priority 0, port 1,
 * no flags, no specifications.
 */
public final class FlowAttr {
  private FlowAttrType type;
  private int priority;
  private int port = 1;
  private int flags;
  private final List<FlowSpec> specs = new ArrayList<>();

  /** A rule of this type without specifications. */
  public FlowAttr(FlowAttrType type) {
    this.type = type;
  }

  /** A rule for frames that match all of these conditions, with these actions. */
  public static FlowAttr normal(FlowSpec... specs) {
    FlowAttr attr = new FlowAttr(FlowAttrType.NORMAL);
    attr.specs.addAll(List.of(specs));
    return attr;
  }

  /** Which frames the rule applies to. */
  public FlowAttrType type() {
    return type;
  }

  /** Sets which frames the rule applies to. */
  public FlowAttr type(FlowAttrType value) {
    type = value;
    return this;
  }

  /** Rank among the rules, 16 bits: the lowest number is tried first. */
  public int priority() {
    return priority;
  }

  /** Sets the rank among the rules, 16 bits: the lowest number is tried first. */
  public FlowAttr priority(int value) {
    priority = value;
    return this;
  }

  /** Port, from 1. */
  public int port() {
    return port;
  }

  /** Sets the port, from 1. */
  public FlowAttr port(int number) {
    port = number;
    return this;
  }

  /** {@link FlowFlags} bits. */
  public int flags() {
    return flags;
  }

  /** Sets the {@link FlowFlags} bits. */
  public FlowAttr flags(int value) {
    flags = value;
    return this;
  }

  /** Its conditions and actions, in the order in which they were added; a copy. */
  public List<FlowSpec> specs() {
    return List.copyOf(specs);
  }

  /** Adds a condition or an action. */
  public FlowAttr spec(FlowSpec spec) {
    specs.add(spec);
    return this;
  }

  @Override
  public String toString() {
    return "flow_attr["
        + type
        + ", priority="
        + priority
        + ", port="
        + port
        + ", flags=0x"
        + Integer.toHexString(flags)
        + ", "
        + specs
        + "]";
  }
}
