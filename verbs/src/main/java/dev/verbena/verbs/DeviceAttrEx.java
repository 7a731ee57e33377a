package dev.verbena.verbs;

/**
 * Identity, limits and optional capabilities (struct ibv_device_attr_ex). Zero means unsupported.
 *
 * @param origAttr the classic attributes
 * @param odpCaps on-demand memory
 * @param completionTimestampMask the valid bits of a completion time stamp
 * @param hcaCoreClock frequency in kHz of the clock of completion time stamps
 * @param deviceCapFlagsEx all capability bits: the lower 32 are those of {@link
 *     DeviceAttr#deviceCapFlags()} ({@link DeviceCap}), the others {@link DeviceCapEx}
 * @param maxTso bytes of a TSO payload
 * @param tsoSupportedQpts bit n set: queue pair type number n can do TSO
 * @param rssCaps hashes of frames
 * @param maxWqTypeRq work queues
 * @param packetPacingCaps limits of the rate at which queue pairs send
 * @param rawPacketCaps {@link RawPacketCaps} bits
 * @param maxCqModerationCount completions that an event may be delayed for
 * @param maxCqModerationPeriod microseconds that an event may be delayed for
 * @param maxDmSize bytes of memory that the device has itself ({@link Context#allocDm}), 0 without
 * @param pciAtomicCaps atomics that are atomic for the processor, too
 * @param physPortCntEx ports
 */
public record DeviceAttrEx(
    DeviceAttr origAttr,
    OdpCaps odpCaps,
    long completionTimestampMask,
    long hcaCoreClock,
    long deviceCapFlagsEx,
    int maxTso,
    int tsoSupportedQpts,
    RssCaps rssCaps,
    int maxWqTypeRq,
    PacketPacingCaps packetPacingCaps,
    int rawPacketCaps,
    int maxCqModerationCount,
    int maxCqModerationPeriod,
    long maxDmSize,
    PciAtomicCaps pciAtomicCaps,
    int physPortCntEx) {
  @Override
  public String toString() {
    return FieldText.of(
        "device_attr_ex",
        this,
        "completionTimestampMask",
        "deviceCapFlagsEx",
        "tsoSupportedQpts",
        "rawPacketCaps");
  }
}
