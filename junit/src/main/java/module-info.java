/** A JUnit extension: a device, a connected pair of queue pairs and faults for each test. */
module dev.verbena.junit {
  requires transitive dev.verbena.verbs;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.verbena.junit;
}
