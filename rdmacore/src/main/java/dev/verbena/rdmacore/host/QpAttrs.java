package dev.verbena.rdmacore.host;

import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PathMigState;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import org.jspecify.annotations.Nullable;

/** Converts the attributes of a queue pair from and to struct ibv_qp_attr. */
public final class QpAttrs {
  private static final int ALL = -1;

  /** Reads the attributes that the mask names; the rest may be uninitialised memory. */
  public static QpAttr read(long in, int mask) {
    QpAttr attr = new QpAttr();
    for (int rest = mask; rest != 0; rest &= rest - 1) {
      switch (Integer.lowestOneBit(rest)) {
        case QpAttrMask.STATE -> attr.qpState(QpState.of(Host.getInt(in + IbvQpAttr.QP_STATE)));
        case QpAttrMask.CUR_STATE ->
            attr.curQpState(QpState.of(Host.getInt(in + IbvQpAttr.CUR_QP_STATE)));
        case QpAttrMask.EN_SQD_ASYNC_NOTIFY ->
            attr.enSqdAsyncNotify(Host.getByte(in + IbvQpAttr.EN_SQD_ASYNC_NOTIFY) != 0);
        case QpAttrMask.ACCESS_FLAGS ->
            attr.qpAccessFlags(Host.getInt(in + IbvQpAttr.QP_ACCESS_FLAGS));
        case QpAttrMask.PKEY_INDEX -> attr.pkeyIndex(Host.getShort(in + IbvQpAttr.PKEY_INDEX));
        case QpAttrMask.PORT -> attr.portNum(Host.getByte(in + IbvQpAttr.PORT_NUM));
        case QpAttrMask.QKEY -> attr.qkey(Host.getInt(in + IbvQpAttr.QKEY));
        case QpAttrMask.AV -> attr.ahAttr(Structs.ahAttr(in + IbvQpAttr.AH_ATTR));
        case QpAttrMask.PATH_MTU -> attr.pathMtu(Mtu.of(Host.getInt(in + IbvQpAttr.PATH_MTU)));
        case QpAttrMask.TIMEOUT -> attr.timeout(Host.getByte(in + IbvQpAttr.TIMEOUT));
        case QpAttrMask.RETRY_CNT -> attr.retryCnt(Host.getByte(in + IbvQpAttr.RETRY_CNT));
        case QpAttrMask.RNR_RETRY -> attr.rnrRetry(Host.getByte(in + IbvQpAttr.RNR_RETRY));
        case QpAttrMask.RQ_PSN -> attr.rqPsn(Host.getInt(in + IbvQpAttr.RQ_PSN));
        case QpAttrMask.MAX_QP_RD_ATOMIC ->
            attr.maxRdAtomic(Host.getByte(in + IbvQpAttr.MAX_RD_ATOMIC));
        case QpAttrMask.ALT_PATH ->
            attr.altAhAttr(Structs.ahAttr(in + IbvQpAttr.ALT_AH_ATTR))
                .altPkeyIndex(Host.getShort(in + IbvQpAttr.ALT_PKEY_INDEX))
                .altPortNum(Host.getByte(in + IbvQpAttr.ALT_PORT_NUM))
                .altTimeout(Host.getByte(in + IbvQpAttr.ALT_TIMEOUT));
        case QpAttrMask.MIN_RNR_TIMER ->
            attr.minRnrTimer(Host.getByte(in + IbvQpAttr.MIN_RNR_TIMER));
        case QpAttrMask.SQ_PSN -> attr.sqPsn(Host.getInt(in + IbvQpAttr.SQ_PSN));
        case QpAttrMask.MAX_DEST_RD_ATOMIC ->
            attr.maxDestRdAtomic(Host.getByte(in + IbvQpAttr.MAX_DEST_RD_ATOMIC));
        case QpAttrMask.PATH_MIG_STATE ->
            attr.pathMigState(PathMigState.of(Host.getInt(in + IbvQpAttr.PATH_MIG_STATE)));
        case QpAttrMask.CAP -> attr.cap(Structs.cap(in + IbvQpAttr.CAP));
        case QpAttrMask.DEST_QPN -> attr.destQpNum(Host.getInt(in + IbvQpAttr.DEST_QP_NUM));
        case QpAttrMask.RATE_LIMIT -> attr.rateLimit(Host.getInt(in + IbvQpAttr.RATE_LIMIT));
        default -> {
          // No attribute has this bit.
        }
      }
    }
    return attr;
  }

  /**
   * Reads what a query has filled in, which leaves the mask empty. A driver may leave 0 where a
   * queue pair has no value yet.
   */
  public static QpAttr readAll(long in) {
    boolean hasMtu = Host.getInt(in + IbvQpAttr.PATH_MTU) != 0;
    return read(in, hasMtu ? ALL : ALL & ~QpAttrMask.PATH_MTU)
        .sqDraining(Host.getByte(in + IbvQpAttr.SQ_DRAINING) != 0)
        .clear();
  }

