package dev.verbena.tck.queuepairs;

import static java.util.Map.entry;

import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QueuePair;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The attributes of an RC queue pair that a query returns. */
final class QpValues {
  private static final Map<Integer, Function<QpAttr, Object>> READERS =
      Map.ofEntries(
          entry(QpAttrMask.STATE, QpAttr::qpState),
          entry(QpAttrMask.ACCESS_FLAGS, QpAttr::qpAccessFlags),
          entry(QpAttrMask.PKEY_INDEX, QpAttr::pkeyIndex),
          entry(QpAttrMask.PORT, QpAttr::portNum),
          entry(QpAttrMask.AV, QpAttr::ahAttr),
          entry(QpAttrMask.PATH_MTU, QpAttr::pathMtu),
          entry(QpAttrMask.TIMEOUT, QpAttr::timeout),
          entry(QpAttrMask.RETRY_CNT, QpAttr::retryCnt),
          entry(QpAttrMask.RNR_RETRY, QpAttr::rnrRetry),
          entry(QpAttrMask.RQ_PSN, QpAttr::rqPsn),
          entry(QpAttrMask.MAX_QP_RD_ATOMIC, QpAttr::maxRdAtomic),
          entry(QpAttrMask.MIN_RNR_TIMER, QpAttr::minRnrTimer),
          entry(QpAttrMask.SQ_PSN, QpAttr::sqPsn),
          entry(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttr::maxDestRdAtomic),
          entry(QpAttrMask.PATH_MIG_STATE, QpAttr::pathMigState),
          entry(QpAttrMask.CAP, QpAttr::cap),
          entry(QpAttrMask.DEST_QPN, QpAttr::destQpNum));

  /** Every bit whose attribute an RC queue pair reports. */
  static final int ALL = READERS.keySet().stream().reduce(0, (a, b) -> a | b);

  /** All reported attributes by name, to compare two moments. */
  static Map<String, Object> of(QueuePair qp) {
    QpAttr attr = qp.query(ALL);
    Map<String, Object> values = new TreeMap<>();
    READERS.forEach((bit, reader) -> values.put(QpAttrMask.names(bit), reader.apply(attr)));
    return values;
  }

  /** Whether a query reports the attribute of this bit. */
  static boolean isReported(int bit) {
    return READERS.containsKey(bit);
  }

  /** The attribute of this bit. */
  static Object get(QpAttr attr, int bit) {
    return READERS.get(bit).apply(attr);
  }

  private QpValues() {}
}
