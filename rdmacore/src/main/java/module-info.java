/**
 * The native side of rdma-core, seen from Java: struct layouts of libibverbs 44, 64-bit, the
 * devices of the installed libibverbs, and management datagrams through libibumad.
 */
@SuppressWarnings("module") // The drop-in is compiled later.
module dev.verbena.rdmacore {
  requires dev.verbena.verbs;
  requires static org.jspecify;

  exports dev.verbena.rdmacore.host to
      dev.verbena.dropin;
  exports dev.verbena.rdmacore.layout;

  provides dev.verbena.verbs.NodeProvider with
      dev.verbena.rdmacore.umad.UmadProvider;
  provides dev.verbena.verbs.VerbsProvider with
      dev.verbena.rdmacore.device.RdmacoreProvider;
  provides dev.verbena.verbs.spi.MadProvider with
      dev.verbena.rdmacore.umad.UmadProvider;
}
