package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PortCap;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pair 1 of the subnet's manager, with {@link EchoAgent} behind it. */
@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD)
class SubnetManagerTest {
  private static final int MAD = Iba.MAD_LENGTH;
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final long RETRY_NANOS = 50_000_000;
  private static final int GRH = Grh.LENGTH;
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final Context context;
  private final Subnet subnet;
  private final ProtectionDomain pd;
  private final CompletionQueue sendCq;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final MemoryRegion mr;
  private final WorkCompletion wc = new WorkCompletion();

  SubnetManagerTest() {
    context = Devices.open("ib:" + newName());
    subnet = Subnet.of(context);
    pd = context.allocPd();
    sendCq = context.createCq(64);
    cq = context.createCq(64);
    qp = pd.createQp(QpInitAttr.ud(cq).sendCq(sendCq));
    mr = pd.allocMr(8192, Access.LOCAL_WRITE);
    qp.toRts(Iba.DEFAULT_QP1_QKEY);
  }

  private static String newName() {
    return "manager-test-" + NAMES.getAndIncrement();
  }

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void thePortTellsWhereTheManagerIs() {
    assertThat(context.queryPort(1).smLid()).isEqualTo(subnet.smLid()).isPositive();
    SubnetPort first = subnet.ports().getFirst();
    assertThat(first.lid()).isEqualTo(subnet.smLid());
    assertThat(first.portCapFlags() & PortCap.SM).isNotZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?link=packet"})
  void aMadIsAnsweredFromQueuePairOne(String options) {
    try (Context other = Devices.open("ib:" + newName() + options)) {
      CompletionQueue otherCq = other.createCq(8);
      ProtectionDomain otherPd = other.allocPd();
      QueuePair otherQp = otherPd.createQp(QpInitAttr.ud(otherCq));
      MemoryRegion memory = otherPd.allocMr(1024, Access.LOCAL_WRITE);
      otherQp.toRts(Iba.DEFAULT_QP1_QKEY);
      otherQp.postRecv(new RecvWr().wrId(5).sgList(memory.sge(GRH + MAD, 512)));
      otherQp.postSend(mad(otherPd, memory, toManager(), MAD));
      WorkCompletion received = await(otherCq, 5);
      assertThat(received.srcQp()).isEqualTo(1);
      assertThat(received.slid()).isEqualTo(subnet.smLid());
      assertThat(received.wcFlags() & WcFlags.GRH).isZero();
      assertThat(received.byteLen()).isEqualTo(GRH + MAD);
      assertThat(number(memory, 512 + GRH + EchoAgent.LID_AT)).isEqualTo(other.queryPort(1).lid());
      assertThat(number(memory, 512 + GRH + EchoAgent.QPN_AT)).isEqualTo(otherQp.qpNum());
    }
  }

  @Test
  void aMadWithAGlobalRouteIsAnsweredWithOne() {
    Gid manager = subnet.ports().getFirst().gids().getFirst();
    WorkCompletion received = answer(AhAttr.to(manager).withDlid(subnet.smLid()));
    assertThat(received.wcFlags() & WcFlags.GRH).isNotZero();
    assertThat(Grh.of(mr.memory().asSlice(4096)).sgid()).isEqualTo(manager);
    assertThat(mr.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 4096 + GRH + EchoAgent.GUID_AT))
        .isEqualTo(context.queryGid(1, 0).interfaceId());
  }

  @Test
  void theAgentMayAnswerSeveralTimes() {
    postReceive();
    postReceive();
    askUntilReceived(EchoAgent.ANSWER_TWICE, toManager());
    askUntilReceived(EchoAgent.ANSWER_TWICE, toManager());
  }

  @Test
  void theManagerOutlivesWhateverComesAndWhateverTheAgentDoes() {
    ask(EchoAgent.FAIL, toManager(), MAD);
    ask(EchoAgent.ANSWER_TOO_MUCH, toManager(), MAD);
    ask(EchoAgent.SAY_NOTHING, toManager(), MAD);
    ask(EchoAgent.ANSWER, toManager(), MAD - 1);
    ask(EchoAgent.ANSWER, toManager(), MAD + 1);
    ask(EchoAgent.ANSWER, toManager(), 0);
    for (int i = 0; i < 300; i++) {
      ask(EchoAgent.FAIL, toManager(), MAD);
    }
    answer(toManager());
  }

  @Test
  void theAgentHearsOfPortsThatLeave() {
    Context leaving = Devices.open("ib:" + newName());
    long guid = leaving.queryGid(1, 0).interfaceId();
    leaving.close();
    answer(toManager());
    assertThat(EchoAgent.DEPARTED).contains(guid);
  }

  private AhAttr toManager() {
    return AhAttr.to(Gid.ZERO).withDlid(subnet.smLid()).withoutGrh();
  }

  private void postReceive() {
    qp.postRecv(new RecvWr().wrId(5).sgList(mr.sge(GRH + MAD, 4096)));
  }

  private WorkCompletion answer(AhAttr to) {
    postReceive();
    return askUntilReceived(EchoAgent.ANSWER, to);
  }

  /** Retries as clients do, because a manager kept busy by another test drops requests. */
  private WorkCompletion askUntilReceived(byte command, AhAttr to) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      ask(command, to, MAD);
      long retry = System.nanoTime() + RETRY_NANOS;
      while (System.nanoTime() < retry) {
        if (cq.poll(wc)) {
          return wc.orThrow();
        }
      }
      assertThat(retry).as("time of the answer").isLessThan(deadline);
    }
  }

  private void ask(byte command, AhAttr to, int length) {
    mr.memory().set(ValueLayout.JAVA_BYTE, 0, command);
    qp.postSend(mad(pd, mr, to, length).wrId(6).sendFlags(SendFlags.SIGNALED));
    await(sendCq, 6);
  }

  private static SendWr mad(ProtectionDomain pd, MemoryRegion memory, AhAttr to, int length) {
    return new SendWr()
        .opcode(WrOpcode.SEND)
        .sgList(memory.sge(length, 0))
        .ah(pd.createAh(to))
        .remoteQpn(1)
        .remoteQkey(Iba.DEFAULT_QP1_QKEY);
  }

  private static int number(MemoryRegion memory, long at) {
    return memory.memory().get(ValueLayout.JAVA_INT_UNALIGNED, at);
  }

  private WorkCompletion await(CompletionQueue from, long wrId) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!from.poll(wc)) {
      assertThat(System.nanoTime()).as("time of " + wrId).isLessThan(deadline);
    }
    assertThat(wc.orThrow().wrId()).isEqualTo(wrId);
    return wc;
  }
}
