/** The {@code verbena} command. */
module dev.verbena.tools {
  requires dev.verbena.verbs;
  requires dev.verbena.wire;
  requires static org.jspecify;
}
