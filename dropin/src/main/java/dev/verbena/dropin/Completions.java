package dev.verbena.dropin;

import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/** Work completions as a struct ibv_wc. */
final class Completions {
  static void write(WorkCompletion wc, long out) {
    Host.setLong(out + IbvWc.WR_ID, wc.wrId());
    Host.setInt(out + IbvWc.STATUS, wc.status().number());
    Host.setInt(out + IbvWc.OPCODE, wc.opcode().number());
    Host.setInt(out + IbvWc.VENDOR_ERR, wc.vendorErr());
    Host.setInt(out + IbvWc.BYTE_LEN, (int) wc.byteLen());
    Host.setInt(out + IbvWc.IMM_DATA, immOrRkey(wc));
    Host.setInt(out + IbvWc.QP_NUM, wc.qpNum());
    Host.setInt(out + IbvWc.SRC_QP, wc.srcQp());
    Host.setInt(out + IbvWc.WC_FLAGS, wc.wcFlags());
    Host.setShort(out + IbvWc.PKEY_INDEX, wc.pkeyIndex());
    Host.setShort(out + IbvWc.SLID, wc.slid());
    Host.setByte(out + IbvWc.SL, wc.sl());
    Host.setByte(out + IbvWc.DLID_PATH_BITS, wc.dlidPathBits());
  }

  /** They share their place; immediate data is big-endian, a key is not. */
  private static int immOrRkey(WorkCompletion wc) {
    return (wc.wcFlags() & WcFlags.WITH_INV) != 0
        ? wc.invalidatedRkey()
        : Integer.reverseBytes(wc.immData());
  }

  static void read(long in, WorkCompletion wc) {
    int flags = Host.getInt(in + IbvWc.WC_FLAGS);
    int shared = Host.getInt(in + IbvWc.IMM_DATA);
    wc.wrId(Host.getLong(in + IbvWc.WR_ID))
        .status(WcStatus.of(Host.getInt(in + IbvWc.STATUS)))
        .opcode(WcOpcode.of(Host.getInt(in + IbvWc.OPCODE)))
        .vendorErr(Host.getInt(in + IbvWc.VENDOR_ERR))
        .byteLen(Integer.toUnsignedLong(Host.getInt(in + IbvWc.BYTE_LEN)))
        .immData(Integer.reverseBytes(shared))
        .invalidatedRkey((flags & WcFlags.WITH_INV) != 0 ? shared : 0)
        .qpNum(Host.getInt(in + IbvWc.QP_NUM))
        .srcQp(Host.getInt(in + IbvWc.SRC_QP))
        .wcFlags(flags)
        .pkeyIndex(Host.getShort(in + IbvWc.PKEY_INDEX))
        .slid(Host.getShort(in + IbvWc.SLID))
        .sl(Host.getByte(in + IbvWc.SL))
        .dlidPathBits(Host.getByte(in + IbvWc.DLID_PATH_BITS));
  }

  private Completions() {}
}
