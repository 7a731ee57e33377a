/** The software RDMA device: a provider of {@code dev.verbena.verbs}. */
module dev.verbena.soft {
  requires dev.verbena.verbs;
  requires dev.verbena.wire;
  // For the don't-fragment option of DatagramChannel, which is looked up by name.
  requires jdk.net;
  requires jdk.jfr;
  requires static org.jspecify;

  uses dev.verbena.verbs.spi.ManagementAgent;

  provides dev.verbena.verbs.VerbsProvider with
      dev.verbena.soft.device.SoftProvider;
  provides dev.verbena.verbs.spi.DeviceMonitor with
      dev.verbena.soft.device.SoftMonitor;
}
