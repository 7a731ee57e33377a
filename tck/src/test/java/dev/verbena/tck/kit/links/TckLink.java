package dev.verbena.tck.kit.links;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;

/** The links on which every test of the conformance suite must pass. */
public enum TckLink {
  /** Whole messages inside the process. */
  LOOPBACK(LinkKind.AUTO, false),
  /** Packets in memory. */
  PACKET(LinkKind.PACKET, false),
  /** UDP datagrams. */
  UDP(LinkKind.UDP, false),
  /** UDP datagrams that are lost, repeated, exchanged, delayed and damaged. */
  FAULTY_UDP(LinkKind.UDP, true),
  /** Memory shared between processes. */
  SHM(LinkKind.SHM, false),
  /**
   * The same with memory that the program has brought itself, to which RC WRITEs, READs and atomics
   * are packets as well. For tests {@link ByPacketsToo}, or selected by name.
   */
  SHM_BY_PACKETS(LinkKind.SHM, false),
  /**
   * Shared memory with packets, long ones as well, that are lost, repeated, exchanged and delayed,
   * but not damaged: long packets have no ICRC, so a device that damages packets sends none.
   */
  FAULTY_SHM(LinkKind.SHM, true),
  /**
   * The same with short packets, which have an ICRC, and are damaged, too. Selected by name only.
   */
  DAMAGED_SHM(LinkKind.SHM, true),
  /** The InfiniBand subnet of this process, without packets. */
  IB(LinkKind.AUTO, false),
  /** The same with packets that are lost, repeated, exchanged, delayed and damaged. */
  FAULTY_IB(LinkKind.PACKET, true),
  /**
   * Another provider: libibverbs. Selected by name only; CONTRIBUTING.md tells how. The devices are
   * those that -Dverbena.tck.devices=rxe0,rxe1 names: the first for one end of a connection, the
   * last for the other. Without it, it is the library of this build over the software device.
   */
  NATIVE(LinkKind.AUTO, false);

  /** Those that run only if they are named, or for tests that ask for them. */
  private static final Set<TckLink> BY_NAME = EnumSet.of(SHM_BY_PACKETS, DAMAGED_SHM, NATIVE);

  /** The device below our own library, which the profile in the module's pom.xml names to C. */
  private static final String BELOW = "soft0";

  /** The same as a device of that library. */
  private static final String OWN_DEVICE = "rdmacore:" + BELOW;

  private static final List<String> NATIVE_DEVICES =
      List.of(System.getProperty("verbena.tck.devices", OWN_DEVICE).split(",", -1));

  /** Decides the faults of this run; -Dverbena.tck.seed repeats them. */
  public static final long SEED =
      Long.getLong("verbena.tck.seed", System.nanoTime() & 0xffff_ffffL);

  private final LinkKind kind;
  private final boolean faulty;

  TckLink(LinkKind kind, boolean faulty) {
    this.kind = kind;
    this.faulty = faulty;
  }

  /** The links to test: the usual ones, or those that -Dverbena.tck.links=LOOPBACK,UDP names. */
  public static List<TckLink> selected() {
    String names = System.getProperty("verbena.tck.links", "");
    return names.isBlank()
        ? Arrays.stream(values()).filter(TckLink::isUsual).toList()
        : Arrays.stream(names.split(",", -1)).map(String::trim).map(TckLink::valueOf).toList();
  }

  /** Those for a class of tests that have one of these layers. */
  static Stream<TckLink> selectedFor(Class<?> tests, Set<LinkLayer> layers) {
    List<TckLink> selected = selected();
    boolean byPacketsToo =
        selected.contains(SHM) && AnnotationSupport.isAnnotated(tests, ByPacketsToo.class);
    return Arrays.stream(values())
        .filter(link -> selected.contains(link) || (byPacketsToo && link == SHM_BY_PACKETS))
        .filter(link -> layers.contains(link.layer()));
  }

  /** Whether it needs not be named: this computer has it (memory is shared on Linux only). */
  private boolean isUsual() {
    return !BY_NAME.contains(this)
        && (kind != LinkKind.SHM || System.getProperty("os.name").equals("Linux"));
  }

  /**
   * The link of tests that are not about links: whole messages inside the process, unless another
   * provider is tested.
   */
  public static TckLink plain() {
    return selected().contains(NATIVE) ? NATIVE : LOOPBACK;
  }

