package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.QpAttrs;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvGlobalRoute;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PathMigState;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.Rate;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Converts a queue pair's attributes through a struct ibv_qp_attr and back. */
final class QpAttrsTest {
  private static final int ALL = (1 << 21) - 1 | QpAttrMask.RATE_LIMIT;

  private final long struct = Arena.ofAuto().allocate(IbvQpAttr.LAYOUT.size(), 8).address();

  /** Values that all differ, with the highest bit set if there is one. */
  private final QpAttr attr =
      new QpAttr()
          .qpState(QpState.RTS)
          .curQpState(QpState.SQD)
          .enSqdAsyncNotify(true)
          .qpAccessFlags(0x80000007)
          .pkeyIndex(0xfe01)
          .portNum(0xf1)
          .qkey(0x81234567)
          .ahAttr(route(0x40))
          .pathMtu(Mtu.MTU_2048)
          .timeout(31)
          .retryCnt(6)
          .rnrRetry(5)
          .rqPsn(0xfedcba)
          .maxRdAtomic(0xf2)
          .altAhAttr(route(0x50))
          .altPkeyIndex(0xfe02)
          .altPortNum(0xf3)
          .altTimeout(30)
          .minRnrTimer(29)
          .sqPsn(0xabcdef)
          .maxDestRdAtomic(0xf4)
          .pathMigState(PathMigState.ARMED)
          .cap(new QpCap(1001, 1002, 1003, 1004, 1005))
          .destQpNum(0xfedcbb)
          .rateLimit(0x87654321);

  private static AhAttr route(int base) {
    return new AhAttr(
        true,
        new Gid(0xfe80000000000000L + base, 0x8123456789abcdefL),
        base + 1,
        0xfff00 + base,
        base + 2,
        base + 3,
        0xff00 + base,
        base % 16 + 4,
        base + 5,
        Rate.of(base == 0x40 ? 3 : 6),
        base + 6);
  }

  @Test
  void everyAttributeIsWhereTheProgramReadsIt() {
    QpAttrs.write(attr, struct);

    StructAssert.assertSame(IbvQpAttr.LAYOUT, struct, attr, "cap", "ah_attr", "alt_ah_attr");
    StructAssert.assertSame(IbvQpCap.LAYOUT, struct + IbvQpAttr.CAP, attr.cap());
    assertRoute(struct + IbvQpAttr.AH_ATTR, attr.ahAttr());
    assertRoute(struct + IbvQpAttr.ALT_AH_ATTR, attr.altAhAttr());
  }

  private static void assertRoute(long address, AhAttr wanted) {
    StructAssert.assertSame(IbvAhAttr.LAYOUT, address, wanted, "grh");
    long grh = address + IbvAhAttr.GRH;
    StructAssert.assertSame(IbvGlobalRoute.LAYOUT, grh, wanted, "dgid");
    assertThat(Structs.gid(grh + IbvGlobalRoute.DGID)).isEqualTo(wanted.dgid());
  }

  @Test
  void whatQueryWroteModifyReads() {
    QpAttrs.write(attr, struct);

    QpAttr read = QpAttrs.read(struct, ALL);

    assertThat(read.mask()).isEqualTo(attr.mask());
    assertThat(read.toString()).isEqualTo(attr.toString());
    assertThat(read).usingRecursiveComparison().isEqualTo(attr);
  }

  @Test
  void whatTheMaskDoesNotNameIsNotLookedAt() {
    for (long i = 0; i < IbvQpAttr.LAYOUT.size(); i++) {
      Host.setByte(struct + i, 0xff);
    }
    Host.setInt(struct + IbvQpAttr.QP_STATE, QpState.ERR.number());

    QpAttr read = QpAttrs.read(struct, QpAttrMask.STATE);

    assertThat(read.mask()).isEqualTo(QpAttrMask.STATE);
    assertThat(read.qpState()).isEqualTo(QpState.ERR);
  }
}
