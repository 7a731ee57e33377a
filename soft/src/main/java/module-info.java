/** The software RDMA device. */
module dev.verbena.soft {
  requires dev.verbena.verbs;
  requires dev.verbena.wire;
  requires static org.jspecify;
}
