/** The native side of libibverbs as Java sees it: struct layouts. */
module dev.verbena.rdmacore {
  requires dev.verbena.verbs;
  requires static org.jspecify;

  exports dev.verbena.rdmacore.layout;
}
