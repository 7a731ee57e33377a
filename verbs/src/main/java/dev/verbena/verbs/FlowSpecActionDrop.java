package dev.verbena.verbs;

/** What matches is dropped (struct ibv_flow_spec_action_drop). */
public record FlowSpecActionDrop() implements FlowSpec {
  @Override
  public FlowSpecType type() {
    return FlowSpecType.ACTION_DROP;
  }
}
