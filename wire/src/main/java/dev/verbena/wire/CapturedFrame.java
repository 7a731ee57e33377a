package dev.verbena.wire;

/**
 * A packet in a capture file, as {@link CaptureReader} finds it.
 *
 * @param number counts the packets of the file from 1
 * @param nanos time stamp, nanoseconds since 1970-01-01 UTC; {@link #NO_TIME} if it has none
 * @param linkType what its first bytes are, see {@link LinkType}
 * @param interfaceName where it was captured; empty if the file does not say
 * @param comment what somebody noted about it; empty if nothing. It may contain any characters.
 * @param offset of its first byte in the file
 * @param length bytes that the file holds of it
 * @param originalLength bytes that it had on the wire; more if the capture cut it off
 */
public record CapturedFrame(
    long number,
    long nanos,
    int linkType,
    String interfaceName,
    String comment,
    long offset,
    int length,
    long originalLength) {
  /** The time stamp of a packet that has none, as a simple packet of pcapng. */
  public static final long NO_TIME = Long.MIN_VALUE;
}
