package dev.verbena.verbs;

/**
 * A request to bind a type 1 memory window (struct ibv_mw_bind).
 *
 * @param wrId returned in the completion
 * @param sendFlags {@link SendFlags}: SIGNALED and FENCE; SOLICITED and IP_CSUM are accepted but
 *     have no effect; INLINE and unknown bits are EINVAL
 * @param bindInfo what the window covers
 */
public record MwBind(long wrId, int sendFlags, MwBindInfo bindInfo) {
  @Override
  public String toString() {
    return FieldText.of("mw_bind", this, "sendFlags");
  }
}
