package dev.verbena.soft.device.raw;

import dev.verbena.soft.transport.frames.ToeplitzHash;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.RxHashFields;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.QpInitRules;
import dev.verbena.verbs.provider.Unsupported;

/** Checks of new queue pairs that hash (ibv_create_qp_ex(3)). */
public final class RxHashChecks {
  private static final String FUNCTION = "createQp";
  private static final long IPV4 = RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4;
  private static final long IPV6 = RxHashFields.SRC_IPV6 | RxHashFields.DST_IPV6;
  private static final long TCP = RxHashFields.SRC_PORT_TCP | RxHashFields.DST_PORT_TCP;
  private static final long UDP = RxHashFields.SRC_PORT_UDP | RxHashFields.DST_PORT_UDP;

  /**
   * Checks everything but the owner of the table.
   *
   * @throws VerbsException EOPNOTSUPP for a type, function or field that this device lacks; EINVAL
   *     for contradictions
   */
  public static void check(QpInitAttr attr) {
    if (attr.qpType() != QpType.RAW_PACKET) {
      throw Unsupported.verb(
          FUNCTION, "queue pairs of type " + attr.qpType() + " do not hash (supported_qpts)");
    }
    check(QpInitRules.hash(FUNCTION, attr));
  }

  private static void check(RxHashConf conf) {
    if (conf.rxHashFunction() != RxHashFunction.TOEPLITZ) {
      throw Unsupported.verb(
          FUNCTION, "the software device has no rx_hash_function " + conf.rxHashFunction());
    }
    if (conf.rxHashKey().length != ToeplitzHash.KEY_BYTES) {
      throw refused(
          "rx_hash_key_len=%d is not %d"
              .formatted(conf.rxHashKey().length, ToeplitzHash.KEY_BYTES));
    }
    long fields = conf.rxHashFieldsMask();
    if ((fields & ~ToeplitzHash.FIELDS) != 0) {
      throw Unsupported.verb(
          FUNCTION,
          "the software device has no rx_hash_fields 0x"
              + Long.toHexString(fields & ~ToeplitzHash.FIELDS));
    }
    if (both(fields, IPV4, IPV6) || both(fields, TCP, UDP)) {
      throw refused("fields of both IPv4 and IPv6, or of both TCP and UDP");
    }
  }

  private static boolean both(long fields, long one, long other) {
    return (fields & one) != 0 && (fields & other) != 0;
  }

  private static VerbsException refused(String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, detail);
  }

  private RxHashChecks() {}
}
