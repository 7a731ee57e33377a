package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The short forms that the interfaces themselves provide. */
class DefaultMethodsTest {
  private final List<List<Object>> calls = new ArrayList<>();

  @Test
  void createQpExWithoutSendOperationsIsEinvalAndCreatesNothing() {
    ProtectionDomain pd = Stubs.of(ProtectionDomain.class);
    assertThatThrownBy(() -> pd.createQpEx(new QpInitAttr(QpType.RC)))
        .isInstanceOf(VerbsException.class)
        .hasMessage(
            "createQpEx: no send operations were given: call sendOps(...) on the QpInitAttr"
                + " (EINVAL: Invalid argument)");
  }

  @Test
  void createQpExGivesTheExtendedViewOfWhatCreateQpMakes() {
    QueuePairEx extended = Stubs.of(QueuePairEx.class);
    QueuePair qp = Stubs.of(QueuePair.class, Map.of("toQpEx", args -> extended));
    ProtectionDomain pd =
        Stubs.of(ProtectionDomain.class, Map.of("createQp", recorded("createQp", qp)));
    QpInitAttr attr = new QpInitAttr(QpType.RC).sendOps(SendOps.SEND);
    assertThat(pd.createQpEx(attr)).isSameAs(extended);
    assertThat(calls).containsExactly(List.of("createQp", attr));
  }

  @Test
  void theSpeedOfAPortIsThatOfAllItsLanes() {
    int[][] encodings = {{1, 1, 25}, {2, 4, 400}, {4, 8, 800}, {1, 16, 140}, {8, 32, 3000}};
    for (int[] each : encodings) {
      assertThat(contextWithPort(each[0], each[1]).queryPortSpeed(1)).isEqualTo(each[2]);
    }
    assertThat(contextWithPort(16, 64).queryPortSpeed(1)).isEqualTo(1000);
    assertThat(contextWithPort(2, 256).queryPortSpeed(1)).isEqualTo(8000);
    assertThat(contextWithPort(2, 128).queryPortSpeed(1)).isEqualTo(4000);
    assertThat(contextWithPort(1, 0).queryPortSpeed(1)).isZero();
    assertThat(contextWithPort(3, 1).queryPortSpeed(1)).isZero();
  }

  private static Context contextWithPort(int width, int speed) {
    PortAttr port =
        new PortAttr(
            PortState.ACTIVE,
            Mtu.MTU_4096,
            Mtu.MTU_4096,
            1,
            0,
            1L << 31,
            0,
            0,
            1,
            0,
            0,
            0,
            1,
            0,
            0,
            0,
            width,
            speed,
            5,
            LinkLayer.ETHERNET,
            0,
            0);
    return Stubs.of(Context.class, Map.of("queryPort", args -> port));
  }

  @Test
  void aDirectBufferIsRegisteredFromPositionToLimit() {
    MemoryRegion region = Stubs.of(MemoryRegion.class);
    ProtectionDomain pd =
        Stubs.of(
            ProtectionDomain.class,
            Map.of(
                "regMr",
                args -> {
                  assertThat(((MemorySegment) args[0]).byteSize()).isEqualTo(60);
                  assertThat((int[]) args[1]).containsExactly(Access.LOCAL_WRITE);
                  return region;
                }));
    ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(30).limit(90);
    assertThat(pd.regMr(buffer, Access.LOCAL_WRITE)).isSameAs(region);
  }

  @Test
  void askingForAnEventMeansOneForAnyCompletion() {
    CompletionQueue cq =
        Stubs.of(CompletionQueue.class, Map.of("reqNotify", recorded("reqNotify", null)));
    cq.reqNotify();
    assertThat(calls).containsExactly(List.of("reqNotify", false));
  }

