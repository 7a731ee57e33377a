/** A user's module. */
module user.program {
  requires dev.verbena.verbs;
}
