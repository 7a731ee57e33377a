package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the transport over the loopback of an Ethernet device, where there is no subnet
 * administrator.
 */
class UdMadTransportTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private Context context;
  private EndPort endPort;

  @BeforeEach
  void open() {
    context = Devices.open("soft0");
    endPort = context.endPort();
  }

  @AfterEach
  void close() {
    context.close();
  }

  private UdMadTransport transport() {
    return UdMadTransport.open(context, path(), false);
  }

  private IbPath path() {
    return IbPath.builder(endPort).build();
  }

  private MadAddress to(UdMadTransport transport) {
    return new MadAddress(
        AhAttr.to(endPort.defaultGid()), transport.qp.qpNum(), Iba.DEFAULT_QP1_QKEY, 0);
  }

  private static MemorySegment mad(int filling) {
    return MemorySegment.ofArray(new byte[Iba.MAD_LENGTH]).fill((byte) filling);
  }

  @Test
  void datagramsGoThereAndBack() throws Exception {
    try (UdMadTransport one = transport();
        UdMadTransport two = transport()) {
      for (int round = 0; round < 500; round++) {
        one.send(to(two), mad(round), Duration.ZERO);
        MemorySegment into = mad(0);
        MadAddress from = Objects.requireNonNull(two.receive(into, LONG));
        assertThat(into.mismatch(mad(round))).isEqualTo(-1);
        assertThat(from.qpn()).isEqualTo(one.qp.qpNum());
        two.send(from, into, Duration.ZERO);
        assertThat(one.receive(into, LONG)).isNotNull();
      }
      assertThat(one.receive(mad(0), Duration.ZERO)).isNull();
    }
  }

  @Test
  void closingEndsAWait() throws Exception {
    UdMadTransport transport = transport();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread waiter =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ended.complete(transport.receive(mad(0), LONG) == null);
                  } catch (InterruptedException | RuntimeException e) {
                    ended.completeExceptionally(e);
                  }
                });
    transport.close();
    transport.close();
    assertThat(ended.get(60, TimeUnit.SECONDS)).isTrue();
    waiter.join();
    assertThatThrownBy(
            () ->
                transport.send(
                    new MadAddress(AhAttr.to(endPort.defaultGid()), 1, 1, 0), mad(0), LONG))
        .isInstanceOf(ObjectClosedException.class);
  }

  @Test
  void aSendThatFailsIsALossAndNoEnd() throws Exception {
    try (UdMadTransport one = transport();
        UdMadTransport two = transport()) {
      for (int round = 1; round <= 3; round++) {
        // Keys of another domain are refused when the request is executed.
        one.memory.rereg(ReregFlags.CHANGE_PD, context.allocPd(), null);
        one.send(to(two), mad(0), Duration.ZERO);
        while (one.qp.query(QpAttrMask.STATE).qpState() != QpState.SQE) {
          Thread.onSpinWait();
        }
        one.memory.rereg(ReregFlags.CHANGE_PD, one.pd, null);
        MemorySegment into = mad(0);
        while (two.receive(into, Duration.ZERO) == null) {
          one.send(to(two), mad(round), Duration.ZERO);
        }
        assertThat(into.mismatch(mad(round))).isEqualTo(-1);
        while (two.receive(into, Duration.ofMillis(1)) != null) {
          assertThat(into.mismatch(mad(round))).isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void whatCannotBeClosedKeepsNothingElseOpen() {
    Context own = Devices.open("soft0");
    UdMadTransport transport = UdMadTransport.open(own, path(), true);
    QueuePair user = userOf(transport.pd, own);
    assertThatThrownBy(transport::close)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    assertThat(own.isClosed()).isTrue();
    assertThat(user.isClosed()).isTrue();
    transport.close();
  }

  @Test
  void whatCouldNotBeClosedIsClosedByAnotherCall() {
    UdMadTransport transport = transport();
    QueuePair user = userOf(transport.pd, context);
    assertThatThrownBy(transport::close)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    assertThat(transport.pd.isClosed()).isFalse();
    user.close();
    transport.close();
    assertThat(transport.pd.isClosed()).isTrue();
    assertThat(transport.qp.isClosed()).isTrue();
  }

  /** A queue pair of another domain, which prevents this one from being closed. */
  private static QueuePair userOf(ProtectionDomain pd, Context context) {
    SharedReceiveQueue used = pd.createSrq(SrqInitAttr.basic(4, 1));
    return context.allocPd().createQp(QpInitAttr.rc(context.createCq(4)).srq(used));
  }

  @Test
  void queuePairZeroIsRefusedByName() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      IbPath route = IbPath.builder(endPort).drPath(List.of(0, 1)).build();
      assertThatThrownBy(() -> mad.ask(MadCall.subnGet(new Attribute(NodeInfo.FORMAT), 0, route)))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
          .hasMessageContaining("queue pair 0");
    }
  }

  @Test
  void anAgentIsAskedByAPathToIt() throws Exception {
    try (UdMadTransport agent = transport();
        MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      IbPath path =
          IbPath.builder(endPort)
              .dgid(endPort.defaultGid())
              .sgid(endPort.defaultGid())
              .hasGrh(true)
              .hopLimit(1)
              .dqpn(agent.qp.qpNum())
              .qkey(Iba.DEFAULT_QP1_QKEY)
              .build();
      Attribute asked = new Attribute(ClassPortInfo.FORMAT);
      CompletableFuture<Attribute> answer =
          mad.async(MadCall.get(MgmtClass.PERFORMANCE, asked, 0, path));
      MemorySegment request = mad(0);
      MadAddress from = Objects.requireNonNull(agent.receive(request, LONG));
      MadHeader.METHOD.set(request, 0, MadMethod.GET_RESP);
      asked.set(ClassPortInfo.RESPONSE_TIME, 5).write(request, 64);
      agent.send(from, request, Duration.ZERO);
      assertThat(answer.get(60, TimeUnit.SECONDS).getInt(ClassPortInfo.RESPONSE_TIME)).isEqualTo(5);
    }
  }

  /** A path to a queue pair that does not exist. */
  private IbPath.Builder nobody() {
    return IbPath.builder(endPort)
        .dgid(endPort.defaultGid())
        .sgid(endPort.defaultGid())
        .hasGrh(true)
        .dqpn(0xfffff0);
  }

  @Test
  void whoWaitsHearsThatTheTransactorIsClosed() throws Exception {
    MadTransactor mad = Mads.getGmpMad(endPort, context);
    IbPath nobody = nobody().build();
    Attribute asked = new Attribute(ClassPortInfo.FORMAT);
    MadCall<Attribute> call = MadCall.get(MgmtClass.PERFORMANCE, asked, 0, nobody);
    CompletableFuture<Attribute> answer = mad.async(call);
    mad.close();
    assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> mad.ask(call)).isInstanceOf(ObjectClosedException.class);
    mad.close();
  }

  @Test
  void anAnswerThatDoesNotComeIsATimeoutAfterTheTimeThatThePathSays() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      IbPath nobody = nobody().packetLifeTime(10).respTime(10).retries(2).build();
      Attribute asked = new Attribute(ClassPortInfo.FORMAT);
      long begin = System.nanoTime();
      assertThatThrownBy(() -> mad.ask(MadCall.get(MgmtClass.PERFORMANCE, asked, 0, nobody)))
          .isInstanceOfSatisfying(
              MadException.class, e -> assertThat(e.kind()).isEqualTo(MadException.Kind.TIMEOUT));
      assertThat(System.nanoTime() - begin)
          .isGreaterThanOrEqualTo(nobody.madTimeout().multipliedBy(3).toNanos());
    }
  }

  @Test
  void aShortWaitIsNotHeldUpByALongOne() {
    try (MadTransactor mad = Mads.getGmpMad(endPort, context)) {
      IbPath patient = nobody().respTime(31).build();
      Attribute asked = new Attribute(ClassPortInfo.FORMAT);
      CompletableFuture<Attribute> later =
          mad.async(MadCall.get(MgmtClass.PERFORMANCE, asked, 0, patient));
      IbPath hasty = patient.copy(path -> path.respTime(0).packetLifeTime(0));
      assertThatThrownBy(() -> mad.ask(MadCall.get(MgmtClass.PERFORMANCE, asked, 0, hasty)))
          .isInstanceOf(MadException.class);
      assertThat(later.isDone()).isFalse();
      assertThat(later.cancel(false)).isTrue();
    }
  }

  @Test
  void withoutASubnetAdministratorThereIsNobodyToAsk() {
    try (MadTransactor mad = Mads.getGmpMad(endPort)) {
      assertThatThrownBy(() -> mad.subnAdmGet(new Attribute(PathRecord.FORMAT)))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETUNREACH));
    }
  }
}
