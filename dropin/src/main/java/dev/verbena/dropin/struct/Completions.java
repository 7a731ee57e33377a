package dev.verbena.dropin.struct;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;

/** Converts work completions to struct ibv_wc. */
public final class Completions {
  public static void write(WorkCompletion wc, long out) {
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

  /** The two share a field; immediate data is big-endian, a key is not. */
  private static int immOrRkey(WorkCompletion wc) {
    return (wc.wcFlags() & WcFlags.WITH_INV) != 0
        ? wc.invalidatedRkey()
        : Integer.reverseBytes(wc.immData());
  }

  /**
   * The fields that determine the address of the sender; like libibverbs, it reads nothing else,
   * because a program may have left the rest uninitialised.
   */
  public static WorkCompletion sender(long in) {
    return new WorkCompletion()
        .srcQp(Host.getInt(in + IbvWc.SRC_QP))
        .wcFlags(Host.getInt(in + IbvWc.WC_FLAGS))
        .slid(Host.getShort(in + IbvWc.SLID))
        .sl(Host.getByte(in + IbvWc.SL))
        .dlidPathBits(Host.getByte(in + IbvWc.DLID_PATH_BITS));
  }

  private Completions() {}
}
