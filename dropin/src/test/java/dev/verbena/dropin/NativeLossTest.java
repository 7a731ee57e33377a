package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.XrcDomain;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A context of libibverbs that the program has lost can be collected, whatever was made in it: what
 * is left to clean up refers to no object of the program's.
 */
final class NativeLossTest extends NativeTest {
  private interface Maker {
    void make(Context context, ProtectionDomain pd, CompletionQueue cq) throws InterruptedException;
  }

  private static final Map<String, Maker> MAKERS =
      Map.ofEntries(
          Map.entry("nothing", (c, pd, cq) -> {}),
          Map.entry("region", (c, pd, cq) -> pd.allocMr(64, ALL)),
          Map.entry("null region", (c, pd, cq) -> pd.allocNullMr()),
          Map.entry("window", (c, pd, cq) -> pd.allocMw(MwType.TYPE_2)),
          Map.entry("address handle", (c, pd, cq) -> pd.createAh(AhAttr.to(c.queryGid(1, 0)))),
          Map.entry("queue pair", (c, pd, cq) -> pd.createQp(QpInitAttr.rc(cq))),
          Map.entry(
              "queue pair with batches",
              (c, pd, cq) -> pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.SEND))),
          Map.entry(
              "member of a group",
              (c, pd, cq) -> {
                QueuePair qp = pd.createQp(QpInitAttr.ud(cq));
                qp.attachMcast(Gid.parse("ff0e::ffff:efc8:c8c8"));
              }),
          Map.entry("extended queue", (c, pd, cq) -> c.createCqEx(new CqInitAttrEx(4))),
          Map.entry("shared queue", (c, pd, cq) -> pd.createSrq(SrqInitAttr.basic(4, 1))),
          Map.entry(
              "xrc shared queue",
              (c, pd, cq) -> {
                XrcDomain xrcd = c.openXrcd();
                pd.createSrq(SrqInitAttr.xrc(xrcd, cq, 4, 1));
              }),
          Map.entry("xrc target", (c, pd, cq) -> c.createQpEx(QpInitAttr.xrcRecv(c.openXrcd()))),
          Map.entry(
              "table",
              (c, pd, cq) -> c.createRwqIndTable(List.of(c.createWq(new WqInitAttr(pd, cq))))),
          Map.entry("parent domain", (c, pd, cq) -> c.allocParentDomain(pd, c.allocTd())),
          Map.entry(
              "watched channel",
              (c, pd, cq) -> {
                CompletionChannel channel = c.createCompChannel();
                c.createCq(4, channel);
                assertThat(channel.getCqEvent(Duration.ZERO)).isNull();
                channel.selectable();
              }),
          Map.entry(
              "watched events",
              (c, pd, cq) -> assertThat(c.getAsyncEvent(Duration.ZERO)).isNull()));

  private final ReferenceQueue<Context> collected = new ReferenceQueue<>();

  static Set<String> made() {
    return new TreeSet<>(MAKERS.keySet());
  }

  @ParameterizedTest
  @MethodSource("made")
  void aLostContextIsCollectedWhateverWasMadeInIt(String made) throws InterruptedException {
    WeakReference<Context> lost = lose(Objects.requireNonNull(MAKERS.get(made)));
    long begin = System.nanoTime();
    Object found = null;
    while (found == null && System.nanoTime() - begin < DEADLINE.toNanos()) {
      System.gc();
      found = collected.remove(10);
    }
    assertThat(found).isSameAs(lost);
  }

  private WeakReference<Context> lose(Maker maker) throws InterruptedException {
    Context context = device().open();
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(256);
    maker.make(context, pd, cq);
    return new WeakReference<>(context, collected);
  }
}
