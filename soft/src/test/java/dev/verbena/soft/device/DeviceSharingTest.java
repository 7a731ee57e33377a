package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contexts, devices and addresses, on in-memory links. */
class DeviceSharingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Test
  void theProviderIsFoundAndListsTheFirstDeviceWithoutOpeningIt() {
    List<Device> devices = new SoftProvider().devices();
    assertThat(devices).extracting(Device::name).startsWith("soft0");
    assertThat(devices.getFirst().guid()).isNotZero();
    assertThat(Devices.list()).extracting(Device::name).contains("soft0");
  }

  @Test
  void openingAnAddressTwiceSharesTheDeviceButNotTheContext() {
    String spec = "soft:10.9.1.1?link=packet";
    try (Context first = Devices.open(spec);
        Context second = Devices.open(spec)) {
      assertThat(first).isNotSameAs(second);
      assertThat(engineOf(first)).isSameAs(engineOf(second));
      assertThat(first.device().name()).isEqualTo("soft_10_9_1_1");
      assertThat(first.queryGid(1, 0)).isEqualTo(Gid.parse("10.9.1.1"));
    }
  }

  @Test
  void aNewDeviceIsNoOtherOneAndReachesThoseInMemory() {
    try (Context first = Devices.open("soft:new");
        Context second = Devices.open("soft:new?link=packet");
        Context again = Devices.open(first.device().name());
        Context opened = first.device().open()) {
      assertThat(engineOf(second)).isNotSameAs(engineOf(first));
      assertThat(engineOf(again)).isSameAs(engineOf(first)).isSameAs(engineOf(opened));
      assertThat(first.device()).isNotEqualTo(second.device());
      assertThat(first.device().guid()).isNotEqualTo(second.device().guid());
      assertThat(first.counters().snapshot().values()).containsOnly(0L);
      for (Context from : List.of(first, second)) {
        exchange(from, second);
        exchange(from, from);
      }
    }
  }

  /** Sends a message from one context to another. */
  private static void exchange(Context from, Context to) {
    CompletionQueue sent = from.createCq(4);
    CompletionQueue received = to.createCq(4);
    QueuePair near = from.allocPd().createQp(QpInitAttr.rc(sent));
    QueuePair far = to.allocPd().createQp(QpInitAttr.rc(received));
    near.connect(far.endpoint());
    far.connect(near.endpoint());
    far.postRecv(new RecvWr().wrId(1));
    near.postSend(new SendWr().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED));
    assertThat(Completions.await(received, PATIENCE).wrId()).isEqualTo(1);
    Completions.await(sent, PATIENCE);
  }

  @Test
  void aNewDeviceOfAnotherProcessIsRefusedWithTheReason() {
    try (Context context = Devices.open("soft:new");
        Context other = Devices.open("soft:10.9.1.9?link=packet")) {
      Gid own = context.queryGid(1, 0);
      QpEndpoint elsewhere =
          new QpEndpoint(0x11, 1, new Gid(own.subnetPrefix(), ~own.interfaceId()), 0, Mtu.MTU_1024);
      for (Context here : List.of(context, other)) {
        QueuePair qp = here.allocPd().createQp(QpInitAttr.rc(here.createCq(1)));
        assertThatThrownBy(() -> qp.connect(elsewhere))
            .isInstanceOf(VerbsException.class)
            .hasMessageContaining("another process has opened as soft:new")
            .hasMessageContaining("open soft0 or soft:ADDRESS in both processes");
      }
    }
  }

  @Test
  void aPeerThatADeviceInMemoryCannotReachIsRefusedWithTheReason() {
    try (Context context = Devices.open("soft:new");
        Context ipv4 = Devices.open("soft:10.9.1.10?link=packet");
        Context ipv6 = Devices.open("soft:fd00::a9?link=packet")) {
      for (String address : List.of("10.0.0.1", "::1", "fd00::a8")) {
        assertThatThrownBy(() -> connect(context, Gid.parse(address)))
            .isInstanceOf(VerbsException.class)
            .hasMessageContaining("destination GID")
            .hasMessageContaining("this device was opened as soft:new and is in memory");
      }
      assertThatThrownBy(() -> connect(ipv4, context.queryGid(1, 0)))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("the destination was opened as soft:new and is in memory")
          .hasMessageContaining("open both devices as soft:new, or none");
      connect(context, ipv6.queryGid(1, 0));
      connect(ipv6, context.queryGid(1, 0));
      try (Context closed = Devices.open("soft:new")) {
        closed.allocPd();
        connect(context, closed.queryGid(1, 0));
      }
      AhAttr group = AhAttr.to(Gid.parse("ff0e::7"));
      assertThat(context.allocPd().createAh(group)).isNotNull();
    }
  }

  @Test
  void connectSetsAShortTimeoutWhereFaultsHitRequestsWithinADevice() {
    String faults = "faults=drop:0.1,seed:1";
    try (Context lossy = Devices.open("soft:new?" + faults);
        Context sound = Devices.open("soft:new");
        Context quiet = Devices.open("soft:10.9.1.11?link=packet&faults=drop:0,seed:1");
        Context ipv4 = Devices.open("soft:10.9.1.12?link=packet&" + faults);
        Context node = Devices.open("ib:faults-of-connect?" + faults)) {
      assertThat(connect(lossy, lossy.queryGid(1, 0))).isEqualTo(10);
      assertThat(connect(lossy, sound.queryGid(1, 0))).as("other threads").isEqualTo(14);
      assertThat(connect(sound, lossy.queryGid(1, 0))).isEqualTo(14);
      assertThat(connect(quiet, quiet.queryGid(1, 0))).isEqualTo(14);
      assertThat(connect(ipv4, ipv4.queryGid(1, 0))).isEqualTo(10);
      assertThat(connect(ipv4, Gid.parse("10.0.0.1"))).as("another process").isEqualTo(14);
      assertThat(node.device().losesPackets()).isTrue();
    }
  }

  @Test
  void connectTakesNoDelayForALoss() {
    for (String faults : List.of("delay:1@1s", "drop:0.1,delay:0.1@2ms", "dup:0.5,reorder:0.5")) {
      try (Context context = Devices.open("soft:new?faults=" + faults)) {
        assertThat(connect(context, context.queryGid(1, 0))).as(faults).isEqualTo(14);
      }
    }
    try (Context context = Devices.open("soft:new?faults=corrupt:0.1,delay:0.1@1ms")) {
      assertThat(connect(context, context.queryGid(1, 0))).isEqualTo(10);
    }
  }

  /** Connects a queue pair, and returns its timeout. */
  private static int connect(Context context, Gid peer) {
    QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(context.createCq(1)));
    qp.connect(new QpEndpoint(0x11, 1, peer, 0, Mtu.MTU_1024));
    return qp.query(QpAttrMask.TIMEOUT).timeout();
  }

  @Test
  void theNameOfAnOpenDeviceOpensIt() {
    try (Context first = Devices.open("soft:10.9.1.4?link=packet");
        Context second = Devices.open(first.device().name() + "?link=packet");
        Context other = Devices.open("soft_fd00__94?link=packet")) {
      assertThat(engineOf(first)).isSameAs(engineOf(second));
      assertThat(second.device()).isEqualTo(first.device()).hasSameHashCodeAs(first.device());
      assertThat(other.queryGid(1, 0)).isEqualTo(Gid.parse("fd00::94"));
      assertThat(other.device()).isNotEqualTo(first.device());
    }
  }

  @Test
  void theDeviceEndsWithItsLastContext() {
    String spec = "soft:10.9.1.2?link=packet";
    Context first = Devices.open(spec);
    Context second = Devices.open(spec);
    Object engine = engineOf(first);
    first.close();
    assertThat(engineOf(second)).isSameAs(engine);
    second.close();
    try (Context third = Devices.open(spec)) {
      assertThat(engineOf(third)).isNotSameAs(engine);
    }
  }

  @Test
  void aDeviceGivesTheVendorsNumberThatItWasOpenedWith() {
    DeviceSpec spec = DeviceSpec.parse("soft:10.9.1.5?link=packet").vendorPartId(4119);
    try (Context context = Devices.open(spec);
        Context usual = Devices.open("soft:10.9.1.6?link=packet")) {
      assertThat(context.queryDevice().vendorPartId()).isEqualTo(4119);
      assertThat(context.queryDeviceEx().origAttr().vendorPartId()).isEqualTo(4119);
      assertThat(usual.queryDevice().vendorPartId()).isEqualTo(0x5642);
    }
  }

  @Test
  void theOptionsThatTheOpenDeviceHasAreNamedAndNotThoseItHasNot() {
    try (Context _ = Devices.open("soft:10.9.1.44?link=packet&faults=drop:0.5,seed:3")) {
      assertThatThrownBy(() -> Devices.open("soft:10.9.1.44?link=packet"))
          .hasMessageContaining(
              "is open in this process with faults=drop:0.5,seed:3 (asked for: none) (EBUSY");
    }
  }

  @Test
  void otherOptionsAreRefusedAndNamed() {
    try (Context first = Devices.open("soft:10.9.1.3?link=packet")) {
      assertThatThrownBy(() -> Devices.open("soft:10.9.1.3?link=packet&icrc=off"))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
          .hasMessageContaining("is open in this process with icrc=on (asked for: off)");
      assertThat(first.isClosed()).isFalse();
    }
  }

  @Test
  void theFirstDeviceTakesTheNextFreeAddressAndIsShared() {
    // A registry and in-memory addresses of its own: soft0 of the process is left alone.
    OpenDevices devices = new OpenDevices(Surroundings.real());
    DeviceSpec spec = DeviceSpec.parse("soft0?link=packet");
    DeviceSpec taken = DeviceSpec.parse("soft:127.0.0.1?link=packet");
    try (Context holder = devices.open(taken);
        Context first = devices.open(spec);
        Context again = devices.open(spec)) {
      assertThat(holder.queryGid(1, 0)).isEqualTo(Gid.parse("127.0.0.1"));
      assertThat(first.queryGid(1, 0)).isEqualTo(Gid.parse("127.0.0.2"));
      assertThat(engineOf(first)).isSameAs(engineOf(again));
      assertThat(first.device().name()).isEqualTo("soft0");
      assertThat(first.device().spec()).isEqualTo(spec);
    }
  }

  private static Object engineOf(Context context) {
    return ((SoftContext) context).engine();
  }
}
