package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The memory that {@link ProtectionDomain#regMrEx} registers (struct ibv_mr_init_attr): exactly one
 * of memory of this process and memory behind a file descriptor.
 */
public final class MrInitAttr {
  private @Nullable MemorySegment memory;
  private @Nullable Integer fd;
  private long fdOffset;
  private long fdLength;
  private @Nullable Long iova;
  private int access;

  /** An object without any memory set. */
  public MrInitAttr() {}

  /** Memory of this process, or null. */
  public @Nullable MemorySegment memory() {
    return memory;
  }

  /** Sets the memory of this process (addr and length). */
  public MrInitAttr memory(MemorySegment value) {
    memory = value;
    return this;
  }

  /** The file descriptor of a dma-buf, or null. */
  public @Nullable Integer fd() {
    return fd;
  }

  /** Offset of the first byte behind {@link #fd()}. */
  public long fdOffset() {
    return fdOffset;
  }

  /** Length in bytes of the memory behind {@link #fd()}. */
  public long fdLength() {
    return fdLength;
  }

  /** Sets a dma-buf: its file descriptor, the offset of the first byte, and the length in bytes. */
  public MrInitAttr fd(int descriptor, long offset, long length) {
    fd = descriptor;
    fdOffset = offset;
    fdLength = length;
    return this;
  }

  /** Address of the first byte in work requests, or null for the memory's own. */
  public @Nullable Long iova() {
    return iova;
  }

  /** Sets the address of the first byte in work requests. */
  public MrInitAttr iova(long value) {
    iova = value;
    return this;
  }

  /** {@link Access} bits. */
  public int access() {
    return access;
  }

  /** Sets the {@link Access} bits. */
  public MrInitAttr access(int... flags) {
    access = Access.of(flags);
    return this;
  }

  @Override
  public String toString() {
    return "mr_init_attr["
        + (memory == null ? "" : "addr=" + hex(memory.address()) + ", length=" + memory.byteSize())
        + (memory == null || fd == null ? "" : ", ")
        + (fd == null ? "" : "fd=" + fd + ", fd_offset=" + fdOffset + ", fd_length=" + fdLength)
        + (memory == null && fd == null ? "no memory" : "")
        + (iova == null ? "" : ", iova=" + hex(iova))
        + ", access="
        + hex(access)
        + "]";
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }
}
