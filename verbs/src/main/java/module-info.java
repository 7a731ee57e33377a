/** The public API of Verbena: RDMA verbs for Java. */
module dev.verbena.verbs {
  requires static org.jspecify;
}
