package dev.verbena.verbs;

/**
 * Value or mask of an Ethernet specification (struct ibv_flow_eth_filter).
 *
 * @param dstMac destination
 * @param srcMac source
 * @param etherType type after the last VLAN tag, 16 bits
 * @param vlanTag first VLAN tag, 16 bits: priority 3, drop eligible 1, VLAN 12
 */
public record FlowEthFilter(MacAddress dstMac, MacAddress srcMac, int etherType, int vlanTag) {
  /** All zero. */
  public static final FlowEthFilter ZERO =
      new FlowEthFilter(MacAddress.ZERO, MacAddress.ZERO, 0, 0);
}
