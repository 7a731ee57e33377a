/** The {@code verbena} command. */
module dev.verbena.tools {
  requires dev.verbena.verbs;
  requires dev.verbena.wire;
  requires info.picocli;
  requires java.management;
  requires jdk.management;
  requires HdrHistogram;
  requires static org.jspecify;

  uses dev.verbena.verbs.spi.DeviceMonitor;

  opens dev.verbena.tools to
      info.picocli;
  opens dev.verbena.tools.compare to
      info.picocli;
  opens dev.verbena.tools.demo to
      info.picocli;
  opens dev.verbena.tools.kit to
      info.picocli;
  opens dev.verbena.tools.lab to
      info.picocli;
  opens dev.verbena.tools.perf to
      info.picocli;
  opens dev.verbena.tools.pingpong to
      info.picocli;
  opens dev.verbena.tools.pingpong.end to
      info.picocli;
  opens dev.verbena.tools.top to
      info.picocli;
  opens dev.verbena.tools.trace to
      info.picocli;
}
