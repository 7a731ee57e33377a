package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.verbs.Access;
import org.jspecify.annotations.Nullable;

/** A peer's use of what a key has found. */
final class Use {
  private static final int BYTES = 8;

  /** 1 if requests through this queue pair may write its first bytes, otherwise 0. */
  static int of(@Nullable Region found, WindowOwner through) {
    return found != null
            && found.checkRemote(Table.DOMAIN, through, Access.REMOTE_WRITE, found.base(), BYTES)
                == AccessFault.NONE
        ? 1
        : 0;
  }

  private Use() {}
}
