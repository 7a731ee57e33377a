/**
 * The native side of rdma-core, seen from Java: struct layouts of libibverbs 44, 64-bit, and
 * management datagrams through libibumad.
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
