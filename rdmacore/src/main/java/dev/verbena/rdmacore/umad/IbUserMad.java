package dev.verbena.rdmacore.umad;

import dev.verbena.rdmacore.layout.StructLayout;

/**
 * The header of a datagram on its way through the kernel, including its address. Numbers are in the
 * computer's byte order, except where an address field is marked as big-endian.
 */
final class IbUserMad {
  static final StructLayout LAYOUT = new StructLayout("struct ib_user_mad", 64);

  static final long AGENT_ID = LAYOUT.field("agent_id", 0, 4);

  /** Error number; not 0 if a datagram comes back because it was not answered. */
  static final long STATUS = LAYOUT.field("status", 4, 4);

  static final long TIMEOUT_MS = LAYOUT.field("timeout_ms", 8, 4);
  static final long RETRIES = LAYOUT.field("retries", 12, 4);

  /** Bytes, including this header. */
  static final long LENGTH = LAYOUT.field("length", 16, 4);

  /** Big-endian. */
  static final long ADDR_QPN = LAYOUT.field("addr.qpn", 20, 4);

  /** Big-endian. */
  static final long ADDR_QKEY = LAYOUT.field("addr.qkey", 24, 4);

  /** Big-endian. */
  static final long ADDR_LID = LAYOUT.field("addr.lid", 28, 2);

  static final long ADDR_SL = LAYOUT.field("addr.sl", 30, 1);
  static final long ADDR_PATH_BITS = LAYOUT.field("addr.path_bits", 31, 1);
  static final long ADDR_GRH_PRESENT = LAYOUT.field("addr.grh_present", 32, 1);
  static final long ADDR_GID_INDEX = LAYOUT.field("addr.gid_index", 33, 1);
  static final long ADDR_HOP_LIMIT = LAYOUT.field("addr.hop_limit", 34, 1);
  static final long ADDR_TRAFFIC_CLASS = LAYOUT.field("addr.traffic_class", 35, 1);
  static final long ADDR_GID = LAYOUT.field("addr.gid", 36, 16);

  /** Big-endian. */
  static final long ADDR_FLOW_LABEL = LAYOUT.field("addr.flow_label", 52, 4);

  static final long ADDR_PKEY_INDEX = LAYOUT.field("addr.pkey_index", 56, 2);

  private IbUserMad() {}
}
