package dev.verbena.verbs;

/**
 * Tags matching frames with a number (struct ibv_flow_spec_action_tag), which {@link
 * CompletionQueueEx#readFlowTag} reports on adapters that have {@link WcExFlags#FLOW_TAG}. A
 * software device takes the rule, but reports the tag nowhere.
 *
 * @param tagId the number; adapters have room for some of its bits only, mlx5 for 24
 */
public record FlowSpecActionTag(int tagId) implements FlowSpec {
  @Override
  public FlowSpecType type() {
    return FlowSpecType.ACTION_TAG;
  }
}
