package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Link;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.EthernetHeader;
import dev.verbena.wire.FrameChecksums;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The struct msghdr and buffers for receiving frames, reused for each frame. Restores a frame to
 * its form on the wire: the kernel keeps its VLAN tag separate, and leaves the checksums of frames
 * that this computer sends to itself, as over a pair of virtual interfaces, to nonexistent
 * hardware. For one thread at a time.
 */
final class PacketMessage {
  private static final int CONTROL_BYTES = 128;
  private static final long ALIGNMENT = MessageHeader.CONTROL_ALIGNMENT;

  /** Offsets and bits of struct tpacket_auxdata. */
  private static final int AUX_STATUS = 0;

  private static final int AUX_VLAN_TCI = 16;
  private static final int AUX_VLAN_TYPE = 18;
  private static final int AUX_BYTES = 20;
  private static final int CHECKSUM_NOT_READY = 1 << 3;
  private static final int VLAN_VALID = 1 << 4;
  private static final int VLAN_TYPE_VALID = 1 << 6;

  private static final int MACS = 12;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int capacity;
  private final MemorySegment header;
  private final MemorySegment buffer;
  private final MemorySegment untagged;
  private final MemorySegment control;
  private final EthernetFrame frame = new EthernetFrame();
  private final FrameChecksums checksums = new FrameChecksums();
  private long start;

  /**
   * @param capacity bytes of the longest frame without the tag that the kernel keeps separate
   */
  PacketMessage(Arena arena, int capacity) {
    this.capacity = capacity;
    header = arena.allocate(MessageHeader.BYTES, Long.BYTES);
    buffer = arena.allocate(EthernetHeader.VLAN_LENGTH + capacity, Link.BUFFER_ALIGNMENT);
    untagged = buffer.asSlice(EthernetHeader.VLAN_LENGTH);
    control = arena.allocate(CONTROL_BYTES, Long.BYTES);
    MemorySegment piece = arena.allocate(MessageHeader.PIECE_BYTES, Long.BYTES);
    // There is room for the tag in front of the frame.
    MessageHeader.writePiece(piece, 0, buffer.address() + EthernetHeader.VLAN_LENGTH, capacity);
    MessageHeader.init(header, MemorySegment.NULL, piece, control);
  }

  MemorySegment header() {
    return header;
  }

  /** Resets what the kernel wrote into the header, which the next call reads. */
  void reset() {
    header.set(LONG, MessageHeader.CONTROL_LENGTH, CONTROL_BYTES);
  }

  /**
   * Restores the frame that has just been received.
   *
   * @param received the result of the call with the flag for the real length
   * @return its length; -1 if it was longer than the buffer
   */
  int restore(long received) {
    start = EthernetHeader.VLAN_LENGTH;
    if (received > capacity) {
      return -1;
    }
    int length = (int) received;
    long end = header.get(LONG, MessageHeader.CONTROL_LENGTH);
    long offset = 0;
    while (offset + MessageHeader.CONTROL_DATA <= end) {
      long size = control.get(LONG, offset + MessageHeader.MESSAGE_LENGTH);
      if (size < MessageHeader.CONTROL_DATA) {
        break;
      }
      if (control.get(INT, offset + MessageHeader.LEVEL) == PacketSocket.SOL_PACKET
          && control.get(INT, offset + MessageHeader.TYPE) == PacketSocket.PACKET_AUXDATA
          && size >= MessageHeader.CONTROL_DATA + AUX_BYTES) {
        length = restore(length, offset + MessageHeader.CONTROL_DATA);
      }
      offset += size + ALIGNMENT - 1 & -ALIGNMENT;
    }
    return length;
  }

  private int restore(int length, long aux) {
    int status = control.get(ValueLayout.JAVA_INT, aux + AUX_STATUS);
    if ((status & CHECKSUM_NOT_READY) != 0 && frame.parse(buffer, start, length)) {
      checksums.fill(frame);
    }
    if ((status & VLAN_VALID) == 0 || length < MACS) {
      return length;
    }
    int type =
        (status & VLAN_TYPE_VALID) == 0
            ? EthernetHeader.TYPE_VLAN
            : control.get(ValueLayout.JAVA_SHORT, aux + AUX_VLAN_TYPE);
    MemorySegment.copy(buffer, start, buffer, 0, MACS);
    start = 0;
    buffer.set(NET_SHORT, MACS, (short) type);
    buffer.set(NET_SHORT, MACS + 2, control.get(ValueLayout.JAVA_SHORT, aux + AUX_VLAN_TCI));
    return length + EthernetHeader.VLAN_LENGTH;
  }

  /** The frame, once restored, from its first byte to the end of the buffer. */
  MemorySegment frame() {
    return start == 0 ? buffer : untagged;
  }
}
