package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.Collection;

/** A send request of a run, with everything that the model needs to judge its effects. */
abstract class Op {
  private final WrOpcode opcode;
  private final WcOpcode completion;
  private final long wrId;
  private Addressing addressing = Addressing.CONNECTED;
  private int flags;
  private WcStatus outcome = WcStatus.SUCCESS;
  private boolean refused;

  Op(WrOpcode opcode, WcOpcode completion, long wrId) {
    this.opcode = opcode;
    this.completion = completion;
    this.wrId = wrId;
  }

  final long wrId() {
    return wrId;
  }

  final WrOpcode opcode() {
    return opcode;
  }

  final int flags() {
    return flags;
  }

  final boolean isSignaled() {
    return (flags & SendFlags.SIGNALED) != 0;
  }

  /** The status that it must end with. */
  final WcStatus outcome() {
    return outcome;
  }

  /** Whether it must have no effect at the peer. */
  final boolean isRefused() {
    return refused;
  }

  final Op flags(int more) {
    flags |= more;
    return this;
  }

  final Op to(Addressing destination) {
    addressing = destination;
    return this;
  }

  /** Marks it as having no effect, and ending with this status. */
  final Op refusedWith(WcStatus status) {
    outcome = status;
    refused = true;
    return this;
  }

  /** Posts it alone. */
  void post(QueuePairEx qp) {
    qp.postSend(toSendWr());
  }

  final SendWr toSendWr() {
    SendWr wr = new SendWr().wrId(wrId).opcode(opcode).sendFlags(flags);
    addressing.put(wr);
    describe(wr);
    return wr;
  }

  final void build(QueuePairEx qp) {
    qp.wrId(wrId).wrFlags(flags);
    describe(qp);
    addressing.put(qp);
  }

  /** Sets the fields that are specific to this kind of request. */
  abstract void describe(SendWr wr);

  /** Calls the builder and the setter for the data. */
  abstract void describe(QueuePairEx qp);

  /**
   * What it stores in the peer's target, whose present contents are {@code before}, unless it is
   * refused.
   */
  Change changeOf(Shadow before) {
    return Change.NONE;
  }

  /** Whether it takes a receive of the peer. */
  boolean consumesReceive() {
    return false;
  }

  /**
   * Whether the next request must be fenced: a READ may be executed again after later requests
   * (S12.6.3), which must not change what it reads.
   */
  boolean needsFenceBehind() {
    return false;
  }

  /**
   * Checks its result after success.
   *
   * @param target the peer's memory before it
   * @param later the later requests, which may have been executed as well
   */
  void checkResult(Target target, Collection<Op> later) {}

  /** Checks the fields of a successful completion. */
  void checkCompletion(WorkCompletion wc) {
    assertThat(wc.opcode()).as("%s", this).isEqualTo(completion);
  }

  /** Bytes of data, for descriptions. */
  abstract int length();

  @Override
  public String toString() {
    return opcode
        + " wr_id="
        + wrId
        + " length="
        + length()
        + (isSignaled() ? " signaled" : "")
        + (refused ? " refused" : "")
        + " -> "
        + outcome;
  }
}
