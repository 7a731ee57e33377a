package dev.verbena.verbs;

/**
 * What matches is reported with this number (struct ibv_flow_spec_action_tag), which {@link
 * CompletionQueueEx} reads.
 *
 * @param tagId the number
 */
public record FlowSpecActionTag(int tagId) implements FlowSpec {
  @Override
  public FlowSpecType type() {
    return FlowSpecType.ACTION_TAG;
  }
}
