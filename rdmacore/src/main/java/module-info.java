/** The native side of libibverbs as Java sees it: struct layouts of rdma-core 44, 64-bit. */
module dev.verbena.rdmacore {
  requires static org.jspecify;

  exports dev.verbena.rdmacore.layout;
}
