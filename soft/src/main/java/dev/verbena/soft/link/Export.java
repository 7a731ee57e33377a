package dev.verbena.soft.link;

/** Something exported; see {@link Exports}. Any thread may call it. */
public interface Export {
  /** What is never exported. */
  Export NONE =
      new Export() {
        @Override
        public void withdraw() {}

        @Override
        public void quiesce() {}
      };

  /** From now on nobody begins to use it. Idempotent; waits for nothing. */
  void withdraw();

  /**
   * Returns when nobody copies any more who began before it, or another export, was withdrawn. For
   * a queue pair only. A peer that stands still in the middle of a copy is given up after a second;
   * what it copies when it goes on again goes to memory that it was allowed to use.
   */
  void quiesce();
}
