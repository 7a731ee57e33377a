package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Registered memory (struct ibv_mr). */
public interface MemoryRegion extends AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain. */
  ProtectionDomain pd();

  /**
   * The memory; {@link MemorySegment#NULL} if this process has none at this address.
   *
   * <p>A peer's READ may get a part of what this program is storing, in any order, unless a word
   * that is stored last, by {@link java.lang.invoke.VarHandle#setRelease}, or a check sum says that
   * the rest is complete. A program that looks at its memory for a peer's WRITE looks at the last
   * byte, by {@link java.lang.invoke.VarHandle#getAcquire}: a software device stores that after all
   * others.
   */
  MemorySegment memory();

  /**
   * Address of the first byte for use in work requests: the segment's address, the iova, or 0 for a
   * ZERO_BASED region.
   */
  long addr();

  /** Bytes. */
  long length();

  /** Key for local use, in scatter/gather elements. */
  int lkey();

  /** Key for use by peers. */
  int rkey();

  /** {@link Access} bits in force. */
  int access();

  /**
   * The whole region as an element.
   *
   * @throws VerbsException EINVAL for a region of 4 GiB or more, which is too long for one element:
   *     use parts
   */
  default Sge sge() {
    return new Sge(addr(), length(), lkey());
  }

  /**
   * A part of the region as an element, in python-rdma's order of arguments. {@link #sgeAt} takes
   * the offset first, as {@code MemorySegment.asSlice} does; both arguments are longs, so swapped
   * ones may go unnoticed.
   *
   * @param length bytes, less than 4 GiB
   * @param offset bytes from the start of the region; any size
   * @throws VerbsException EINVAL if the part is not inside the region, or has 4 GiB or more
   */
  default Sge sge(long length, long offset) {
    return part("sge", offset, length);
  }

  /**
   * A part of the region as an element. The arguments are in the order of {@code
   * MemorySegment.asSlice}, and the address of the element is {@link #addr()} + offset.
   *
   * @param offset bytes from the start of the region; any size
   * @param length bytes, less than 4 GiB
   * @throws VerbsException EINVAL if the part is not inside the region, or has 4 GiB or more
   */
  default Sge sgeAt(long offset, long length) {
    return part("sgeAt", offset, length);
  }

  private Sge part(String function, long offset, long length) {
    if (length < 0 || offset < 0 || offset > length() - length) {
      throw new VerbsException(
          function,
          Errno.EINVAL,
          length
              + " bytes at offset "
              + offset
              + " are not inside "
              + this
              + ", which has "
              + length()
              + " bytes");
    }
    return new Sge(addr() + offset, length, lkey());
  }

  /**
   * Changes the region and keeps its keys (ibv_rereg_mr). Nothing changes if it fails.
   *
   * <p>CHANGE_TRANSLATION drops an iova, as in C: from then on requests address the new memory by
   * its own addresses, or from 0 if the rights then in force include ZERO_BASED. Without
   * CHANGE_TRANSLATION {@link #addr()} does not change, even if CHANGE_ACCESS adds or removes
   * {@link Access#ZERO_BASED}: a region created ZERO_BASED still starts at 0.
   *
   * <p>After it returns, neither a thread of the library nor an adapter uses the old version of the
   * region. Memory of {@link ProtectionDomain#allocMr} that CHANGE_TRANSLATION replaces is freed;
   * other memory that it replaces must live until then.
   *
   * @param flags {@link ReregFlags} bits, at least one
   * @param pd new domain, with CHANGE_PD
   * @param memory new memory, with CHANGE_TRANSLATION
   * @param access new rights, with CHANGE_ACCESS, where none means that only this end reads the
   *     memory; otherwise omitted
   * @throws VerbsException EINVAL for other bits, a missing domain or memory, or bad rights, and
   *     for a region of allocNullMr, regDmabufMr or regDmMr; EBUSY while a memory window is bound
   *     to it, in which case the region is unchanged
   */
  void rereg(
      int flags, @Nullable ProtectionDomain pd, @Nullable MemorySegment memory, int... access);

  /**
   * Deregisters the region (ibv_dereg_mr). After it returns, neither a thread of the library nor an
   * adapter touches the memory, so now its arena may be closed. Work requests that still name it
   * fail.
   *
   * @throws VerbsException EBUSY while a memory window is bound to it, or what a driver says then
   */
  void dereg();

  /** Whether the region was deregistered. */
  boolean isClosed();

  /**
   * Deregisters the region; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a memory window is bound to it, or what a driver says then
   */
  @Override
  void close();
}
