/** RoCEv2 packet formats. */
module dev.verbena.wire {
  requires static org.jspecify;

  exports dev.verbena.wire;
}
