package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Reads structs ibv_wc. */
final class Completions {
  private static final WorkCompletion EMPTY = new WorkCompletion();
  private static final WcStatus[] STATUSES = WcStatus.values();
  private static final @Nullable WcOpcode[] OPCODES = opcodes();

  /**
   * Reads what a driver has written; of a failure only the first members have a meaning. A
   * completion with a number that this release does not know is a GENERAL_ERR that names it.
   */
  public static void read(long in, WorkCompletion wc) {
    int status = Host.getInt(in + IbvWc.STATUS);
    WcOpcode opcode = opcode(Host.getInt(in + IbvWc.OPCODE));
    if (status == 0 && opcode != null) {
      readHead(in, wc.status(WcStatus.SUCCESS));
      readSuccess(in, wc.opcode(opcode));
      return;
    }
    readHead(in, wc.set(EMPTY));
    if (status > 0 && status < STATUSES.length) {
      wc.status(STATUSES[status]);
    } else {
      String words =
          status == 0
              ? "it succeeded with the opcode " + Host.getInt(in + IbvWc.OPCODE)
              : "the status is " + status;
      wc.status(WcStatus.GENERAL_ERR)
          .vendorErr(wc.vendorErr(), number -> words + ", which this release does not know");
    }
  }

  private static void readHead(long in, WorkCompletion wc) {
    wc.wrId(Host.getLong(in + IbvWc.WR_ID))
        .vendorErr(Host.getInt(in + IbvWc.VENDOR_ERR))
        .qpNum(Host.getInt(in + IbvWc.QP_NUM));
  }

  private static void readSuccess(long in, WorkCompletion wc) {
    int flags = Host.getInt(in + IbvWc.WC_FLAGS);
    int shared = Host.getInt(in + IbvWc.IMM_DATA);
    boolean hasKey = (flags & WcFlags.WITH_INV) != 0;
    wc.byteLen(Integer.toUnsignedLong(Host.getInt(in + IbvWc.BYTE_LEN)))
        .immData(hasKey ? 0 : Integer.reverseBytes(shared))
        .invalidatedRkey(hasKey ? shared : 0)
        .srcQp(Host.getInt(in + IbvWc.SRC_QP))
        .wcFlags(flags)
        .pkeyIndex(Host.getShort(in + IbvWc.PKEY_INDEX))
        .slid(Host.getShort(in + IbvWc.SLID))
        .sl(Host.getByte(in + IbvWc.SL))
        .dlidPathBits(Host.getByte(in + IbvWc.DLID_PATH_BITS));
  }

  /** The status with this number, or null. */
  static @Nullable WcStatus status(int number) {
    return number >= 0 && number < STATUSES.length ? STATUSES[number] : null;
  }

  /** The opcode with this number, or null. */
  static @Nullable WcOpcode opcode(int number) {
    return number >= 0 && number < OPCODES.length ? OPCODES[number] : null;
  }

  private static @Nullable WcOpcode[] opcodes() {
    int last = 0;
    for (WcOpcode opcode : WcOpcode.values()) {
      last = Math.max(last, opcode.number());
    }
    @Nullable WcOpcode[] byNumber = new WcOpcode[last + 1];
    for (WcOpcode opcode : WcOpcode.values()) {
      byNumber[opcode.number()] = opcode;
    }
    return byNumber;
  }

  private Completions() {}
}
