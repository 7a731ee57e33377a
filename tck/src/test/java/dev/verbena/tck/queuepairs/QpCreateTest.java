package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** New queue pairs, and refused ones: S4.5.6 to S4.5.8. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QpCreateTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final Context other = Devices.open(context.device().spec());
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(16);

  @AfterAll
  void closeContexts() {
    context.close();
    other.close();
  }

  @Test
  @Proves("S4.5.6")
  void numbersAreUniqueOnTheDeviceAndNeverReserved() {
    ProtectionDomain otherPd = other.allocPd();
    CompletionQueue otherCq = other.createCq(16);
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      for (QueuePair qp :
          List.of(pd.createQp(QpInitAttr.rc(cq)), otherPd.createQp(QpInitAttr.rc(otherCq)))) {
        assertThat(numbers.add(qp.qpNum())).as("0x%x given out twice", qp.qpNum()).isTrue();
        assertThat(qp.qpNum()).isBetween(2, 0xfffffe);
      }
    }
  }

  @Test
  @Proves("S4.5.6")
  void aNumberIsNotGivenOutAgainAtOnce() {
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      assertThat(numbers.add(qp.qpNum())).isTrue();
      qp.close();
    }
  }

  @Test
  @Proves("S4.5.7")
  void sizesAreGrantedAndWrittenBackAndTheStateIsReset() {
    QpCap asked = new QpCap(3, 5, 2, 3, 17);
    QpInitAttr attr = QpInitAttr.rc(cq).cap(asked);
    QueuePair qp = pd.createQp(attr);

    assertThat(attr.maxSendWr()).isGreaterThanOrEqualTo(asked.maxSendWr());
    assertThat(attr.maxRecvWr()).isGreaterThanOrEqualTo(asked.maxRecvWr());
    assertThat(attr.maxSendSge()).isGreaterThanOrEqualTo(asked.maxSendSge());
    assertThat(attr.maxRecvSge()).isGreaterThanOrEqualTo(asked.maxRecvSge());
    assertThat(attr.maxInlineData()).isGreaterThanOrEqualTo(asked.maxInlineData());
    assertThat(qp.state()).isEqualTo(QpState.RESET);
    assertThat(qp.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RESET);
    assertThat(qp.qpType()).isEqualTo(QpType.RC);
  }

  @Test
  @Proves({"S4.5.8", "S4.4.1"})
  void aQueryTellsWhatItWasCreatedWith() {
    CompletionQueue recvCq = context.createCq(16);
    Object mine = new Object();
    QpInitAttr attr =
        new QpInitAttr(QpType.RC)
            .sendCq(cq)
            .recvCq(recvCq)
            .cap(new QpCap(7, 9, 1, 2, 32))
            .sqSigAll(true)
            .qpContext(mine);
    QueuePair qp = pd.createQp(attr);
    QpInitAttr told = qp.queryInit();

    assertThat(told.qpType()).isEqualTo(QpType.RC);
    assertThat(told.sendCq()).isSameAs(cq).isSameAs(qp.sendCq());
    assertThat(told.recvCq()).isSameAs(recvCq).isSameAs(qp.recvCq());
    assertThat(told.srq()).isNull();
    assertThat(qp.srq()).isNull();
    assertThat(told.sqSigAll()).isTrue();
    assertThat(told.qpContext()).isSameAs(mine).isSameAs(qp.qpContext());
    assertGranted(told.cap(), attr.cap());
    QpAttr state = qp.query(QpAttrMask.STATE, QpAttrMask.CAP);
    assertGranted(state.cap(), attr.cap());
    assertThat(state.qpState()).isEqualTo(QpState.RESET);
    assertThat(qp.pd()).isSameAs(pd);
    assertThat(qp.context()).isSameAs(context);
  }

  /** Devices of others may have room for more than was asked for; ours have not. */
  private static void assertGranted(QpCap told, QpCap asked) {
    assertThat(told.maxSendWr()).isGreaterThanOrEqualTo(asked.maxSendWr());
    assertThat(told.maxRecvWr()).isGreaterThanOrEqualTo(asked.maxRecvWr());
    assertThat(told.maxSendSge()).isGreaterThanOrEqualTo(asked.maxSendSge());
    assertThat(told.maxRecvSge()).isGreaterThanOrEqualTo(asked.maxRecvSge());
    assertThat(told.maxInlineData()).isGreaterThanOrEqualTo(asked.maxInlineData());
    if (!TckLink.areDevicesOfOthers()) { // Those may grant more.
      assertThat(told).isEqualTo(asked);
    }
  }

  Stream<Arguments> sizesOutOfRange() {
    DeviceAttr device = context.queryDevice();
    return Stream.of(
        arguments("max_send_wr", new QpCap(device.maxQpWr() + 1, 1, 1, 1, 0), device.maxQpWr() + 1),
        arguments("max_recv_wr", new QpCap(1, device.maxQpWr() + 1, 1, 1, 0), device.maxQpWr() + 1),
        arguments("max_send_sge", new QpCap(1, 1, device.maxSge() + 1, 1, 0), device.maxSge() + 1),
        arguments("max_recv_sge", new QpCap(1, 1, 1, device.maxSge() + 1, 0), device.maxSge() + 1),
        arguments("max_inline_data", new QpCap(1, 1, 1, 1, 1 << 30), 1 << 30),
        arguments("max_send_wr", new QpCap(-1, 1, 1, 1, 0), -1),
        arguments("max_recv_wr", new QpCap(1, -1, 1, 1, 0), -1),
        arguments("max_send_sge", new QpCap(1, 1, -1, 1, 0), -1),
        arguments("max_recv_sge", new QpCap(1, 1, 1, -1, 0), -1),
        arguments("max_inline_data", new QpCap(1, 1, 1, 1, -1), -1));
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("sizesOutOfRange")
  @Proves("S4.5.7")
  void aSizeBeyondTheDevicesLimitIsRefusedByNameAndValue(String name, QpCap cap, int value) {
    Refused.of(() -> pd.createQp(QpInitAttr.rc(cq).cap(cap)), Errno.EINVAL)
        .from("createQp")
        .naming(name, Integer.toString(value));
  }

  @Test
  @Proves("S4.5.7")
  void theLargestSizesOfTheDeviceAreGranted() {
    DeviceAttr device = context.queryDevice();
    QpCap most = new QpCap(device.maxQpWr(), device.maxQpWr(), device.maxSge(), device.maxSge(), 0);
    pd.createQp(QpInitAttr.rc(cq).cap(most)).close();
  }

  @Test
  @Proves("S4.5.7")
  void bothCompletionQueuesAreNeeded() {
    Refused.of(() -> pd.createQp(new QpInitAttr(QpType.RC).recvCq(cq)), Errno.EINVAL)
        .naming("send");
    Refused.of(() -> pd.createQp(new QpInitAttr(QpType.RC).sendCq(cq)), Errno.EINVAL).naming("rec");
  }

  @Test
  @Proves("S4.5.7")
  void completionQueuesOfAnotherContextAreRefused() {
    CompletionQueue foreign = other.createCq(4);
    Refused.of(() -> pd.createQp(QpInitAttr.rc(cq).sendCq(foreign)), Errno.EINVAL)
        .naming("context");
    Refused.of(() -> pd.createQp(QpInitAttr.rc(cq).recvCq(foreign)), Errno.EINVAL)
        .naming("context");
    foreign.destroy();
  }

  @Test
  @Proves("S4.5.7")
  void aTypeThatTheDeviceDoesNotHaveIsRefused() {
    Refused.of(
            () -> pd.createQp(new QpInitAttr(QpType.DRIVER).sendCq(cq).recvCq(cq)),
            Errno.EOPNOTSUPP,
            Errno.EINVAL)
        .naming("DRIVER");
  }
}
