package dev.verbena.verbs;

/**
 * A condition on the Ethernet header (struct ibv_flow_spec_eth). With a non-zero mask for the VLAN
 * tag, only frames with a tag match.
 *
 * @param val values
 * @param mask masks
 */
public record FlowSpecEth(FlowEthFilter val, FlowEthFilter mask) implements FlowSpec {
  private static final int WORD = 0xffff;

  /** Matches any Ethernet frame; the other methods narrow it down. */
  public FlowSpecEth() {
    this(FlowEthFilter.ZERO, FlowEthFilter.ZERO);
  }

  @Override
  public FlowSpecType type() {
    return FlowSpecType.ETH;
  }

  /** The same condition, and this destination. */
  public FlowSpecEth dstMac(MacAddress mac) {
    return new FlowSpecEth(
        new FlowEthFilter(mac, val.srcMac(), val.etherType(), val.vlanTag()),
        new FlowEthFilter(MacAddress.BROADCAST, mask.srcMac(), mask.etherType(), mask.vlanTag()));
  }

  /** The same condition, and this source. */
  public FlowSpecEth srcMac(MacAddress mac) {
    return new FlowSpecEth(
        new FlowEthFilter(val.dstMac(), mac, val.etherType(), val.vlanTag()),
        new FlowEthFilter(mask.dstMac(), MacAddress.BROADCAST, mask.etherType(), mask.vlanTag()));
  }

  /** The same condition, and this type, 16 bits. */
  public FlowSpecEth etherType(int type) {
    return new FlowSpecEth(
        new FlowEthFilter(val.dstMac(), val.srcMac(), type, val.vlanTag()),
        new FlowEthFilter(mask.dstMac(), mask.srcMac(), WORD, mask.vlanTag()));
  }

  /** The same condition, and this VLAN, 12 bits, with any priority. */
  public FlowSpecEth vlan(int id) {
    return new FlowSpecEth(
        new FlowEthFilter(val.dstMac(), val.srcMac(), val.etherType(), id),
        new FlowEthFilter(mask.dstMac(), mask.srcMac(), mask.etherType(), 0x0fff));
  }
}
