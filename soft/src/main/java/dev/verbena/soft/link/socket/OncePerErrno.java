package dev.verbena.soft.link.socket;

import dev.verbena.verbs.Errno;
import java.lang.System.Logger.Level;

/**
 * Logs the first failure of each kind, because a peer that is gone would otherwise fill the log.
 * For one thread at a time.
 */
final class OncePerErrno {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.soft.link");
  private static final int KINDS = 256;

  private final String what;
  private final boolean[] seen = new boolean[KINDS];

  /**
   * @param what the call and its object, such as "send from 127.0.0.1"
   */
  OncePerErrno(String what) {
    this.what = what;
  }

  void failed(int errno) {
    int kind = errno & KINDS - 1;
    if (!seen[kind]) {
      seen[kind] = true;
      LOGGER.log(
          Level.WARNING,
          what
              + ": "
              + Errno.strerror(errno)
              + " ("
              + Errno.name(errno)
              + "); repeats are not reported");
    }
  }
}
