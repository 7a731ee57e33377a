package dev.verbena.tck.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.HeardLog;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.XrcDomain;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Contexts that a program loses without closing them. Runs alone, since it waits for the garbage
 * collector.
 */
@Isolated
final class LostContextTest {
  private static final String TRACING = "dev.verbena.leaks";

  private final HeardLog log = new HeardLog("dev.verbena.verbs.provider.LostContexts");

  @AfterEach
  void becomeQuiet() {
    System.clearProperty(TRACING);
    log.close();
  }

  /** Collects garbage until the log has a line about this device. */
  private LogRecord awaitLoss(String device) throws InterruptedException {
    return log.await("context of " + device + ",", Await.DEADLINE, System::gc);
  }

  private static boolean hasThread(String device) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .anyMatch(name -> (name + " ").startsWith("verbena " + device + " "));
  }

  /** Loses a context with one of each below it; returns the name of its device. */
  private static String lose(DeviceSpec spec) {
    Context context = Devices.open(spec);
    ProtectionDomain pd = context.allocPd();
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = context.createCq(8, channel);
    CompletionQueue cursor = context.createCqEx(new CqInitAttrEx(8));
    ProtectionDomain parent = context.allocParentDomain(pd, context.allocTd());
    XrcDomain xrcd = context.openXrcd();
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
    pd.createSrq(SrqInitAttr.xrc(xrcd, cq, 4, 1));
    pd.allocMr(4096, Access.LOCAL_WRITE, Access.MW_BIND);
    pd.allocNullMr();
    pd.allocMw(MwType.TYPE_1);
    pd.createAh(Addresses.of(context));
    pd.createQp(QpInitAttr.rc(cq).srq(srq));
    parent.createQpEx(QpInitAttr.rc(cursor).sendOps(SendOps.SEND));
    context.createQpEx(QpInitAttr.xrcRecv(xrcd));
    if (context.queryPort(1).linkLayer() == LinkLayer.ETHERNET) {
      pd.createQp(QpInitAttr.ud(cq)).attachMcast(Addresses.nextGroup(), 0);
      pd.createQp(new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq))
          .createFlow(FlowAttr.normal(new FlowSpecEth()));
      context.createRwqIndTable(
          List.of(context.createWq(new WqInitAttr(pd, cq).maxWr(1).maxSge(1))));
    }
    return context.device().name();
  }

  @OnEveryLink
  void aLostContextIsReportedAndItsDeviceIsFreed(TckLink link) throws InterruptedException {
    DeviceSpec spec = link.device();
    String device = lose(spec);
    LogRecord line = awaitLoss(device);
    assertThat(line.getLevel()).isEqualTo(Level.WARNING);
    assertThat(line.getThrown()).isNull();
    assertThat(line.getMessage())
        .contains("1 MW, 1 AH, 2 SRQ, 2 MR, 2 CQ, 1 parent domain, 1 PD, 1 TD, 1 completion")
        .contains("has now been closed")
        .contains(TRACING);
    if (link.layer() == LinkLayer.ETHERNET) {
      assertThat(line.getMessage())
          .contains("1 multicast group, 1 flow, 5 QP, 1 indirection table, 1 WQ, ");
    }
    assertThat(hasThread(device)).isFalse();
    // With other options it can be opened only anew.
    Devices.open(spec.icrc(false)).close();
  }

  /** Loses two contexts that exchange messages, with completions and events that nobody took. */
  private static List<String> loseInTraffic(TckLink link) {
    QpPair pair = PairSetup.on(link).open();
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    left.sendCq().reqNotify();
    right.recvCq().reqNotify();
    right.postRecv(1, right.sge(0, 8));
    left.qp().postSend(SendWrs.send(1, left.sge(0, 8)));
    for (int i = 0; i < 8; i++) {
      left.qp().postSend(SendWrs.write(i, right, 0, left.sge(0, 4096)));
    }
    // There is no receive for it, so it is retried again and again.
    left.qp().postSend(SendWrs.send(2, left.sge(0, 8)));
    return List.of(left.context().device().name(), right.context().device().name());
  }

  @OnEveryLink
  void contextsInTheMidstOfTrafficAreLostLikeOthers(TckLink link) throws InterruptedException {
    for (String device : loseInTraffic(link)) {
      awaitLoss(device);
      assertThat(hasThread(device)).isFalse();
    }
  }

  @Test
  void aContextIsNotLostWhileAnythingMadeFromItIsUsed() throws InterruptedException {
    List<Context> open = new ArrayList<>();
    List<WeakReference<Context>> contexts = new ArrayList<>();
    List<Object> kept = keepOneOfEach(contexts);
    awaitLoss(lose(TckLink.selected().getFirst().device()));
    for (WeakReference<Context> each : contexts) {
      Context context = each.get();
      assertThat(context).isNotNull();
      assertThat(context.isClosed()).isFalse();
      context.allocPd();
      open.add(context);
    }
    // They are kept until here.
    assertThat(kept).hasSameSizeAs(contexts);
    open.forEach(Context::close);
  }

  /** One object of each kind, and nothing else of its context. */
  private static List<Object> keepOneOfEach(List<WeakReference<Context>> contexts) {
    List<Function<Context, Object>> makers =
        List.of(
            Context::allocPd,
            Context::allocTd,
            Context::createCompChannel,
            context -> context.createCq(1),
            context -> context.createCqEx(new CqInitAttrEx(1)),
            Context::openXrcd,
            Context::asyncEventSource,
            context -> context.allocPd().allocMr(8, Access.LOCAL_WRITE),
            context -> context.allocPd().allocNullMr(),
            context -> context.allocPd().allocMw(MwType.TYPE_2),
            context -> context.allocPd().createAh(Addresses.of(context)),
            context -> context.allocPd().createSrq(SrqInitAttr.basic(1, 1)),
            context -> context.allocPd().createQp(QpInitAttr.rc(context.createCq(1))),
            LostContextTest::listener);
    List<Object> kept = new ArrayList<>();
    for (Function<Context, Object> maker : makers) {
      Context context = Devices.open(TckLink.selected().getFirst().device());
      contexts.add(new WeakReference<>(context));
      kept.add(maker.apply(context));
    }
    return kept;
  }

  /** The device calls the listener, so the context is in use without another reference to it. */
  private static Object listener(Context context) {
    listen(context.createCompChannel());
    return "nothing";
  }

  private static void listen(CompletionChannel channel) {
    channel.onReadiness(
        new EventSource.Readiness() {
          @Override
          public void ready() {}

          @Override
          public void drained() {}
        });
  }

  @Test
  void aListenerThatWasTakenBackKeepsNothing() throws InterruptedException {
    awaitLoss(loseWithFormerListeners());
  }

  private static String loseWithFormerListeners() {
    Context context = Devices.open(TckLink.selected().getFirst().device());
    CompletionChannel channel = context.createCompChannel();
    listen(channel);
    channel.onReadiness(null);
    CompletionChannel closed = context.createCompChannel();
    listen(closed);
    closed.close();
    return context.device().name();
  }

  @Test
  void whoAsksIsToldWhereALostContextWasOpened() throws InterruptedException {
    System.setProperty(TRACING, "trace");
    LogRecord line = awaitLoss(lose(TckLink.selected().getFirst().device()));
    assertThat(line.getThrown())
        .hasStackTraceContaining(LostContextTest.class.getName() + ".lose(");
    assertThat(line.getMessage()).doesNotContain(TRACING);
  }

  @Test
  void aContextThatWasClosedIsNotReported() throws InterruptedException {
    Context closed = Devices.open(TckLink.selected().getFirst().device());
    String device = closed.device().name();
    closed.allocPd();
    closed.close();
    awaitLoss(lose(TckLink.selected().getFirst().device()));
    assertThat(log.lines()).noneMatch(line -> line.contains(device));
  }
}
