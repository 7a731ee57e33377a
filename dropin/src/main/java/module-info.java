/** The Java side of the replacement libibverbs.so.1. */
module dev.verbena.dropin {
  requires dev.verbena.verbs;
  requires dev.verbena.rdmacore;
  requires static org.jspecify;
}