  /**
   * Which of the attributes that the mask names does not fit in the bits that the struct has for
   * it, as "timeout=300 is not in ..."; null if all do.
   */
  public static @Nullable String unfit(QpAttr attr, int mask) {
    for (int rest = mask; rest != 0; rest &= rest - 1) {
      String unfit =
          switch (Integer.lowestOneBit(rest)) {
            case QpAttrMask.AV -> Structs.unfit(attr.ahAttr());
            case QpAttrMask.PKEY_INDEX ->
                FieldBits.unfit("pkey_index", attr.pkeyIndex(), Short.SIZE);
            case QpAttrMask.PORT -> FieldBits.unfit("port_num", attr.portNum());
            case QpAttrMask.TIMEOUT -> FieldBits.unfit("timeout", attr.timeout());
            case QpAttrMask.RETRY_CNT -> FieldBits.unfit("retry_cnt", attr.retryCnt());
            case QpAttrMask.RNR_RETRY -> FieldBits.unfit("rnr_retry", attr.rnrRetry());
            case QpAttrMask.MIN_RNR_TIMER -> FieldBits.unfit("min_rnr_timer", attr.minRnrTimer());
            case QpAttrMask.MAX_QP_RD_ATOMIC ->
                FieldBits.unfit("max_rd_atomic", attr.maxRdAtomic());
            case QpAttrMask.MAX_DEST_RD_ATOMIC ->
                FieldBits.unfit("max_dest_rd_atomic", attr.maxDestRdAtomic());
            case QpAttrMask.ALT_PATH ->
                FieldBits.first(
                    Structs.unfit(attr.altAhAttr()),
                    FieldBits.unfit("alt_pkey_index", attr.altPkeyIndex(), Short.SIZE),
                    FieldBits.unfit("alt_port_num", attr.altPortNum()),
                    FieldBits.unfit("alt_timeout", attr.altTimeout()));
            default -> null;
          };
      if (unfit != null) {
        return unfit;
      }
    }
    return null;
  }

  /** Writes all attributes. */
  public static void write(QpAttr attr, long out) {
    Host.setInt(out + IbvQpAttr.QP_STATE, attr.qpState().number());
    Host.setInt(out + IbvQpAttr.CUR_QP_STATE, attr.curQpState().number());
    Host.setInt(out + IbvQpAttr.PATH_MTU, attr.pathMtu().number());
    Host.setInt(out + IbvQpAttr.PATH_MIG_STATE, attr.pathMigState().number());
    Host.setInt(out + IbvQpAttr.QKEY, attr.qkey());
    Host.setInt(out + IbvQpAttr.RQ_PSN, attr.rqPsn());
    Host.setInt(out + IbvQpAttr.SQ_PSN, attr.sqPsn());
    Host.setInt(out + IbvQpAttr.DEST_QP_NUM, attr.destQpNum());
    Host.setInt(out + IbvQpAttr.QP_ACCESS_FLAGS, attr.qpAccessFlags());
    Structs.setCap(out + IbvQpAttr.CAP, attr.cap());
    Structs.setAhAttr(out + IbvQpAttr.AH_ATTR, attr.ahAttr());
    Structs.setAhAttr(out + IbvQpAttr.ALT_AH_ATTR, attr.altAhAttr());
    Host.setShort(out + IbvQpAttr.PKEY_INDEX, attr.pkeyIndex());
    Host.setShort(out + IbvQpAttr.ALT_PKEY_INDEX, attr.altPkeyIndex());
    Host.setByte(out + IbvQpAttr.EN_SQD_ASYNC_NOTIFY, attr.enSqdAsyncNotify() ? 1 : 0);
    Host.setByte(out + IbvQpAttr.SQ_DRAINING, attr.sqDraining() ? 1 : 0);
    Host.setByte(out + IbvQpAttr.MAX_RD_ATOMIC, attr.maxRdAtomic());
    Host.setByte(out + IbvQpAttr.MAX_DEST_RD_ATOMIC, attr.maxDestRdAtomic());
    Host.setByte(out + IbvQpAttr.MIN_RNR_TIMER, attr.minRnrTimer());
    Host.setByte(out + IbvQpAttr.PORT_NUM, attr.portNum());
    Host.setByte(out + IbvQpAttr.TIMEOUT, attr.timeout());
    Host.setByte(out + IbvQpAttr.RETRY_CNT, attr.retryCnt());
    Host.setByte(out + IbvQpAttr.RNR_RETRY, attr.rnrRetry());
    Host.setByte(out + IbvQpAttr.ALT_PORT_NUM, attr.altPortNum());
    Host.setByte(out + IbvQpAttr.ALT_TIMEOUT, attr.altTimeout());
    Host.setInt(out + IbvQpAttr.RATE_LIMIT, attr.rateLimit());
  }

  private QpAttrs() {}
}
