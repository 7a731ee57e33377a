package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.DataInOrder;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A device refuses unsupported calls by name with EOPNOTSUPP, as its capabilities announce, and
 * supports what they promise: S11.10, S11.11, S11.3.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Proves({"S11.10", "S11.3"})
final class UnsupportedTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(16);
  private final DeviceAttr device = context.queryDevice();
  private final DeviceAttrEx extended = context.queryDeviceEx();

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  void memoryWindows() {
    int[] caps = {
      DeviceCap.MEM_WINDOW, DeviceCap.MEM_WINDOW_TYPE_2A | DeviceCap.MEM_WINDOW_TYPE_2B
    };
    MwType[] types = {MwType.TYPE_1, MwType.TYPE_2};
    for (int i = 0; i < types.length; i++) {
      MwType type = types[i];
      boolean has = device.maxMw() > 0 && has(caps[i]);
      expect(has, "allocMw", () -> pd.allocMw(type).close());
    }
    if (device.maxMw() == 0) {
      assertThat(device.deviceCapFlags() & (caps[0] | caps[1])).isZero();
    }
  }

  @Test
  void sharedReceiveQueues() {
    expect(device.maxSrq() > 0, "createSrq", () -> pd.createSrq(SrqInitAttr.basic(16, 1)).close());
    assertThat(device.maxSrqWr() > 0).isEqualTo(device.maxSrq() > 0);
    assertThat(device.maxSrqSge() > 0).isEqualTo(device.maxSrq() > 0);
  }

  @Test
  void extendedReliableConnections() {
    boolean has = has(DeviceCap.XRC);
    expect(has, "openXrcd", () -> context.openXrcd().close());
    if (!has) {
      expect(false, "createQp", () -> pd.createQp(new QpInitAttr(QpType.XRC_SEND).sendCq(cq)));
    }
  }

  @Test
  void multicast() {
    if (device.maxMcastGrp() == 0) {
      var qp = pd.createQp(QpInitAttr.rc(cq));
      Gid group = Gid.parse("ff0e::1");
      expect(false, "attachMcast", () -> qp.attachMcast(group, 0));
      expect(false, "detachMcast", () -> qp.detachMcast(group, 0));
      assertThat(device.maxMcastQpAttach()).isZero();
      assertThat(device.maxTotalMcastQpAttach()).isZero();
    } else {
      assertThat(device.maxMcastQpAttach()).isPositive();
    }
  }

  @Test
  void nullRegions() {
    try {
      assertThat(pd.allocNullMr().lkey()).isNotZero();
    } catch (VerbsException refusal) {
      assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
      assertThat(refusal.function()).isEqualTo("allocNullMr");
    }
  }

  @Test
  void onDemandPaging() {
    var memory = Arena.global().allocate(4096);
    expect(
        extended.odpCaps().generalCaps() != 0,
        "regMr",
        () -> pd.regMr(memory, Access.LOCAL_WRITE, Access.ON_DEMAND).close());
  }

  @Test
  void flushesAndAtomicWrites() {
    var memory = Arena.global().allocate(4096);
    long caps = extended.deviceCapFlagsEx();
    assertThat((int) caps).isEqualTo(extended.origAttr().deviceCapFlags());
    boolean global = (caps & DeviceCapEx.FLUSH_GLOBAL) != 0;
    boolean persistent = (caps & DeviceCapEx.FLUSH_PERSISTENT) != 0;
    expect(global, "regMr", () -> pd.regMr(memory, Access.FLUSH_GLOBAL).close());
    if (!persistent || !TckLink.areDevicesOfOthers()) { // Those need memory that is persistent.
      expect(persistent, "regMr", () -> pd.regMr(memory, Access.FLUSH_PERSISTENT).close());
    }
    expect(
        global || persistent,
        "createQp",
        () -> pd.createQp(QpInitAttr.rc(cq).sendOps(SendOps.FLUSH)).close());
    expect(
        (caps & DeviceCapEx.ATOMIC_WRITE) != 0,
        "createQp",
        () -> pd.createQp(QpInitAttr.rc(cq).sendOps(SendOps.ATOMIC_WRITE)).close());
  }

  @Test
  void segmentationOffload() {
    if (extended.maxTso() == 0) {
      for (QpInitAttr attr : new QpInitAttr[] {QpInitAttr.ud(cq), QpInitAttr.rc(cq)}) {
        expect(false, "createQp", () -> pd.createQp(attr.sendOps(SendOps.TSO)));
      }
    }
  }

  @Test
  void timeStampsOfCompletions() {
    expect(
        extended.completionTimestampMask() != 0,
        "createCqEx",
        () ->
            context
                .createCqEx(new CqInitAttrEx(4).wcFlags(WcExFlags.COMPLETION_TIMESTAMP))
                .close());
  }

  @Test
  void moderationOfEvents() {
    boolean has = extended.maxCqModerationCount() > 0;
    try {
      cq.modify(1, 1);
      assertThat(has).as("moderation is supported").isTrue();
    } catch (VerbsException refusal) {
      assertThat(has).as("moderation is supported").isFalse();
      assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
      assertThat(refusal.function()).startsWith("modify");
    }
  }

  @Test
  @Proves("S11.9")
  void whatOtherProcessesShareAndWhatVendorsAgreeOnIsRefusedByName() {
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    expect(false, "queryEce", qp::queryEce);
    expect(false, "setEce", () -> qp.setEce(new Ece(1, 2)));
    expect(false, "importPd", () -> context.importPd(1));
    expect(false, "importMr", () -> pd.importMr(1));
    expect(false, "importDm", () -> context.importDm(1));
    for (WrOpcode opcode : WrOpcode.values()) {
      assertThat(qp.queryDataInOrder(opcode, 0)).isIn(0, 1);
      assertThat(qp.queryDataInOrder(opcode, DataInOrder.RETURN_CAPS))
          .isIn(
              0,
              DataInOrder.ALIGNED_128_BYTES,
              DataInOrder.ALIGNED_128_BYTES | DataInOrder.WHOLE_MSG);
    }
    qp.destroy();
  }

  @Test
  @Proves("S11.11")
  void errorNumbersArePositiveAndTold() {
    ProtectionDomain busy = context.allocPd();
    busy.allocMr(8);
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> context.queryPort(0),
          () -> context.queryGid(1, -1),
          () -> context.queryGidEx(1, -1),
          () -> context.queryPkey(1, -1),
          () -> context.createCq(0),
          busy::dealloc,
          () -> Devices.open("nosuchdevice")
        }) {
      VerbsException refusal =
          Refused.of(call, Errno.EINVAL, Errno.EBUSY, Errno.ENODEV).exception();
      assertThat(refusal.errno()).isPositive();
      assertThat(refusal)
          .hasMessageContaining(Errno.name(refusal.errno()))
          .hasMessageContaining(Errno.strerror(refusal.errno()))
          .hasMessageStartingWith(refusal.function());
      assertThat(refusal.toIOException()).hasMessage(refusal.getMessage()).hasCause(refusal);
    }
  }

  private boolean has(int cap) {
    return (device.deviceCapFlags() & cap) != 0;
  }

  /** The call works, or is refused by this name. */
  private static void expect(boolean supported, String function, ThrowingCallable call) {
    if (supported) {
      try {
        call.call();
      } catch (Throwable e) {
        throw new AssertionError(function + " is promised by the capabilities", e);
      }
    } else {
      Refused.of(call, Errno.EOPNOTSUPP).from(function);
    }
  }
}
