package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WorkCompletion;

/**
 * The fields that the cursor of a completion queue reads, for every device.
 *
 * @param flags {@link WcExFlags}
 * @param queue name of the queue, for messages
 */
public record CompletionFields(int flags, String queue) {
  /** Whether it reads this one. */
  public boolean has(int field) {
    return (flags & field) != 0;
  }

  /**
   * Refuses to read a field that was not asked for.
   *
   * @throws VerbsException EOPNOTSUPP
   */
  public void require(String function, int field, String name) {
    if (!has(field)) {
      throw new VerbsException(
          function,
          Errno.EOPNOTSUPP,
          name + " was not requested when " + queue + " was created: see wcFlags");
    }
  }

  /** Leaves in a completion what may be read. */
  public WorkCompletion mask(WorkCompletion wc) {
    if ((flags & WcExFlags.STANDARD_FLAGS) == WcExFlags.STANDARD_FLAGS) {
      return wc;
    }
    if (!has(WcExFlags.IMM)) {
      wc.immData(0).invalidatedRkey(0);
    }
    return wc.byteLen(has(WcExFlags.BYTE_LEN) ? wc.byteLen() : 0)
        .qpNum(has(WcExFlags.QP_NUM) ? wc.qpNum() : 0)
        .srcQp(has(WcExFlags.SRC_QP) ? wc.srcQp() : 0)
        .slid(has(WcExFlags.SLID) ? wc.slid() : 0)
        .sl(has(WcExFlags.SL) ? wc.sl() : 0)
        .dlidPathBits(has(WcExFlags.DLID_PATH_BITS) ? wc.dlidPathBits() : 0);
  }
}
