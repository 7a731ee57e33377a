package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests the structures as values: a value that is set can be read, and toString shows it. */
class ValueClassesTest {
  private static final CompletionQueue CQ = Stubs.of(CompletionQueue.class);
  private static final SharedReceiveQueue SRQ = Stubs.of(SharedReceiveQueue.class);
  private static final AddressHandle AH = Stubs.of(AddressHandle.class);

  @Test
  @Proves("PY-168")
  void workCompletion() throws ReflectiveOperationException {
    check(
        new WorkCompletion(),
        "wrId opcode byteLen immData qpNum srcQp wcFlags pkeyIndex slid sl dlidPathBits");
    assertThat(new WorkCompletion().status(WcStatus.GENERAL_ERR).vendorErr(90))
        .hasToString("wc[wr_id=0, GENERAL_ERR, vendor_err 90]");
  }

  @Test
  @Proves("PY-169")
  void scatterGatherElement() throws ReflectiveOperationException {
    check(new Sge(), "addr length lkey");
    assertThat(new Sge(1, 2, 3)).hasToString("sge[addr=0x1, length=2, lkey=0x3]");
  }

  @Test
  @Proves("PY-170")
  void receive() throws ReflectiveOperationException {
    check(new RecvWr(), "wrId next");
    Sge sge = new Sge(1, 2, 3);
    RecvWr wr = new RecvWr().sgList(sge, sge);
    assertThat(wr.sgList()).containsExactly(sge, sge);
    assertThat(wr).hasToString("recv_wr[wr_id=0, num_sge=2, sg_list=[" + sge + ", " + sge + "]]");
  }

  @Test
  @Proves("PY-171")
  void send() throws ReflectiveOperationException {
    check(
        new SendWr(),
        "wrId opcode sendFlags immData remoteAddr rkey compareAdd swap ah remoteQpn remoteQkey"
            + " next");
    Sge sge = new Sge(1, 2, 3);
    assertThat(new SendWr().opcode(WrOpcode.RDMA_READ).sgList(sge).wrId(7))
        .hasToString("send_wr[wr_id=7, RDMA_READ, flags=0x0, num_sge=1, sg_list=[" + sge + "]]");
  }

  @Test
  @Proves({"PY-169", "PY-170", "PY-171"})
  void theTextOfAWorkRequestShowsEveryFieldThatIsSet() throws ReflectiveOperationException {
    showsEveryField(ValueClassesTest::twoElements, SendWr.class);
    showsEveryField(() -> new RecvWr().sgList(elements()).numSge(1), RecvWr.class);
    showsEveryField(() -> new Sge().segment(Arena.global().allocate(8)), Sge.class, "addr", "lkey");
    showsEveryField(() -> new Sge(1, 2, 3), Sge.class, "segmentOffset");
  }

  private static Sge[] elements() {
    return new Sge[] {new Sge(1, 2, 3), new Sge(4, 5, 6)};
  }

  private static SendWr twoElements() {
    return new SendWr().opcode(WrOpcode.SEND).sgList(elements()).numSge(1);
  }

