package dev.verbena.verbs;

/**
 * A device's capabilities for on-demand memory (struct ibv_odp_caps and xrc_odp_caps of
 * ibv_query_device_ex(3)); all 0 if it has none.
 *
 * @param generalCaps {@link OdpGeneralCaps} bits
 * @param rcOdpCaps {@link OdpTransportCaps} bits of RC queue pairs
 * @param ucOdpCaps the same of UC
 * @param udOdpCaps the same of UD
 * @param xrcOdpCaps the same of XRC
 */
public record OdpCaps(
    long generalCaps, int rcOdpCaps, int ucOdpCaps, int udOdpCaps, int xrcOdpCaps) {
  /** None. */
  public static final OdpCaps NONE = new OdpCaps(0, 0, 0, 0, 0);

  @Override
  public String toString() {
    return FieldText.of(
        "odp_caps", this, "generalCaps", "rcOdpCaps", "ucOdpCaps", "udOdpCaps", "xrcOdpCaps");
  }
}
