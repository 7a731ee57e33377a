/**
 * The native side of rdma-core as Java sees it: struct layouts of libibverbs 44, 64-bit, and
 * management datagrams by libibumad.
 */
module dev.verbena.rdmacore {
  requires dev.verbena.verbs;
  requires static org.jspecify;

  exports dev.verbena.rdmacore.layout;

  provides dev.verbena.verbs.NodeProvider with
      dev.verbena.rdmacore.umad.UmadProvider;
  provides dev.verbena.verbs.spi.MadProvider with
      dev.verbena.rdmacore.umad.UmadProvider;
}