  /** Sets each field alone to something unusual, and expects that the text changes. */
  private static <T> void showsEveryField(Supplier<T> made, Class<T> type, String... unused)
      throws ReflectiveOperationException {
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) || List.of(unused).contains(field.getName())) {
        continue;
      }
      T value = made.get();
      String before = value.toString();
      field.setAccessible(true);
      field.set(value, sample(field.getType()));
      assertThat(value.toString()).as("%s is shown", field.getName()).isNotEqualTo(before);
    }
  }

  @Test
  void numbersOfQueuePairsAndBitsAreHexadecimalEverywhere() {
    Gid gid = Gid.parse("fe80::1");
    assertThat(new QpEndpoint(0xfac927, 17, gid, 0, Mtu.MTU_1024))
        .hasToString(
            "qp_endpoint[qp_num=0xfac927, psn=17, gid=fe80::1, gid_index=0, mtu=MTU_1024, lid=0]");
    assertThat(new QpAttr().destQpNum(0xfac927)).hasToString("qp_attr[dest_qp_num=0xfac927]");
    assertThat(new MwBindInfo(null, 0x7f62, 16, Access.REMOTE_WRITE))
        .hasToString("mw_bind_info[mr=null, addr=0x7f62, length=16, mw_access_flags=0x2]");
    assertThat(new QpCap(1, 2, 3, 4, 5))
        .hasToString(
            "qp_cap[max_send_wr=1, max_recv_wr=2, max_send_sge=3, max_recv_sge=4,"
                + " max_inline_data=5]");
  }

  @Test
  @Proves({"PY-169", "PY-170", "PY-171"})
  void theTextOfAWorkRequestShowsOnlyElementsThatAreUsed() {
    Sge sge = new Sge(4, 5, 6);
    assertThat(twoElements().toString()).contains("num_sge=1").doesNotContain(sge.toString());
    assertThat(twoElements().numSge(2).toString()).contains(sge.toString());
    assertThat(twoElements().numSge(3).toString()).contains("num_sge=3").contains(sge.toString());
    assertThat(twoElements().numSge(-1).toString()).contains("num_sge=-1").doesNotContain("sge[");
    assertThat(Sge.of(MemorySegment.ofArray(new byte[4])))
        .hasToString("sge[inline segment of 4 bytes, length=4]");
    assertThat(new Sge().segment(MemorySegment.ofArray(new byte[8]), 2, 4))
        .hasToString("sge[inline segment of 8 bytes, offset=2, length=4]");
  }

  @Test
  @Proves({"PY-172", "PY-173"})
  void addressWithItsGlobalRoute() throws ReflectiveOperationException {
    checkRecord(AhAttr.class, 11);
    AhAttr attr =
        AhAttr.to(Gid.parse("10.0.0.1"))
            .withSgidIndex(1)
            .withFlowLabel(2)
            .withHopLimit(3)
            .withTrafficClass(4)
            .withDlid(5)
            .withSl(6)
            .withSrcPathBits(7)
            .withStaticRate(Rate.MAX)
            .withPortNum(8);
    assertThat(attr)
        .isEqualTo(new AhAttr(true, Gid.parse("10.0.0.1"), 1, 2, 3, 4, 5, 6, 7, Rate.MAX, 8));
    assertThat(attr.withoutGrh().isGlobal()).isFalse();
    assertThat(attr.withDgid(Gid.parse("fe80::1")).dgid()).isEqualTo(Gid.parse("fe80::1"));
  }

  @Test
  @Proves("PY-174")
  void sizesOfAQueuePair() throws ReflectiveOperationException {
    checkRecord(QpCap.class, 5);
  }

  @Test
  @Proves({"PY-175", "PY-141"})
  void whatAQueuePairIsMadeWith() throws ReflectiveOperationException {
    check(
        new QpInitAttr(QpType.RC),
        "maxSendWr maxRecvWr maxSendSge maxRecvSge maxInlineData qpType");
    QpInitAttr attr =
        new QpInitAttr(QpType.UD)
            .sendCq(CQ)
            .recvCq(CQ)
            .srq(SRQ)
            .sqSigAll(true)
            .cap(new QpCap(1, 2, 3, 4, 5));
    assertThat(attr.sendCq()).isSameAs(CQ);
    assertThat(attr.recvCq()).isSameAs(CQ);
    assertThat(attr.srq()).isSameAs(SRQ);
    assertThat(attr.sqSigAll()).isTrue();
    assertThat(attr.cap()).isEqualTo(new QpCap(1, 2, 3, 4, 5));
    assertThat(attr.toString()).startsWith("qp_init_attr[UD, max_send_wr=1").contains("sq_sig_all");
  }

  @Test
  @Proves("PY-176")
  void attributesOfAQueuePair() throws ReflectiveOperationException {
    check(
        new QpAttr(),
        "qpState curQpState enSqdAsyncNotify pkeyIndex portNum qkey ahAttr pathMtu timeout retryCnt"
            + " rnrRetry rqPsn maxRdAtomic altAhAttr altPkeyIndex altPortNum altTimeout"
            + " minRnrTimer sqPsn maxDestRdAtomic pathMigState cap destQpNum rateLimit");
    QpAttr attr = new QpAttr().qpState(QpState.INIT).portNum(1).qpAccessFlags(2, 4);
    assertThat(attr.mask()).isEqualTo(QpAttrMask.STATE | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS);
    assertThat(attr).hasToString("qp_attr[qp_state=INIT, qp_access_flags=0x6, port_num=1]");
    assertThat(attr.sqDraining(true).sqDraining()).isTrue();
    assertThat(attr.clear())
        .hasToString("qp_attr[qp_state=INIT, qp_access_flags=0x6, port_num=1, sq_draining=true]");
    assertThat(attr.sqDraining(false).timeout(14)).hasToString("qp_attr[timeout=14]");
    assertThat(new QpAttr()).hasToString("qp_attr[]");
  }

  @Test
  @Proves("PY-177")
  void attributesOfAPort() throws ReflectiveOperationException {
    checkRecord(PortAttr.class, 19);
  }

  @Test
  @Proves({"PY-178", "PY-129"})
  void attributesOfADevice() throws ReflectiveOperationException {
    // libibverbs' struct has 40 fields, one of which C calls raw bytes.
    checkRecord(DeviceAttr.class, 39);
  }

  @Test
  @Proves("PY-179")
  void sizesOfASharedReceiveQueue() throws ReflectiveOperationException {
    checkRecord(SrqAttr.class, 3);
  }

  /** Sets each property to something unusual, reads it back and looks for it in the text. */
  private static void check(Object value, String properties) throws ReflectiveOperationException {
    for (String name : properties.split(" ", -1)) {
      Class<?> type = value.getClass();
      Method getter = type.getMethod(name);
      Object sample = sample(getter.getReturnType());
      assertThat(type.getMethod(name, getter.getReturnType()).invoke(value, sample))
          .as("%s can be chained", name)
          .isSameAs(value);
      assertThat(getter.invoke(value)).as(name).isEqualTo(sample);
      String shown = value.toString().toLowerCase(Locale.ROOT);
      String text = String.valueOf(sample).toLowerCase(Locale.ROOT);
      assertThat(shown.contains(text) || shown.contains("0x5a") || name.equals("next"))
          .as("%s shows %s=%s", shown, name, sample)
          .isTrue();
    }
  }

  private static void checkRecord(Class<? extends Record> type, int fields)
      throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    assertThat(components).hasSizeGreaterThanOrEqualTo(fields);
    Object[] samples = Arrays.stream(components).map(each -> sample(each.getType())).toArray();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object value = type.getDeclaredConstructor(types).newInstance(samples);
    for (int i = 0; i < components.length; i++) {
      String name = components[i].getName();
      assertThat(type.getMethod(name).invoke(value)).as(name).isEqualTo(samples[i]);
      String field = name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT) + "=";
      assertThat(value.toString()).containsAnyOf(field + samples[i], field + "0x5a");
    }
  }

  private static Object sample(Class<?> type) {
    Map<Class<?>, Object> samples =
        Map.of(
            int.class,
            90,
            long.class,
            90L,
            boolean.class,
            true,
            String.class,
            "some text",
            Gid.class,
            Gid.parse("fe80::5a"),
            AhAttr.class,
            AhAttr.to(Gid.parse("fe80::5a")),
            QpCap.class,
            new QpCap(1, 2, 3, 4, 5),
            AddressHandle.class,
            AH,
            SendWr.class,
            new SendWr(),
            RecvWr.class,
            new RecvWr());
    Map<Class<?>, Object> more =
        Map.of(
            Sge[].class,
            new Sge[] {new Sge(7, 8, 9)},
            MemoryWindow.class,
            Stubs.of(MemoryWindow.class),
            MwBindInfo.class,
            MwBindInfo.unbind(),
            MemorySegment.class,
            MemorySegment.ofArray(new byte[90]));
    Object sample = samples.getOrDefault(type, more.get(type));
    if (sample != null) {
      return sample;
    }
    assertThat(type.isEnum()).as("a sample of %s", type).isTrue();
    Object[] constants = type.getEnumConstants();
    return constants[constants.length - 1];
  }
}
