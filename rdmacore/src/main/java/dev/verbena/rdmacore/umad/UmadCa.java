package dev.verbena.rdmacore.umad;

import dev.verbena.rdmacore.layout.StructLayout;

/** A node, with pointers to memory that umad_release_ca frees. */
final class UmadCa {
  static final StructLayout LAYOUT = new StructLayout("struct umad_ca", 208);

  /** Entries of {@link #PORTS}, starting with port 0. */
  static final int MAX_PORTS = 10;

  /** Text terminated by a zero byte. */
  static final long CA_NAME = LAYOUT.field("ca_name", 0, 20);

  static final long NODE_TYPE = LAYOUT.field("node_type", 20, 4);

  static final long NUMPORTS = LAYOUT.field("numports", 24, 4);

  /** Text terminated by a zero byte. */
  static final long FW_VER = LAYOUT.field("fw_ver", 28, 20);

  /** Text terminated by a zero byte. */
  static final long CA_TYPE = LAYOUT.field("ca_type", 48, 40);

  /** Text terminated by a zero byte. */
  static final long HW_VER = LAYOUT.field("hw_ver", 88, 20);

  /** Big-endian. */
  static final long NODE_GUID = LAYOUT.field("node_guid", 112, 8);

  /** Big-endian. */
  static final long SYSTEM_GUID = LAYOUT.field("system_guid", 120, 8);

  /** Pointers to {@link UmadPort}, null for a port that does not exist. */
  static final long PORTS = LAYOUT.field("ports", 128, 80);

  private UmadCa() {}
}
