package dev.verbena.tck.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.Absent;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.LoneQp;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.ValuesMask;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Any call on a closed object, and any use of one, is refused and does nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClosedObjectTest {
  private static final MemorySegment MEMORY = Arena.global().allocate(4096);

  private final Context context = Devices.open(TckLink.selected().getFirst().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  Stream<Arguments> callsOnClosedObjects() {
    return Stream.of(
            onContext(),
            onPd(),
            onCq(),
            onCqEx(),
            onChannel(),
            onSrq(),
            onQp(),
            onOthers(),
            onThreadDomain())
        .flatMap(stream -> stream);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("callsOnClosedObjects")
  @Proves("S6.19")
  void aCallOnAClosedObjectIsRefused(String name, ThrowingCallable call) {
    VerbsException refusal = Refused.of(call, Errno.EBADF).naming("is closed").exception();
    assertThat(refusal).as(name).isInstanceOf(ObjectClosedException.class);
  }

  @Test
  void aClosedObjectSaysThatItIsClosed() {
    CompletionQueue cq = context.createCq(1);
    ProtectionDomain pd = context.allocPd();
    MemoryRegion mr = pd.regMr(MEMORY);
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    for (Object object : new Object[] {cq, pd, mr, qp}) {
      assertThat(object.toString()).doesNotContain("closed");
    }
    pd.close();
    cq.close();
    for (Object object : new Object[] {cq, pd, mr, qp}) {
      assertThat(object.toString()).endsWith(" closed");
    }
    assertThat(qp.dump()).contains("closed");
  }

  private static Stream<Arguments> onContext() {
    Context closed = Devices.open(TckLink.selected().getFirst().device());
    EventSource events = closed.asyncEventSource();
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    return Stream.of(
        on("queryDevice", closed::queryDevice),
        on("queryDeviceEx", closed::queryDeviceEx),
        on("queryPort", () -> closed.queryPort(1)),
        on("queryGid", () -> closed.queryGid(1, 0)),
        on("queryGidEx", () -> closed.queryGidEx(1, 0)),
        on("queryGidTable", closed::queryGidTable),
        on("queryPkey", () -> closed.queryPkey(1, 0)),
        on("getPkeyIndex", () -> closed.getPkeyIndex(1, 0xffff)),
        on("allocPd", closed::allocPd),
        on("allocTd", closed::allocTd),
        on("createCq", () -> closed.createCq(1)),
        on("createCqEx", () -> closed.createCqEx(new CqInitAttrEx(1))),
        on("queryRtValuesEx", () -> closed.queryRtValuesEx(ValuesMask.RAW_CLOCK)),
        on("createCompChannel", closed::createCompChannel),
        on("createRwqIndTable", () -> closed.createRwqIndTable(List.of())),
        on("importPd", () -> closed.importPd(1)),
        on("asyncEventSource", closed::asyncEventSource),
        on("isReady", events::isReady),
        on("selectable", events::selectable),
        on("onReadiness", () -> events.onReadiness(null)),
        on("getAsyncEvent", () -> closed.getAsyncEvent(Duration.ZERO)));
  }

  private Stream<Arguments> onPd() {
    ProtectionDomain closed = context.allocPd();
    CompletionQueue cq = context.createCq(1);
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    return Stream.of(
        on("regMr", () -> closed.regMr(MEMORY)),
        on("regMrIova", () -> closed.regMrIova(MEMORY, 0)),
        on("allocMr", () -> closed.allocMr(8)),
        on("createQp", () -> closed.createQp(QpInitAttr.rc(cq))),
        on("createAh", () -> closed.createAh(Addresses.of(context))),
        on("createSrq", () -> closed.createSrq(SrqInitAttr.basic(1, 1))),
        on("allocParentDomain", () -> context.allocParentDomain(closed, null)),
        on("importMr", () -> closed.importMr(1)),
        on("dealloc", closed::dealloc));
  }

  private Stream<Arguments> onCqEx() {
    CompletionQueueEx closed =
        context.createCqEx(new CqInitAttrEx(1).wcFlags(WcExFlags.STANDARD_FLAGS));
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    return Stream.of(
        on("startPoll", closed::startPoll),
        on("nextPoll", closed::nextPoll),
        on("endPoll", closed::endPoll),
        on("poll", () -> closed.poll(new WorkCompletion())),
        on("wrId", closed::wrId),
        on("status", closed::status),
        on("readOpcode", closed::readOpcode),
        on("readByteLen", closed::readByteLen),
        on("modify", () -> closed.modify(1, 1)),
        on("resize", () -> closed.resize(2)));
  }

  private Stream<Arguments> onSrq() {
    ProtectionDomain pd = context.allocPd();
    SharedReceiveQueue closed = pd.createSrq(SrqInitAttr.basic(1, 1));
    CompletionQueue cq = context.createCq(1);
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    return Stream.of(
        on("postRecv", () -> closed.postRecv(new RecvWr())),
        on("query", closed::query),
        on("modifyLimit", () -> closed.modifyLimit(1)),
        on("modifyMaxWr", () -> closed.modifyMaxWr(2)),
        on("srqNum", closed::srqNum),
        on("pd", closed::pd),
        on("createQp", () -> pd.createQp(QpInitAttr.rc(cq).srq(closed))),
        on("destroy", closed::destroy));
  }

  private Stream<Arguments> onCq() {
    CompletionQueue closed = context.createCq(1);
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    WorkCompletion wc = new WorkCompletion();
    return Stream.of(
        on("poll one", () -> closed.poll(wc)),
        on("poll many", () -> closed.poll(new WorkCompletion[] {wc})),
        on("reqNotify", () -> closed.reqNotify(false)),
        on("resize", () -> closed.resize(2)),
        on("modifyCq", () -> closed.modify(1, 1)),
        on("destroyCq", closed::destroy));
  }

  private Stream<Arguments> onChannel() {
    CompletionChannel closed = context.createCompChannel();
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    return Stream.of(
        on("getCqEvent", closed::getCqEvent),
        on("getCqEvent in time", () -> closed.getCqEvent(Duration.ZERO)),
        on("isReady", closed::isReady),
        on("selectable", closed::selectable),
        on("onReadiness", () -> closed.onReadiness(null)),
        on("destroyCompChannel", closed::destroy));
  }

  private Stream<Arguments> onQp() {
    CompletionQueue cq = context.createCq(1);
    ProtectionDomain pd = context.allocPd();
    QueuePairEx closed = pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.SEND));
    var endpoint = closed.endpoint();
    closed.close();
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    return Stream.of(
        on("modifyQp", () -> closed.modify(new QpAttr().qpState(QpState.ERR))),
        on("queryQp", () -> closed.query(QpAttrMask.STATE)),
        on("queryQp for init", closed::queryInit),
        on("connect", () -> closed.connect(endpoint)),
        on("queryEce", closed::queryEce),
        on("setEce", () -> closed.setEce(new Ece(1, 2))),
        on("queryDataInOrder", () -> closed.queryDataInOrder(WrOpcode.SEND, 0)),
        on("postSend", () -> closed.postSend(new SendWr().opcode(WrOpcode.SEND))),
        on("postRecv", () -> closed.postRecv(new RecvWr())),
        on("wrStart", closed::wrStart),
        on("destroyQp", closed::destroy));
  }

  private Stream<Arguments> onOthers() {
    ProtectionDomain pd = context.allocPd();
    MemoryRegion mr = pd.regMr(MEMORY);
    mr.close();
    mr.close();
    AddressHandle ah = pd.createAh(Addresses.of(context));
    ah.close();
    ah.close();
    return Stream.of(
        on("reregMr", () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, null, 0)),
        on("deregMr", mr::dereg),
        on("destroyAh", ah::destroy));
  }

  /** None where a device of others has no thread domains. */
  private Stream<Arguments> onThreadDomain() {
    ThreadDomain td;
    try {
      td = context.allocTd();
    } catch (VerbsException e) {
      assertThat(Absent.isListed(e)).as("%s", e).isTrue();
      return Stream.of();
    }
    td.close();
    td.close();
    return Stream.of(on("deallocTd", td::dealloc));
  }

  @Test
  void aClosedObjectIsNoArgument() {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(1);
    cq.close();
    CompletionChannel channel = context.createCompChannel();
    channel.close();
    ThreadDomain td = context.allocTd();
    td.close();
    ProtectionDomain closed = context.allocPd();
    closed.close();
    MemoryRegion mr = pd.regMr(MEMORY);
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> pd.createQp(QpInitAttr.rc(cq)),
          () -> context.createCq(1, channel),
          () -> context.allocParentDomain(pd, td),
          () -> mr.rereg(ReregFlags.CHANGE_PD, closed, null, 0)
        }) {
      Refused.of(call, Errno.EBADF, Errno.EINVAL).naming("closed");
    }
    pd.close();
  }

  @OnEveryLink
  void closingAContextClosesAllItOwnsAndLeavesItsPeerToTimeOut(TckLink link) {
    try (QpPair pair = QpPair.open(link);
        Context sibling = Devices.open(pair.right().context().device().spec())) {
      QpEnd right = pair.right();
      var channel = right.context().createCompChannel();
      var armed = right.context().createCq(1, channel);
      var ah = right.pd().createAh(Addresses.of(right.context()));

      right.context().close();

      assertThat(right.qp().isClosed()).isTrue();
      assertThat(right.mr().isClosed()).isTrue();
      assertThat(right.pd().isClosed()).isTrue();
      assertThat(right.sendCq().isClosed()).isTrue();
      assertThat(right.recvCq().isClosed()).isTrue();
      assertThat(channel.isClosed()).isTrue();
      assertThat(armed.isClosed()).isTrue();
      assertThat(ah.isClosed()).isTrue();
      sibling.allocPd().dealloc();
      pair.left().qp().postSend(SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().awaitSend(1, WcStatus.RETRY_EXC_ERR);
    }
  }

  @Test
  void twoThreadsMayCloseOneContext() throws Exception {
    for (int i = 0; i < 20; i++) {
      Context twice = Devices.open(TckLink.selected().getFirst().device());
      LoneQp lone = LoneQp.in(twice, QpState.RTS);
      Background<Void> other = Background.run(twice::close);
      twice.close();
      other.result();
      assertThat(twice.isClosed()).isTrue();
      assertThat(lone.qp().isClosed()).isTrue();
    }
  }

  private static Arguments on(String name, ThrowingCallable call) {
    return arguments(name, call);
  }
}
