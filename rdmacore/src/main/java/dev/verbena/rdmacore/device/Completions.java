package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Reads structs ibv_wc. */
final class Completions {
  private static final WcStatus[] STATUSES = WcStatus.values();
  private static final @Nullable WcOpcode[] OPCODES = opcodes();

  /** Reads what a driver has written: of a failure only the first members. */
  static void read(long in, WorkCompletion wc) {
    int status = Host.getInt(in + IbvWc.STATUS);
    wc.wrId(Host.getLong(in + IbvWc.WR_ID))
        .status(STATUSES[status])
        .vendorErr(Host.getInt(in + IbvWc.VENDOR_ERR))
        .qpNum(Host.getInt(in + IbvWc.QP_NUM));
    if (status == 0) {
      readSuccess(in, wc);
    }
  }

  private static void readSuccess(long in, WorkCompletion wc) {
    int flags = Host.getInt(in + IbvWc.WC_FLAGS);
    int shared = Host.getInt(in + IbvWc.IMM_DATA);
    boolean hasKey = (flags & WcFlags.WITH_INV) != 0;
    wc.opcode(opcode(Host.getInt(in + IbvWc.OPCODE)))
        .byteLen(Integer.toUnsignedLong(Host.getInt(in + IbvWc.BYTE_LEN)))
        .immData(hasKey ? 0 : Integer.reverseBytes(shared))
        .invalidatedRkey(hasKey ? shared : 0)
        .srcQp(Host.getInt(in + IbvWc.SRC_QP))
        .wcFlags(flags)
        .pkeyIndex(Host.getShort(in + IbvWc.PKEY_INDEX))
        .slid(Host.getShort(in + IbvWc.SLID))
        .sl(Host.getByte(in + IbvWc.SL))
        .dlidPathBits(Host.getByte(in + IbvWc.DLID_PATH_BITS));
  }

  private static WcOpcode opcode(int number) {
    WcOpcode opcode = number >= 0 && number < OPCODES.length ? OPCODES[number] : null;
    if (opcode == null) {
      throw new VerbsException("poll", Errno.EPROTO, "no completion has the opcode " + number);
    }
    return opcode;
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
