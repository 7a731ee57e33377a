package dev.verbena.soft.device.spec;

import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.transport.frames.ToeplitzHash;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AtomicCap;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.OdpCaps;
import dev.verbena.verbs.PacketPacingCaps;
import dev.verbena.verbs.PciAtomicCaps;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RawPacketCaps;
import dev.verbena.verbs.RssCaps;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.provider.Kind;

/**
 * The features and limits of this device (S11.2, S11.3). A limit of 0 means that the feature does
 * not exist.
 */
public final class Limits {
  /** Ports. */
  public static final int PORTS = 1;

  /** Entries of the GID table; only the first is in use. */
  public static final int GIDS = 16;

  /** Entries of the P_Key table on Ethernet. */
  public static final int PKEYS = 1;

  /** Entries of the P_Key table on InfiniBand. */
  public static final int IB_PKEYS = 32;

  /** P_Keys are 0 to this. */
  public static final int MAX_PKEY = 0xffff;

  /** Service levels are 0 to this. */
  public static final int MAX_SL = 15;

  /** The bit of an EUI-64 that says it is locally administered: bit 1 of the first octet. */
  public static final long LOCAL_EUI64 = 0x0200_0000_0000_0000L;

  /** Largest path MTU. */
  public static final Mtu MAX_MTU = Mtu.MTU_4096;

  /** Completion vectors. */
  public static final int COMP_VECTORS = 1;

  /** Queue pairs; the same number of work queues may exist, with numbers from the same table. */
  static final int MAX_QP = Engine.QP_NUMBERS / 2;

  /** The largest number that a queue pair can have: 24 bits. */
  public static final int MAX_QPN = AddressHandle.MULTICAST_QPN;

  /** Outstanding work requests of one queue; slots are made when they are first used. */
  public static final int MAX_QP_WR = 16_384;

  /** Shared receive queues, each of which may be an XRC queue with a number. */
  static final int MAX_SRQ = Engine.QP_NUMBERS;

  /** Outstanding receives of a shared receive queue, which many queue pairs empty. */
  public static final int MAX_SRQ_WR = 1 << 16;

  /** Elements of a work request. */
  public static final int MAX_SGE = 32;

  /** Bytes of inline data of a work request. */
  public static final int MAX_INLINE_DATA = 1024;

  /** Entries of a completion queue, which grows as it fills. */
  public static final int MAX_CQE = 1 << 22;

  /** Completions that an event may wait for. */
  public static final int MAX_CQ_COUNT = 0xffff;

  /** Microseconds that an event may wait. */
  public static final int MAX_CQ_PERIOD = 0xffff;

  /** Memory regions. */
  static final int MAX_MR = KeyTable.CAPACITY / 2;

  /** Memory windows; regions and windows have their keys from one table. */
  static final int MAX_MW = KeyTable.CAPACITY - MAX_MR;

  /** READs and atomics outstanding at a queue pair, in each direction. */
  public static final int MAX_RD_ATOMIC = 128;

  /**
   * Bytes of the longest message that this device sends, half of what a RETH can announce: with
   * 256-byte packets it takes a quarter of the PSNs, so that two of them are always
   * distinguishable.
   */
  public static final long MAX_MESSAGE = 1L << 30;

  /** Bytes of a TSO request's data, without headers. */
  public static final int MAX_TSO = 1 << 18;

  /**
   * Bytes of a TSO header: more than Ethernet, IP and TCP need, and no less than programs derive
   * from {@link #MAX_TSO}; pyverbs takes an 800th of it.
   */
  public static final int MAX_TSO_HEADER = 512;

  /** Steering rules. */
  static final int MAX_FLOWS = 4096;

  /** Entries of an indirection table. */
  public static final int MAX_RWQ_IND_TABLE_SIZE = 4096;

  /** A receive has fewer bytes than this (S3.1.5). */
  public static final long RECEIVE_BYTES = 1L << 31;

