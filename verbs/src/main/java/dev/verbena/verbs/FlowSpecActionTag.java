package dev.verbena.verbs;

/**
 * Tags matching frames with a number (struct ibv_flow_spec_action_tag). No completion reports it
 * yet: {@link WcExFlags#FLOW_TAG} is refused with EOPNOTSUPP when a completion queue is created.
 *
 * @param tagId the number
 */
public record FlowSpecActionTag(int tagId) implements FlowSpec {
  @Override
  public FlowSpecType type() {
    return FlowSpecType.ACTION_TAG;
  }
}
