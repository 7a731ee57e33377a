package dev.verbena.verbs;

/**
 * State and limits of a port (struct ibv_port_attr).
 *
 * @param state logical state
 * @param maxMtu largest MTU of the port
 * @param activeMtu largest usable path MTU
 * @param gidTblLen entries of the GID table
 * @param portCapFlags {@link PortCap}
 * @param maxMsgSz length of the longest message in bytes
 * @param badPkeyCntr P_Key violations
 * @param qkeyViolCntr Q_Key violations
 * @param pkeyTblLen entries of the P_Key table
 * @param lid 0 on Ethernet
 * @param smLid 0 on Ethernet
 * @param lmc 0 on Ethernet
 * @param maxVlNum virtual lanes, encoded
 * @param smSl service level of the subnet manager
 * @param subnetTimeout subnet propagation delay code
 * @param initTypeReply initialisation reply
 * @param activeWidth width, encoded: 1 is 1X, 2 is 4X, 4 is 8X, 8 is 12X, 16 is 2X
 * @param activeSpeed speed, encoded: 1 is 2.5 Gbit/s a lane, 2 is 5, 4 and 8 are 10, 16 is 14, 32
 *     is 25, 64 is 50, 128 is 100, 256 is 200
 * @param physState physical state: 3 is disabled, 5 is link up
 * @param linkLayer link layer
 * @param flags bit 0: a GRH is required
 * @param portCapFlags2 more capabilities (enum ibv_port_cap_flags2), 16 bits; 0 on Ethernet
 */
public record PortAttr(
    PortState state,
    Mtu maxMtu,
    Mtu activeMtu,
    int gidTblLen,
    int portCapFlags,
    long maxMsgSz,
    int badPkeyCntr,
    int qkeyViolCntr,
    int pkeyTblLen,
    int lid,
    int smLid,
    int lmc,
    int maxVlNum,
    int smSl,
    int subnetTimeout,
    int initTypeReply,
    int activeWidth,
    int activeSpeed,
    int physState,
    LinkLayer linkLayer,
    int flags,
    int portCapFlags2) {
  /** Bit 0 of flags: addresses need a global route. */
  public static final int GRH_REQUIRED = 1;

  /**
   * The speed of all lanes together, in units of 100 Mbit/s; 0 if the width or the speed is
   * undefined.
   */
  long speed() {
    int lane =
        switch (activeSpeed) {
          case 1 -> 25;
          case 2 -> 50;
          case 4, 8 -> 100;
          case 16 -> 140;
          case 32 -> 250;
          case 64 -> 500;
          case 128 -> 1000;
          case 256 -> 2000;
          default -> 0;
        };
    int lanes =
        switch (activeWidth) {
          case 1 -> 1;
          case 2 -> 4;
          case 4 -> 8;
          case 8 -> 12;
          case 16 -> 2;
          default -> 0;
        };
    return (long) lane * lanes;
  }

  @Override
  public String toString() {
    return FieldText.of("port_attr", this, "portCapFlags", "flags", "portCapFlags2");
  }
}
