package dev.verbena.verbs;

/**
 * How fast a device can be told to send at most, by {@link QpAttr#rateLimit(int)} (struct
 * ibv_packet_pacing_caps; ibv_query_device_ex(3)); all 0 if it cannot.
 *
 * @param qpRateLimitMin the lowest limit, kbit/s
 * @param qpRateLimitMax the highest limit, kbit/s
 * @param supportedQpts bit n set: queue pairs of type number n can be limited
 */
public record PacketPacingCaps(long qpRateLimitMin, long qpRateLimitMax, int supportedQpts) {
  /** None. */
  public static final PacketPacingCaps NONE = new PacketPacingCaps(0, 0, 0);
}
