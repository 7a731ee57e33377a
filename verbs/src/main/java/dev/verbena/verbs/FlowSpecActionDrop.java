package dev.verbena.verbs;

/** Drops matching frames (struct ibv_flow_spec_action_drop). */
public record FlowSpecActionDrop() implements FlowSpec {
  @Override
  public FlowSpecType type() {
    return FlowSpecType.ACTION_DROP;
  }
}
