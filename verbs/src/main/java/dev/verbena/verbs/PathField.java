package dev.verbena.verbs;

import java.util.List;

/**
 * The numeric values of an {@link IbPath}: their names in its text form, their sizes and defaults.
 * They are in the order of the serialised form, which is stable.
 */
enum PathField {
  DLID("DLID", 16, 0),
  SLID("SLID", 16, 0),
  SL("SL", 4, 0),
  PKEY("pkey", 16, Iba.DEFAULT_PKEY),
  HAS_GRH("has_grh", 1, 0),
  MTU("MTU", 3, Mtu.MTU_256.number()) {
    @Override
    boolean isValue(long value) {
      return value >= Mtu.MTU_256.number() && value <= Mtu.MTU_4096.number();
    }

    @Override
    String range() {
      return "1 (256 bytes) to 5 (4096 bytes)";
    }
  },
  RATE("rate", 6, Rate.RATE_2_5.number()) {
    @Override
    boolean isValue(long value) {
      for (Rate rate : Rate.values()) {
        if (rate.number() == value) {
          return true;
        }
      }
      return false;
    }

    @Override
    String range() {
      return "the number of an ibv_rate";
    }
  },
  HOP_LIMIT("hop_limit", 8, 0),
  FLOW_LABEL("flow_label", 20, 0),
  TRAFFIC_CLASS("traffic_class", 8, 0),
  /** The default, 63, is no real life time: it means the end port's value. */
  PACKET_LIFE_TIME("packet_life_time", 6, 63),
  RESP_TIME("resp_time", 5, 20),
  DACK_RESP_TIME("dack_resp_time", 5, 20),
  SACK_RESP_TIME("sack_resp_time", 5, 20),
  DQPN("dqpn", 24, 0),
  SQPN("sqpn", 24, 0),
  QKEY("qkey", 32, 0),
  DQPSN("dqpsn", 24, 0),
  SQPSN("sqpsn", 24, 0),
  DRDATOMIC("drdatomic", 8, 255),
  SRDATOMIC("srdatomic", 8, 255),
  RETRIES("retries", 3, 0),
  MIN_RNR_TIMER("min_rnr_timer", 5, 0);

  /** The values that the queue pairs agreed on, whichever way packets take. */
  static final List<PathField> TERMS =
      List.of(
          MTU,
          DACK_RESP_TIME,
          SACK_RESP_TIME,
          DQPN,
          SQPN,
          QKEY,
          DQPSN,
          SQPSN,
          DRDATOMIC,
          SRDATOMIC,
          RETRIES,
          MIN_RNR_TIMER);

  /** The values of each side, the destination's first. */
  static final List<List<PathField>> SIDES =
      List.of(
          List.of(DLID, SLID),
          List.of(DQPN, SQPN),
          List.of(DACK_RESP_TIME, SACK_RESP_TIME),
          List.of(DQPSN, SQPSN),
          List.of(DRDATOMIC, SRDATOMIC));

  private final String key;
  private final int bits;
  private final int initial;

  PathField(String key, int bits, int initial) {
    this.key = key;
    this.bits = bits;
    this.initial = initial;
  }

  /** The name in the text form. */
  String key() {
    return key;
  }

  /** A value in the text form: keys are hexadecimal, as is usual. */
  String text(int value) {
    return this == PKEY || this == QKEY
        ? "0x" + Integer.toHexString(value)
        : Integer.toString(value);
  }

  /** The length in bytes in the serialised form. */
  int bytes() {
    return (bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** The default value. */
  int initial() {
    return initial;
  }

  /** Whether this unsigned value is in range. */
  boolean isValue(long value) {
    return value >>> bits == 0;
  }

  /** The valid values, for messages. */
  String range() {
    return "0 to " + ((1L << bits) - 1);
  }

  /**
   * The value, unsigned, as an int.
   *
   * @throws VerbsException EINVAL if it is out of range
   */
  int checked(long value) {
    if (!isValue(value)) {
      throw new VerbsException("ibPath", Errno.EINVAL, key + " " + value + ": it takes " + range());
    }
    return (int) value;
  }
}
