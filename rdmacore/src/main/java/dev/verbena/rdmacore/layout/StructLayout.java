package dev.verbena.rdmacore.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The offsets of the members of a C struct in rdma-core 44 on 64-bit computers; the package
 * description says how to add another version. Generated static assertions check these declarations
 * against the headers of an installed rdma-core.
 */
public final class StructLayout {
  /** Where a struct may have more members than are declared. */
  public enum Growth {
    /** Nowhere. */
    NONE,
    /** Behind them: the offsets stay. */
    AT_END,
    /** Before them: the distances from its end stay. */
    AT_START
  }

  /**
   * A member.
   *
   * @param path its name in C: "wr.rdma.rkey"
   * @param offset bytes from the start of the struct
   * @param size bytes
   */
  public record Field(String path, long offset, long size) {}

  private final String type;
  private final long size;
  private final Growth growth;
  private final List<Field> fields = new ArrayList<>();

  /**
   * @param type its name in C: "struct ibv_send_wr"
   * @param size bytes
   */
  public StructLayout(String type, long size) {
    this(type, size, Growth.NONE);
  }

  private StructLayout(String type, long size, Growth growth) {
    this.type = type;
    this.size = size;
    this.growth = growth;
  }

  /**
   * A struct to whose end later releases of rdma-core may add members: no program has it in an
   * array, or copies it without knowing how much of it the other side has.
   *
   * @param type its name in C
   * @param size at least the size in bytes of the members declared here
   */
  static StructLayout growing(String type, long size) {
    return new StructLayout(type, size, Growth.AT_END);
  }

  /**
   * A struct to whose start later releases may add members: it is reached from its end, and says
   * itself how long it is.
   *
   * @param type its name in C
   * @param size at least the size in bytes of the members declared here
   */
  static StructLayout growingAtStart(String type, long size) {
    return new StructLayout(type, size, Growth.AT_START);
  }

  /** Declares a member and returns its offset, for use as a constant. */
  public long field(String path, long offset, long bytes) {
    fields.add(new Field(path, offset, bytes));
    return offset;
  }

  /** Its name in C. */
  public String type() {
    return type;
  }

  /** Bytes. */
  public long size() {
    return size;
  }

  /** Where headers of later releases may have more members. */
  public Growth growth() {
    return growth;
  }

  /** The members declared, in the order of their declaration. */
  public List<Field> fields() {
    return Collections.unmodifiableList(fields);
  }
}
