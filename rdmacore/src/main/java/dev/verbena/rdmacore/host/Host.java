package dev.verbena.rdmacore.host;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads and writes the memory of the process by address. */
public final class Host {
  private static final MemorySegment MEMORY = MemoryNative.MEMORY;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfLong NETWORK_LONG = LONG.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt NETWORK_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NETWORK_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  /** The whole address space: offsets are addresses. */
  public static MemorySegment memory() {
    return MEMORY;
  }

  /**
   * Whether it can be memory of the program, which is in the lower half of the address space. A
   * null pointer has no bytes.
   */
  public static boolean canHold(long address, long length) {
    return address == 0
        ? length == 0
        : address > 0 && length >= 0 && address <= Long.MAX_VALUE - length;
  }

  public static long getLong(long address) {
    return MEMORY.get(LONG, address);
  }

  public static void setLong(long address, long value) {
    MEMORY.set(LONG, address, value);
  }

  public static int getInt(long address) {
    return MEMORY.get(INT, address);
  }

  public static void setInt(long address, int value) {
    MEMORY.set(INT, address, value);
  }

  /** Reads an unsigned 16-bit number. */
  public static int getShort(long address) {
    return Short.toUnsignedInt(MEMORY.get(SHORT, address));
  }

  public static void setShort(long address, int value) {
    MEMORY.set(SHORT, address, (short) value);
  }

  /** Reads an unsigned 8-bit number. */
  public static int getByte(long address) {
    return Byte.toUnsignedInt(MEMORY.get(ValueLayout.JAVA_BYTE, address));
  }

  public static void setByte(long address, int value) {
    MEMORY.set(ValueLayout.JAVA_BYTE, address, (byte) value);
  }

  /** Reads a big-endian number. */
  public static long getNetworkLong(long address) {
    return MEMORY.get(NETWORK_LONG, address);
  }

  /** Reads a big-endian 32-bit number. */
  public static int getNetworkInt(long address) {
    return MEMORY.get(NETWORK_INT, address);
  }

  /** Reads an unsigned big-endian 16-bit number. */
  public static int getNetworkShort(long address) {
    return Short.toUnsignedInt(MEMORY.get(NETWORK_SHORT, address));
  }

  /** Stores a number big-endian. */
  public static void setNetworkLong(long address, long value) {
    MEMORY.set(NETWORK_LONG, address, value);
  }

  /** Stores a 32-bit number big-endian. */
  public static void setNetworkInt(long address, int value) {
    MEMORY.set(NETWORK_INT, address, value);
  }

  /** Stores a 16-bit number big-endian. */
  public static void setNetworkShort(long address, int value) {
    MEMORY.set(NETWORK_SHORT, address, (short) value);
  }

  /** Reads a string up to its NUL. */
  public static String getString(long address) {
    return MEMORY.getString(address, StandardCharsets.UTF_8);
  }

  /** Stores a string with its NUL, truncated to the room available. */
  public static void setString(long address, String value, int room) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, room - 1);
    MemorySegment.copy(bytes, 0, MEMORY, ValueLayout.JAVA_BYTE, address, length);
    setByte(address + length, 0);
  }

  private Host() {}
}