  /**
   * Whether the suite runs on devices that are not software devices, directly or below. Tests may
   * expect less of these; of our own they expect what our devices have always done.
   */
  public static boolean areDevicesOfOthers() {
    return selected().contains(NATIVE) && !NATIVE_DEVICES.contains(OWN_DEVICE);
  }

  /** The first selected link, or, if that is not on Ethernet, one that is. */
  public static TckLink firstOnEthernet() {
    TckLink first = selected().getFirst();
    return first.layer() == LinkLayer.ETHERNET ? first : LOOPBACK;
  }

  /** Whether messages travel whole, without packets. */
  public boolean isLoopback() {
    return kind == LinkKind.AUTO;
  }

  /** A device on this link with an address of its own. */
  public DeviceSpec device() {
    return device(Addresses.next(), 0);
  }

  /**
   * A device on this link.
   *
   * @param address its address
   * @param side distinguishes the fault sequences of the two ends of a connection
   */
  public DeviceSpec device(String address, int side) {
    if (this == NATIVE) {
      return DeviceSpec.parse(side == 0 ? NATIVE_DEVICES.getFirst() : NATIVE_DEVICES.getLast());
    }
    DeviceSpec named =
        layer() == LinkLayer.INFINIBAND ? DeviceSpec.ib(address) : DeviceSpec.soft(address);
    DeviceSpec spec = named.link(kind);
    return faulty ? spec.faults(faults(side)) : spec;
  }

  /**
   * The Ethernet address of a device. libibverbs knows only network interfaces, and the loopback
   * has no address, so of the library of this build the device below is asked.
   */
  public static MacAddress mac(Context context) {
    if (!selected().contains(NATIVE) || areDevicesOfOthers()) {
      return context.queryMac(1);
    }
    try (Context below = Devices.open(BELOW)) {
      return below.queryMac(1);
    }
  }

  /** Registered memory as the link needs it. */
  public MemoryRegion memory(ProtectionDomain pd, long bytes, int access) {
    return this == SHM_BY_PACKETS
        ? pd.regMr(Arena.ofAuto().allocate(bytes), access)
        : pd.allocMr(bytes, access);
  }

  /**
   * The QP timeout code (4.096 µs × 2^n) for tests, 67 ms: short on a lossy link, but long enough
   * that eight tries last longer than a thread may wait for a processor on a busy computer. Devices
   * of others lose no packets here, but may be those of an emulated computer: 537 ms.
   */
  public int timeout() {
    return areDevicesOfOthers() ? 17 : 14;
  }

  /**
   * The QP retry count for tests: 7, but 6 on devices of others, since the kernel's soft-RoCE takes
   * 7 as "for ever".
   */
  public static int retryCnt() {
    return areDevicesOfOthers() ? 6 : 7;
  }

  /** Link layer of the devices: with InfiniBand they have LIDs and no IP addresses. */
  public LinkLayer layer() {
    return this == IB || this == FAULTY_IB ? LinkLayer.INFINIBAND : LinkLayer.ETHERNET;
  }

  /** Whether postSend has every operation: ibv_post_send has no FLUSH and no ATOMIC_WRITE. */
  public boolean postsEveryOperation() {
    return this != NATIVE;
  }

  /**
   * Whether memory can be made persistent: of libibverbs, only memory that is so by itself, and the
   * library of this build has none.
   */
  public boolean makesMemoryPersistent() {
    return this != NATIVE;
  }

  /** Whether packets are lost here. */
  public boolean isFaulty() {
    return faulty;
  }

  /** Skips a test about the TTL and TOS of received packets where they are unknown. */
  public void assumeReceivedIpHeaders() {
    if (kind == LinkKind.UDP) {
      assumeNativeAccess("DatagramChannel does not tell TTL and TOS of received packets");
    }
  }

  /**
   * Skips a test of what there is only with native access, if -Dverbena.tck.fallback=true says that
   * the suite runs without it.
   */
  public static void assumeNativeAccess(String reason) {
    assumeFalse(Boolean.getBoolean("verbena.tck.fallback"), reason);
  }

  private FaultSpec faults(int side) {
    double corrupt = this == FAULTY_SHM ? 0 : 0.01;
    return new FaultSpec(
        0.02, List.of(), 0.02, 0.02, 0.01, Duration.ofMillis(1), corrupt, SEED + side);
  }
}
