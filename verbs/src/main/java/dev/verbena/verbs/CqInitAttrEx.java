package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes of a new extended completion queue (struct ibv_cq_init_attr_ex).
 *
 * {@snippet :
 * CompletionQueueEx cq =
 *     context.createCqEx(
 *         new CqInitAttrEx(256)
 *             .wcFlags(WcExFlags.STANDARD_FLAGS, WcExFlags.COMPLETION_TIMESTAMP)
 *             .flags(CreateCqFlags.SINGLE_THREADED));
 * }
 *
 * <p>Defaults: no channel, completion vector 0, no fields beyond wr_id, status, opcode, vendor_err
 * and wc_flags, no flags.
 */
public final class CqInitAttrEx {
  private int cqe;
  private @Nullable Object cqContext;
  private @Nullable CompletionChannel channel;
  private int compVector;
  private int wcFlags;
  private int flags;
  private @Nullable ParentDomain parentDomain;

  /**
   * Attributes of a queue of this size.
   *
   * @param cqe entries, 1 to max_cqe
   */
  public CqInitAttrEx(int cqe) {
    this.cqe = cqe;
  }

  /** Entries. */
  public int cqe() {
    return cqe;
  }

  /** Sets the number of entries, 1 to max_cqe; the queue may get more. */
  public CqInitAttrEx cqe(int entries) {
    cqe = entries;
    return this;
  }

  /** The application's own object. */
  public @Nullable Object cqContext() {
    return cqContext;
  }

  /** Sets the application's own object, returned with events. */
  public CqInitAttrEx cqContext(@Nullable Object context) {
    cqContext = context;
    return this;
  }

  /** The channel that receives the events, or null. */
  public @Nullable CompletionChannel channel() {
    return channel;
  }

  /** Sets the channel that receives the events, or null. */
  public CqInitAttrEx channel(@Nullable CompletionChannel events) {
    channel = events;
    return this;
  }

  /** Completion vector. */
  public int compVector() {
    return compVector;
  }

  /** Sets the completion vector, from 0, below num_comp_vectors. */
  public CqInitAttrEx compVector(int vector) {
    compVector = vector;
    return this;
  }

  /** The {@link WcExFlags} bits: the fields that will be read. */
  public int wcFlags() {
    return wcFlags;
  }

  /**
   * Sets the fields that will be read, as {@link WcExFlags}; without an argument this is {@link
   * #wcFlags() the getter}.
   */
  public CqInitAttrEx wcFlags(int... fields) {
    wcFlags = Flags.or(fields);
    return this;
  }

  /** The {@link CreateCqFlags} bits. */
  public int flags() {
    return flags;
  }

  /**
   * Sets {@link CreateCqFlags} bits (IBV_CQ_INIT_ATTR_MASK_FLAGS); without an argument this is
   * {@link #flags() the getter}.
   */
  public CqInitAttrEx flags(int... bits) {
    flags = Flags.or(bits);
    return this;
  }

  /** The parent domain, or null. */
  public @Nullable ParentDomain parentDomain() {
    return parentDomain;
  }

  /**
   * Sets the parent domain (IBV_CQ_INIT_ATTR_MASK_PD), which is in use for as long as the queue
   * exists. Its thread domain removes the lock between polling threads, as {@link
   * CreateCqFlags#SINGLE_THREADED} does.
   */
  public CqInitAttrEx parentDomain(@Nullable ParentDomain domain) {
    parentDomain = domain;
    return this;
  }

  @Override
  public String toString() {
    return "cq_init_attr_ex[cqe="
        + cqe
        + ", comp_vector="
        + compVector
        + ", wc_flags=0x"
        + Integer.toHexString(wcFlags)
        + ", flags=0x"
        + Integer.toHexString(flags)
        + (channel == null ? "" : ", channel")
        + (parentDomain == null ? "" : ", parent_domain")
        + "]";
  }
}
