package dev.verbena.wire.mad;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of a header or an attribute: its fields in order, each directly after the one before,
 * and the bits of the component mask, which count every field, including reserved ones.
 */
public final class Format {
  private final String name;
  private final int attributeId;
  private final int length;
  private final int components;
  private final List<Field> fields;
  private final Map<Field, Field> placed;

  private Format(Builder builder) {
    name = builder.name;
    attributeId = builder.attributeId;
    length = Math.ceilDiv(builder.bit, builder.unit * Byte.SIZE) * builder.unit;
    components = builder.component;
    fields = List.copyOf(builder.fields);
    placed = Map.copyOf(builder.placed);
  }

  /** Its name in the specification, such as {@code PathRecord}. */
  public String name() {
    return name;
  }

  /** The AttributeID of a MAD that carries it; 0 for a header. */
  public int attributeId() {
    return attributeId;
  }

  /** Its bytes, a multiple of eight for a record of subnet administration. */
  public int length() {
    return length;
  }

  /** Its fields without the reserved ones, in order. */
  public List<Field> fields() {
    return fields;
  }

  /**
   * Finds a field in this format: one of its own, or one of an attribute that is part of it.
   *
   * @throws IllegalArgumentException if it has no such field
   */
  public Field place(Field field) {
    Field place = placed.get(field);
    if (place == null) {
      throw new IllegalArgumentException(name + " has no field " + field.name());
    }
    return place;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Begins a header, whose fields have no bits in a component mask. */
  static Builder header(String name) {
    return new Builder(name, 0, 1, 0);
  }

  /** Begins an attribute that a MAD carries alone. */
  static Builder attribute(String name, int attributeId) {
    return new Builder(name, attributeId, 1, 1);
  }

  /** Begins a record of subnet administration, whose tables count in units of eight bytes. */
  static Builder record(String name, int attributeId) {
    return new Builder(name, attributeId, Long.BYTES, 1);
  }

  /** Builds a format. */
  static final class Builder {
    private final String name;
    private final int attributeId;
    private final int unit;
    private final int counted;
    private final List<Field> fields = new ArrayList<>();
    private final Map<Field, Field> placed = new HashMap<>();
    private int bit;
    private int component;

    /**
     * @param unit its length is a multiple of these bytes
     * @param counted 1 if a bit of the component mask belongs to every field, otherwise 0
     */
    private Builder(String name, int attributeId, int unit, int counted) {
      this.name = name;
      this.attributeId = attributeId;
      this.unit = unit;
      this.counted = counted;
    }

    /** The next field. */
    Field field(String fieldName, int bits) {
      return field(fieldName, bits, counted);
    }

    /** The next field; each of its equal parts has a bit of the component mask. */
    Field field(String fieldName, int bits, int parts) {
      Field field = new Field(fieldName, bit, bits, component, parts);
      fields.add(field);
      placed.put(field, field);
      bit += bits;
      component += parts;
      return field;
    }

    /** Reserved bits, which have a bit of the component mask. */
    Builder reserved(int bits) {
      bit += bits;
      component += counted;
      return this;
    }

    /** A whole attribute, whose fields are reached by its own constants. */
    Builder part(Format inner) {
      for (Field field : inner.fields) {
        Field moved = field.moved(bit / Byte.SIZE, component);
        fields.add(moved);
        placed.put(field, moved);
      }
      bit += inner.length * Byte.SIZE;
      component += inner.components;
      return this;
    }

    Format build() {
      return new Format(this);
    }
  }
}
