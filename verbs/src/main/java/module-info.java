/** The public API of Verbena: RDMA verbs for Java. */
@SuppressWarnings("module") // The providers are compiled later.
module dev.verbena.verbs {
  requires static org.jspecify;

  exports dev.verbena.verbs;
  exports dev.verbena.verbs.connect;
  exports dev.verbena.verbs.path;
  exports dev.verbena.verbs.provider to
      dev.verbena.rdmacore,
      dev.verbena.soft;
  exports dev.verbena.verbs.spi;
  exports dev.verbena.verbs.vtools;

  uses dev.verbena.verbs.NodeProvider;
  uses dev.verbena.verbs.VerbsProvider;
}
