/** Management datagrams: requests to the agents of an InfiniBand fabric. */
module dev.verbena.mad {
  requires transitive dev.verbena.verbs;
  requires transitive dev.verbena.wire;
  requires static org.jspecify;

  exports dev.verbena.mad;

  uses dev.verbena.verbs.spi.MadProvider;

  provides dev.verbena.verbs.spi.ManagementAgent with
      dev.verbena.mad.sa.SubnetAdministrator;
}
