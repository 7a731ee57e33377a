package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ForkStatus;
import dev.verbena.verbs.VerbsException;

/** What libibverbs does so that the process can fork. */
final class Fork {
  private static final String INIT = "forkInit";
  private static final String STATUS = "isForkInitialized";

  /** As {@link dev.verbena.verbs.Devices#forkInit}. */
  static void init() {
    require(Functions.FORK_INIT.call(INIT));
  }

  /** Says what to do if the library refuses. */
  static void require(Answer answer) {
    if (answer.status() == 0) {
      return;
    }
    String cure =
        switch (answer.status()) {
          case Errno.EINVAL ->
              "a region or a queue was made already: call it before anything else of this library,"
                  + " or start the program with IBV_FORK_SAFE=1 in its environment";
          case Errno.ENOSYS ->
              "this kernel cannot keep pages from children (MADV_DONTFORK): let nothing fork";
          default -> answer.function() + " fails";
        };
    throw new VerbsException(INIT, answer.status(), cure);
  }

  /** As {@link dev.verbena.verbs.Devices#isForkInitialized}. */
  static ForkStatus status() {
    // The library reads the variables of the environment when it is first asked for devices.
    new DeviceList(STATUS).close();
    return ForkStatus.of((int) Functions.IS_FORK_INITIALIZED.call(STATUS).value());
  }

  private Fork() {}
}
