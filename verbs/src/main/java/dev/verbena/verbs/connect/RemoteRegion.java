package dev.verbena.verbs.connect;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;

/**
 * Memory that the other end offers for READ, WRITE or atomics.
 *
 * @param addr its address there
 * @param length its length in bytes, not negative
 * @param rkey its key
 */
public record RemoteRegion(long addr, long length, int rkey) {
  /**
   * Memory of the other end.
   *
   * @throws VerbsException EINVAL if the length is negative
   */
  public RemoteRegion {
    if (length < 0) {
      throw new VerbsException("remoteRegion", Errno.EINVAL, "length " + length + " is negative");
    }
  }

  /** A region of this process as other ends use it: what a connection tells them of it. */
  public static RemoteRegion of(MemoryRegion region) {
    return new RemoteRegion(region.addr(), region.length(), region.rkey());
  }

  /**
   * The address of some bytes of this memory, for a work request.
   *
   * @param offset of the first byte
   * @param bytes how many
   * @throws VerbsException EINVAL unless all of them are in the memory
   */
  public long addr(long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > length - bytes) {
      throw new VerbsException(
          "remoteRegion",
          Errno.EINVAL,
          bytes + " bytes at offset " + offset + " of a remote region of " + length + " bytes");
    }
    return addr + offset;
  }
}