  @Test
  void aCompletionQueueNeedsOnlyItsSize() {
    CompletionQueue cq = Stubs.of(CompletionQueue.class);
    List<List<Object>> created = new ArrayList<>();
    Context context =
        Stubs.of(
            Context.class,
            Map.of(
                "createCq",
                args -> {
                  created.add(Arrays.asList(args));
                  return cq;
                }));
    CompletionChannel channel = Stubs.of(CompletionChannel.class);
    assertThat(context.createCq(16)).isSameAs(cq);
    assertThat(context.createCq(17, channel)).isSameAs(cq);
    assertThat(created)
        .containsExactly(Arrays.asList(16, null, null, 0), Arrays.asList(17, null, channel, 0));
  }

  @Test
  void groupsNeedNoLid() {
    QueuePair qp =
        Stubs.of(
            QueuePair.class,
            Map.of(
                "attachMcast", recorded("attachMcast", null),
                "detachMcast", recorded("detachMcast", null)));
    Gid group = Gid.parse("239.1.2.3");
    qp.attachMcast(group);
    qp.detachMcast(group);
    assertThat(calls)
        .containsExactly(List.of("attachMcast", group, 0), List.of("detachMcast", group, 0));
  }

  @Test
  void aWindowCoversAllOfARegionOrNothing() {
    MemoryRegion mr =
        Stubs.of(MemoryRegion.class, Map.of("addr", args -> 0x1000L, "length", args -> 64L));
    assertThat(MwBindInfo.of(mr, Access.REMOTE_READ, Access.REMOTE_WRITE))
        .isEqualTo(new MwBindInfo(mr, 0x1000, 64, Access.REMOTE_READ | Access.REMOTE_WRITE));
    assertThat(MwBindInfo.unbind()).isEqualTo(new MwBindInfo(null, 0, 0, 0));
  }

  @Test
  void anAddressHandleReachesTheLocalGroupUnlessItIsTold() {
    assertThat(AhAttr.to(Gid.parse("ff0e::1")).hopLimit()).isEqualTo(1);
    assertThat(AhAttr.to(Gid.parse("ff0e::ffff:239.1.2.3")).hopLimit()).isEqualTo(1);
    assertThat(AhAttr.to(Gid.parse("239.1.2.3")).hopLimit()).isEqualTo(1);
    assertThat(AhAttr.to(Gid.parse("10.1.2.3")).hopLimit()).isEqualTo(64);
    assertThat(AhAttr.to(Gid.parse("fe80::1")).hopLimit()).isEqualTo(64);
  }

  @Test
  void pollingAnArrayAsksForAllOfIt() {
    CompletionQueue cq = Stubs.of(CompletionQueue.class, Map.of("poll", recorded("poll", 2)));
    WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
    assertThat(cq.poll(wc)).isEqualTo(2);
    assertThat(calls).containsExactly(List.of("poll", 3, wc));
  }

  @Test
  void listSettersTakeTheWholeList() {
    QueuePairEx qp =
        Stubs.of(
            QueuePairEx.class,
            Map.of(
                "wrSetSgeList", recorded("wrSetSgeList", "ignored"),
                "wrSetInlineDataList", recorded("wrSetInlineDataList", "ignored"),
                "wrSetInlineData", recorded("wrSetInlineData", "ignored")));
    Sge[] list = {new Sge(1, 2, 3), new Sge(4, 5, 6)};
    MemorySegment data = MemorySegment.ofArray(new byte[7]);
    MemorySegment[] pieces = {data, data, data};
    qp.wrSetSgeList(list);
    qp.wrSetInlineDataList(pieces);
    qp.wrSetInlineData(data);
    assertThat(calls)
        .containsExactly(
            List.of("wrSetSgeList", 2, list),
            List.of("wrSetInlineDataList", 3, pieces),
            List.of("wrSetInlineData", data, 0L, 7L));
  }

  private Function<Object[], Object> recorded(String name, Object result) {
    return args -> {
      List<Object> call = new ArrayList<>(List.of(name));
      call.addAll(Arrays.asList(args));
      calls.add(call);
      return result;
    };
  }
}
