package dev.verbena.tck.kit;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Gid;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loopback addresses that no other test of this run uses, so that tests run in parallel: 127.B.C.D,
 * where B distinguishes the test JVMs of one computer.
 */
public final class Addresses {
  private static final int HOSTS = 254;
  private static final int NETS = 256;
  private static final int OCTET_OF_PROCESS = 1 + (int) (ProcessHandle.current().pid() % 254);
  private static final AtomicInteger NEXT = new AtomicInteger();

  /** An address that was never returned before. */
  public static String next() {
    int n = NEXT.getAndIncrement();
    if (n >= HOSTS * NETS) {
      throw new IllegalStateException("all " + HOSTS * NETS + " addresses of this run are used up");
    }
    return "127." + OCTET_OF_PROCESS + "." + n / HOSTS + "." + (1 + n % HOSTS);
  }

  /** A multicast group that was never returned before. */
  public static Gid nextGroup() {
    String address = next();
    return Gid.parse("239" + address.substring(address.indexOf('.')));
  }

  /** The address of the first port of a context, for a queue pair that sends to itself. */
  public static AhAttr of(Context context) {
    return AhAttr.to(context.queryGid(1, 0)).withDlid(context.queryPort(1).lid());
  }

  private Addresses() {}
}
