package dev.verbena.soft.device.spec;

import dev.verbena.verbs.Gid;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The addresses of devices that are in memory only ({@code soft:new}): fd76:6572:6265:6e61, then 32
 * bits for the process, and a number. As no other process gives the same ones, a device can tell
 * that such a peer cannot be reached.
 */
public final class FreshAddress {
  /** What stands for an address that nobody has. */
  static final String NEW = "new";

  private static final long PREFIX = 0xfd76_6572_6265_6e61L;
  private static final long PROCESS = (long) new SecureRandom().nextInt() << 32;
  private static final AtomicInteger NEXT = new AtomicInteger(1);

  /** An address that was never given out before. */
  static Gid next() {
    return new Gid(PREFIX, PROCESS | Integer.toUnsignedLong(NEXT.getAndIncrement()));
  }

  /** Whether it is one of these addresses, of this process or of another one. */
  public static boolean is(Gid gid) {
    return gid.subnetPrefix() == PREFIX;
  }

  /** Whether it is one of these addresses, but of another process. */
  public static boolean isOfAnotherProcess(Gid gid) {
    return is(gid) && (gid.interfaceId() & 0xffff_ffff_0000_0000L) != PROCESS;
  }

  private FreshAddress() {}
}
