package dev.verbena.rdmacore.layout;

/** Ethernet specification of a flow rule. */
public final class IbvFlowSpecEth {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_eth", 40);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  public static final long VAL_DST_MAC = LAYOUT.field("val.dst_mac", 6, 6);
  public static final long VAL_SRC_MAC = LAYOUT.field("val.src_mac", 12, 6);

  /** Big-endian. */
  public static final long VAL_ETHER_TYPE = LAYOUT.field("val.ether_type", 18, 2);

  /** Big-endian: priority 3 bits, CFI 1, VLAN 12. */
  public static final long VAL_VLAN_TAG = LAYOUT.field("val.vlan_tag", 20, 2);

  public static final long MASK_DST_MAC = LAYOUT.field("mask.dst_mac", 22, 6);
  public static final long MASK_SRC_MAC = LAYOUT.field("mask.src_mac", 28, 6);

  /** Big-endian. */
  public static final long MASK_ETHER_TYPE = LAYOUT.field("mask.ether_type", 34, 2);

  /** Big-endian: priority 3 bits, CFI 1, VLAN 12. */
  public static final long MASK_VLAN_TAG = LAYOUT.field("mask.vlan_tag", 36, 2);

  private IbvFlowSpecEth() {}
}
