package dev.verbena.rdmacore.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where the members of a C struct lie in rdma-core 44 on 64-bit computers; how another version is
 * added is told by the package. What is declared here is checked against the headers of an
 * installed rdma-core by generated static assertions.
 */
public final class StructLayout {
  /**
   * A member.
   *
   * @param path as C names it: "wr.rdma.rkey"
   * @param offset bytes from the start of the struct
   * @param size bytes
   */
  public record Field(String path, long offset, long size) {}

  private final String type;
  private final long size;
  private final boolean canGrow;
  private final List<Field> fields = new ArrayList<>();

  /**
   * @param type as C names it: "struct ibv_send_wr"
   * @param size bytes
   */
  public StructLayout(String type, long size) {
    this(type, size, false);
  }

  private StructLayout(String type, long size, boolean canGrow) {
    this.type = type;
    this.size = size;
    this.canGrow = canGrow;
  }

  /**
   * A struct to whose end later releases of rdma-core may add members: nobody has it in an array or
   * copies it without knowing how much of it the other side has.
   *
   * @param type as C names it
   * @param size bytes of the members declared here, at least
   */
  static StructLayout growing(String type, long size) {
    return new StructLayout(type, size, true);
  }

  /** Declares a member; returns its offset, so that a constant can be made of it. */
  public long field(String path, long offset, long bytes) {
    fields.add(new Field(path, offset, bytes));
    return offset;
  }

  /** As C names it. */
  public String type() {
    return type;
  }

  /** Bytes. */
  public long size() {
    return size;
  }

  /** Whether headers of later releases may have more members, at its end. */
  public boolean canGrow() {
    return canGrow;
  }

  /** The members declared, in the order of their declaration. */
  public List<Field> fields() {
    return Collections.unmodifiableList(fields);
  }
}
