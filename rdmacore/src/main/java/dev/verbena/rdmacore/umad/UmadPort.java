package dev.verbena.rdmacore.umad;

import dev.verbena.rdmacore.layout.StructLayout;

/** A port, with pointers to memory that umad_release_ca frees. */
final class UmadPort {
  static final StructLayout LAYOUT = new StructLayout("struct umad_port", 112);

  static final long BASE_LID = LAYOUT.field("base_lid", 24, 4);
  static final long LMC = LAYOUT.field("lmc", 28, 4);
  static final long SM_LID = LAYOUT.field("sm_lid", 32, 4);
  static final long SM_SL = LAYOUT.field("sm_sl", 36, 4);
  static final long STATE = LAYOUT.field("state", 40, 4);
  static final long PHYS_STATE = LAYOUT.field("phys_state", 44, 4);

  /** Gbit/s. */
  static final long RATE = LAYOUT.field("rate", 48, 4);

  /** Big-endian. */
  static final long CAPMASK = LAYOUT.field("capmask", 52, 4);

  /** Big-endian. */
  static final long GID_PREFIX = LAYOUT.field("gid_prefix", 56, 8);

  /** Big-endian. */
  static final long PORT_GUID = LAYOUT.field("port_guid", 64, 8);

  static final long PKEYS_SIZE = LAYOUT.field("pkeys_size", 72, 4);

  /** Pointer to numbers of 16 bits. */
  static final long PKEYS = LAYOUT.field("pkeys", 80, 8);

  /** Text terminated by a zero byte. */
  static final long LINK_LAYER = LAYOUT.field("link_layer", 88, 20);

  private UmadPort() {}
}
