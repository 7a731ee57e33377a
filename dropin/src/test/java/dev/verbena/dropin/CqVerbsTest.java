package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCq;
import dev.verbena.rdmacore.layout.IbvCqInitAttrEx;
import dev.verbena.rdmacore.layout.IbvModifyCqAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Errno;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Completion queues: creation, size and moderation. */
final class CqVerbsTest {
  private final Program program = new Program();
  private final long context = program.context();

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void theStructSaysWhatTheQueueIs() {
    long cq =
        program.made(Verbs.call("ibv_create_cq", context, 100, 0x1234, 0, 0), "ibv_destroy_cq");
    assertThat(Host.getLong(cq + IbvCq.CONTEXT)).isEqualTo(context);
    assertThat(Host.getLong(cq + IbvCq.CQ_CONTEXT)).isEqualTo(0x1234);
    assertThat(Host.getLong(cq + IbvCq.CHANNEL)).isZero();
    assertThat(Host.getInt(cq + IbvCq.CQE)).isGreaterThanOrEqualTo(100);
  }

  @Test
  void sizesAndVectorsOutOfRangeAreNullAndEinval() {
    for (int cqe : new int[] {0, -1, Integer.MAX_VALUE}) {
      assertThat(Verbs.call("ibv_create_cq", context, cqe, 0, 0, 0)).isZero();
      assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    }
    for (int vector : new int[] {-1, 1_000_000}) {
      assertThat(Verbs.call("ibv_create_cq", context, 1, 0, 0, vector)).isZero();
      assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  void anotherSizeIsWrittenIntoTheStruct() {
    long cq = program.cq(10);
    assertThat(Verbs.callInt("ibv_resize_cq", cq, 500)).isZero();
    int cqe = Host.getInt(cq + IbvCq.CQE);
    assertThat(cqe).isGreaterThanOrEqualTo(500);
    assertThat(Verbs.callInt("ibv_resize_cq", cq, 0)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getInt(cq + IbvCq.CQE)).isEqualTo(cqe);
  }

  @Test
  void moderationIsTakenOrRefusedByItsMask() {
    long cq = program.cq(10);
    long attr = program.struct(IbvModifyCqAttr.LAYOUT);
    Host.setShort(attr + IbvModifyCqAttr.MODERATE_CQ_COUNT, 4);
    Host.setShort(attr + IbvModifyCqAttr.MODERATE_CQ_PERIOD, 10);
    assertThat(modify(cq, attr)).isEqualTo(Errno.EINVAL);
    Host.setInt(attr + IbvModifyCqAttr.ATTR_MASK, 1);
    assertThat(modify(cq, attr)).isZero();
  }

  private int modify(long cq, long attr) {
    return (int) Verbs.operation(context, VerbsContext.MODIFY_CQ, cq, attr);
  }

  @Test
  void extendedAttributesThatNobodyHasAreRefused() {
    long attr = program.struct(IbvCqInitAttrEx.LAYOUT);
    Host.setInt(attr + IbvCqInitAttrEx.CQE, 16);
    Host.setInt(attr + IbvCqInitAttrEx.COMP_MASK, 1 << 7);
    assertThat(Verbs.operation(context, VerbsContext.CREATE_CQ_EX, context, attr)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    Host.setInt(attr + IbvCqInitAttrEx.COMP_MASK, 0);
    Host.setLong(attr + IbvCqInitAttrEx.WC_FLAGS, 1L << 40);
    assertThat(Verbs.operation(context, VerbsContext.CREATE_CQ_EX, context, attr)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }
}