  /** The rights that regions and queue pairs can have. */
  public static final int ACCESS =
      Access.LOCAL_WRITE
          | Access.REMOTE_WRITE
          | Access.REMOTE_READ
          | Access.REMOTE_ATOMIC
          | Access.MW_BIND
          | Access.ZERO_BASED
          | Access.FLUSH_GLOBAL
          | Access.FLUSH_PERSISTENT;

  private static final int MAX_OBJECTS = 1 << 16;

  private static final RssCaps RSS =
      new RssCaps(
          1 << QpType.RAW_PACKET.number(),
          MAX_OBJECTS,
          MAX_RWQ_IND_TABLE_SIZE,
          ToeplitzHash.FIELDS,
          RxHashFunction.TOEPLITZ);

  private static final RssCaps NO_RSS = new RssCaps(0, 0, 0, 0, 0);

  /** Atomics are the processor's, of 8 bytes: fetch-and-add and compare-and-swap. */
  private static final PciAtomicCaps ATOMICS = new PciAtomicCaps(1 << 1, 0, 1 << 1);

  /** Memberships of queue pairs in multicast groups. */
  private static final int MAX_MCAST = 1 << 14;

  private static final long MIN_PAGE = 4096;
  private static final long PAGE_SIZES = 0xffff_ffffL & -MIN_PAGE;

  /** The same as rxe's: no vendor has registered this number. */
  private static final int VENDOR_ID = 0xff_ffff;

  /** Verbena's software device, among devices without a registered vendor: "VB". */
  public static final int VENDOR_PART_ID = 0x5642;

  private static final String VERSION = "0.1.0";
  private static final int HW_VERSION = 1;

  /** 4.096 µs × 2^15: 134 ms, because an engine thread may have to wait for a processor. */
  private static final int ACK_DELAY = 15;

  /** Time stamps use all 64 bits. */
  private static final long TIMESTAMP_MASK = -1;

  /** They count nanoseconds. */
  private static final long CORE_CLOCK_KHZ = 1_000_000;

  private static final int CAP_FLAGS =
      DeviceCap.BAD_PKEY_CNTR
          | DeviceCap.CURR_QP_STATE_MOD
          | DeviceCap.PORT_ACTIVE_EVENT
          | DeviceCap.SYS_IMAGE_GUID
          | DeviceCap.SRQ_RESIZE
          | DeviceCap.XRC
          | DeviceCap.RC_RNR_NAK_GEN
          | DeviceCap.MEM_WINDOW
          | DeviceCap.MEM_WINDOW_TYPE_2B
          | DeviceCap.MEM_MGT_EXTENSIONS;

  private static final int ETHERNET_CAP_FLAGS =
      DeviceCap.RAW_IP_CSUM | DeviceCap.MANAGED_FLOW_STEERING;

  /** Whether queue pairs of this type can be made. */
  public static boolean hasType(QpType type) {
    // XRC_RECV has no requests of its own.
    return SendOperation.sendOps(type) != 0 || type == QpType.XRC_RECV;
  }

