package dev.verbena.soft.queue;

/**
 * Keeps the fields of subclasses out of the cache line of the preceding object, which another
 * thread may use: a line that two threads write moves between them with each message.
 */
@SuppressWarnings("UnusedVariable") // they only take up space
public abstract class Apart {
  // Java fills the hole behind an object's header by an int, if there is one: by this one.
  private int hole;
  private long gap0;
  private long gap1;
  private long gap2;
  private long gap3;
  private long gap4;
  private long gap5;
  private long gap6;
  private long gap7;

  /** For subclasses. */
  protected Apart() {}
}
