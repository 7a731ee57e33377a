/** RoCEv2 packet formats, and management datagrams. */
module dev.verbena.wire {
  requires static org.jspecify;

  exports dev.verbena.wire;
  exports dev.verbena.wire.mad;
}