  /** Identity and limits of the device with this GUID, number of its kind, and link layer. */
  public static DeviceAttr device(long guid, int vendorPartId, LinkLayer layer) {
    boolean ethernet = layer == LinkLayer.ETHERNET;
    return new DeviceAttr(
        /* fwVer= */ VERSION,
        /* nodeGuid= */ guid,
        /* sysImageGuid= */ guid,
        /* maxMrSize= */ Long.MAX_VALUE,
        /* pageSizeCap= */ PAGE_SIZES,
        /* vendorId= */ VENDOR_ID,
        /* vendorPartId= */ vendorPartId,
        /* hwVer= */ HW_VERSION,
        /* maxQp= */ MAX_QP,
        /* maxQpWr= */ MAX_QP_WR,
        /* deviceCapFlags= */ capFlags(ethernet),
        /* maxSge= */ MAX_SGE,
        /* maxSgeRd= */ MAX_SGE,
        /* maxCq= */ MAX_OBJECTS,
        /* maxCqe= */ MAX_CQE,
        /* maxMr= */ MAX_MR,
        /* maxPd= */ MAX_OBJECTS,
        /* maxQpRdAtom= */ MAX_RD_ATOMIC,
        /* maxEeRdAtom= */ 0,
        /* maxResRdAtom= */ MAX_RD_ATOMIC * MAX_QP,
        /* maxQpInitRdAtom= */ MAX_RD_ATOMIC,
        /* maxEeInitRdAtom= */ 0,
        // They are GLOB, atomic with the processor's own, too (S5.4.2). But no adapter reports
        // that, and programs such as UCX before 1.16 check whether this is HCA.
        /* atomicCap= */ AtomicCap.HCA,
        /* maxEe= */ 0,
        /* maxRdd= */ 0,
        /* maxMw= */ MAX_MW,
        /* maxRawIpv6Qp= */ 0,
        /* maxRawEthyQp= */ ethernet ? MAX_QP : 0,
        /* maxMcastGrp= */ Multicast.MAX_GROUPS,
        /* maxMcastQpAttach= */ Multicast.MAX_MEMBERS,
        /* maxTotalMcastQpAttach= */ MAX_MCAST,
        /* maxAh= */ MAX_OBJECTS,
        /* maxFmr= */ 0,
        /* maxMapPerFmr= */ 0,
        /* maxSrq= */ MAX_SRQ,
        /* maxSrqWr= */ MAX_SRQ_WR,
        /* maxSrqSge= */ MAX_SGE,
        /* maxPkeys= */ ethernet ? PKEYS : IB_PKEYS,
        /* localCaAckDelay= */ ACK_DELAY,
        /* physPortCnt= */ PORTS);
  }

  /** The same and the optional capabilities. */
  public static DeviceAttrEx deviceEx(long guid, int vendorPartId, LinkLayer layer) {
    boolean ethernet = layer == LinkLayer.ETHERNET;
    return new DeviceAttrEx(
        /* origAttr= */ device(guid, vendorPartId, layer),
        /* odpCaps= */ OdpCaps.NONE,
        /* completionTimestampMask= */ TIMESTAMP_MASK,
        /* hcaCoreClock= */ CORE_CLOCK_KHZ,
        /* deviceCapFlagsEx= */ Integer.toUnsignedLong(capFlags(ethernet))
            | DeviceCapEx.FLUSH_GLOBAL
            | DeviceCapEx.FLUSH_PERSISTENT
            | DeviceCapEx.ATOMIC_WRITE,
        /* maxTso= */ MAX_TSO,
        /* tsoSupportedQpts= */ (ethernet ? 1 << QpType.RAW_PACKET.number() : 0)
            | 1 << QpType.UD.number(),
        /* rssCaps= */ ethernet ? RSS : NO_RSS,
        /* maxWqTypeRq= */ ethernet ? MAX_QP : 0,
        /* packetPacingCaps= */ PacketPacingCaps.NONE,
        /* rawPacketCaps= */ ethernet ? RawPacketCaps.IP_CSUM : 0,
        /* maxCqModerationCount= */ MAX_CQ_COUNT,
        /* maxCqModerationPeriod= */ MAX_CQ_PERIOD,
        /* maxDmSize= */ 0,
        /* pciAtomicCaps= */ ATOMICS,
        /* physPortCntEx= */ PORTS);
  }

  private static int capFlags(boolean ethernet) {
    return ethernet ? CAP_FLAGS | ETHERNET_CAP_FLAGS : CAP_FLAGS;
  }

  /** The most objects of a kind that a device can have. */
  public static int most(Kind kind) {
    return switch (kind) {
      case FLOW -> MAX_FLOWS;
      case QP, WQ -> MAX_QP;
      case MR -> MAX_MR;
      case MCAST -> MAX_MCAST;
      case MW -> MAX_MW;
      case SRQ -> MAX_SRQ;
      case AH, RWQ_IND_TABLE, XRCD, PD, PARENT_DOMAIN, DM, TD, CQ, CHANNEL, CONTEXT -> MAX_OBJECTS;
    };
  }

  private Limits() {}
}
