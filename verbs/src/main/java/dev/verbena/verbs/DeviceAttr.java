package dev.verbena.verbs;

/**
 * Identity and limits of a device (struct ibv_device_attr). A limit of 0 means that the device does
 * not have such objects.
 *
 * @param fwVer firmware version
 * @param nodeGuid GUID of the node
 * @param sysImageGuid GUID of the system image
 * @param maxMrSize bytes of the largest memory region
 * @param pageSizeCap memory page sizes, one bit each
 * @param vendorId vendor
 * @param vendorPartId part
 * @param hwVer hardware version
 * @param maxQp queue pairs
 * @param maxQpWr outstanding work requests of one queue
 * @param deviceCapFlags {@link DeviceCap}
 * @param maxSge elements of a work request
 * @param maxSgeRd elements of an RDMA READ
 * @param maxCq completion queues
 * @param maxCqe entries of a completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxQpRdAtom READs and atomics outstanding at a queue pair as target
 * @param maxEeRdAtom 0
 * @param maxResRdAtom READs and atomics outstanding at the device as target
 * @param maxQpInitRdAtom READs and atomics outstanding at a queue pair as initiator
 * @param maxEeInitRdAtom 0
 * @param atomicCap scope of atomics. The software device reports {@link AtomicCap#HCA}, as adapters
 *     do, but it uses the processor's atomics, so they are atomic with respect to the application's
 *     own as well
 * @param maxEe 0
 * @param maxRdd 0
 * @param maxMw memory windows
 * @param maxRawIpv6Qp 0
 * @param maxRawEthyQp RAW_PACKET queue pairs
 * @param maxMcastGrp multicast groups
 * @param maxMcastQpAttach queue pairs of one group
 * @param maxTotalMcastQpAttach attachments in all
 * @param maxAh address handles
 * @param maxFmr 0
 * @param maxMapPerFmr 0
 * @param maxSrq shared receive queues
 * @param maxSrqWr outstanding receives of one
 * @param maxSrqSge elements of a receive of one
 * @param maxPkeys P_Keys of a port
 * @param localCaAckDelay ACK delay code: 4.096 µs × 2^n
 * @param physPortCnt ports
 */
public record DeviceAttr(
    String fwVer,
    long nodeGuid,
    long sysImageGuid,
    long maxMrSize,
    long pageSizeCap,
    int vendorId,
    int vendorPartId,
    int hwVer,
    int maxQp,
    int maxQpWr,
    int deviceCapFlags,
    int maxSge,
    int maxSgeRd,
    int maxCq,
    int maxCqe,
    int maxMr,
    int maxPd,
    int maxQpRdAtom,
    int maxEeRdAtom,
    int maxResRdAtom,
    int maxQpInitRdAtom,
    int maxEeInitRdAtom,
    AtomicCap atomicCap,
    int maxEe,
    int maxRdd,
    int maxMw,
    int maxRawIpv6Qp,
    int maxRawEthyQp,
    int maxMcastGrp,
    int maxMcastQpAttach,
    int maxTotalMcastQpAttach,
    int maxAh,
    int maxFmr,
    int maxMapPerFmr,
    int maxSrq,
    int maxSrqWr,
    int maxSrqSge,
    int maxPkeys,
    int localCaAckDelay,
    int physPortCnt) {
  @Override
  public String toString() {
    return FieldText.of(
        "device_attr",
        this,
        "nodeGuid",
        "sysImageGuid",
        "maxMrSize",
        "pageSizeCap",
        "vendorId",
        "hwVer",
        "deviceCapFlags");
  }
}
