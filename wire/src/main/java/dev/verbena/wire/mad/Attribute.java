package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.StringJoiner;

/**
 * An attribute by value: a record from an agent's answer, or a query for such records. It remembers
 * which fields were set, so it knows the component mask of a query. Not safe for use by several
 * threads while one of them sets fields.
 */
public final class Attribute {
  private final Format format;
  private final byte[] bytes;
  private final MemorySegment segment;
  private long components;

  /** All zeros, with an empty component mask. */
  public Attribute(Format format) {
    this.format = format;
    bytes = new byte[format.length()];
    segment = MemorySegment.ofArray(bytes);
  }

  /**
   * A copy of an attribute in memory, with an empty component mask.
   *
   * @param offset where it begins
   * @throws IndexOutOfBoundsException if there are fewer bytes than the format's length
   */
  public static Attribute read(Format format, MemorySegment from, long offset) {
    Attribute attribute = new Attribute(format);
    MemorySegment.copy(from, offset, attribute.segment, 0, format.length());
    return attribute;
  }

  /** Writes its bytes to memory. */
  public void write(MemorySegment to, long offset) {
    MemorySegment.copy(segment, 0, to, offset, bytes.length);
  }

  /** What it is. */
  public Format format() {
    return format;
  }

  /** The component mask: the bits of the fields that were set. */
  public long components() {
    return components;
  }

  /**
   * The unsigned value of a field of at most 64 bits.
   *
   * @throws IllegalArgumentException if the format has no such field, or it is longer
   */
  public long get(Field field) {
    return format.place(field).get(segment, 0);
  }

  /**
   * The same for a field of at most 32 bits; a 32-bit value is signed.
   *
   * @throws IllegalArgumentException if the format has no such field, or it is longer
   */
  public int getInt(Field field) {
    if (field.bits() > Integer.SIZE) {
      throw new IllegalArgumentException(field.name() + " has " + field.bits() + " bits");
    }
    return (int) get(field);
  }

  /**
   * Sets a field of at most 64 bits, and adds it to the component mask.
   *
   * @param value unsigned; a value of 32 bits may be a negative int
   * @throws IllegalArgumentException if the format has no such field, or the value more bits
   */
  public Attribute set(Field field, long value) {
    Field place = format.place(field);
    boolean signedInt = field.bits() == Integer.SIZE && value == (int) value;
    if (field.bits() < Long.SIZE && value >>> field.bits() != 0 && !signedInt) {
      throw new IllegalArgumentException(
          "%s.%s: %d has more than its %d bits".formatted(format, field, value, field.bits()));
    }
    place.set(segment, 0, value);
    components |= place.mask();
    return this;
  }

  /**
   * The bytes of a field of whole bytes.
   *
   * @throws IllegalArgumentException if the format has no such field, or it has single bits
   */
  public byte[] getBytes(Field field) {
    return format.place(field).getBytes(segment, 0);
  }

  /**
   * Sets a field of whole bytes, and adds it to the component mask.
   *
   * @param value its bytes, or fewer: zeros follow
   * @throws IllegalArgumentException if the format has no such field, or there are more bytes
   */
  public Attribute set(Field field, byte[] value) {
    Field place = format.place(field);
    place.setBytes(segment, 0, value);
    components |= place.mask();
    return this;
  }

  /** Sets the component mask, which may have more or fewer fields than were set. */
  public Attribute components(long mask) {
    components = mask;
    return this;
  }

  /**
   * Whether this record agrees with a query in all components of {@code mask}.
   *
   * @throws IllegalArgumentException if the two are of different formats
   */
  public boolean matches(Attribute query, long mask) {
    if (query.format != format) {
      throw new IllegalArgumentException(query.format + " asked of " + format);
    }
    return format.fields().stream().allMatch(f -> f.agrees(segment, query.segment, mask));
  }

  /** A copy, which has the same component mask. */
  public Attribute copy() {
    return read(format, segment, 0).components(components);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attribute that
        && that.format == format
        && Arrays.equals(that.bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Its non-zero fields, such as {@code PathRecord(DLID=0x4, SLID=0x1)}. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", format + "(", ")");
    for (Field field : format.fields()) {
      String value =
          field.isNumber()
              ? Long.toHexString(field.get(segment, 0))
              : HexFormat.of().formatHex(field.getBytes(segment, 0));
      if (value.chars().anyMatch(digit -> digit != '0')) {
        text.add(field + "=0x" + value);
      }
    }
    return text.toString();
  }
}
