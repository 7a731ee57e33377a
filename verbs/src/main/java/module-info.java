/** The public API of Verbena: RDMA verbs for Java. */
module dev.verbena.verbs {
  requires static org.jspecify;

  exports dev.verbena.verbs;
  exports dev.verbena.verbs.path;
  exports dev.verbena.verbs.spi;
  exports dev.verbena.verbs.vtools;

  uses dev.verbena.verbs.NodeProvider;
  uses dev.verbena.verbs.VerbsProvider;
}
